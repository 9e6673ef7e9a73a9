"""Looking relations up answers as going through all of them does, and never from a graph that was changed since."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from household.scene_graph import Relation, RelationKind, SceneGraph

IDS = st.sampled_from(["apple_1", "alice", "kitchen", "table_1", "fridge_1"])
RELATIONS = st.frozensets(st.builds(Relation, IDS, st.sampled_from(RelationKind), IDS, st.sampled_from([0.4, 0.9, 1.0])), max_size=12)


@given(RELATIONS, RELATIONS, IDS, st.sampled_from(RelationKind))
def test_lookup_is_the_search_of_all(relations, others, id, kind):
    graph = SceneGraph(0.0, {}, relations)
    for g in (graph, replace(graph, relations=others), graph):
        hits = sorted((-r.confidence, r.object) for r in g.relations if r.subject == id and r.kind is kind)
        assert g.related(id, kind) == [o for _, o in hits]
        holders = sorted((-r.confidence, r.subject) for r in g.relations if r.object == id and r.kind is RelationKind.HOLDS)
        assert g.holder_of(id) == (holders[0][1] if holders else None)
    assert graph == SceneGraph(0.0, {}, relations)

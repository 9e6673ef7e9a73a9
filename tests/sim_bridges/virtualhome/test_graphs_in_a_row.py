"""Graphs that follow each other: what is kept from the last one may never show in the next."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.classes import Kind
from household.scene_graph import ROBOT, RelationKind
from sim_bridges.virtualhome import graph
from sim_bridges.virtualhome.client import VirtualHomeClient
from sim_bridges.virtualhome.names import NameMap
from tests.sim_bridges.doubles.large import grown
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble

PEOPLE = ("alice", "david", ROBOT)


@pytest.fixture(scope="module")
def raw():
    with VirtualHomeDouble(Stage(apartment())) as sim:
        client = VirtualHomeClient(port=sim.port)
        client.reset(0)
        for resource in ("Chars/Female1", "Chars/Male1", "Chars/Male2"):
            client.add_character(resource, "kitchen")
        return client.environment_graph()


def change(raw: dict, what: str, pick: int) -> dict:
    out = copy.deepcopy(raw)
    nodes, edges = out["nodes"], out["edges"]
    node = nodes[pick % len(nodes)]
    if what == "move" and node["bounding_box"]:
        node["bounding_box"]["center"][0] += 0.5
        node["obj_transform"]["position"][0] += 0.5
    elif what == "open":
        node["states"] = ["OPEN", "ON"]
    elif what == "vanish":
        nodes.remove(node)
    elif what == "nowhere":
        node["bounding_box"] = node["obj_transform"] = None
    elif what == "unlink":
        del edges[pick % len(edges)]
    elif what == "hold":
        edges.append({"from_id": 1, "to_id": node["id"], "relation_type": "HOLDS_RH"})
    return out


@given(changes=st.lists(st.tuples(st.sampled_from(("move", "open", "vanish", "nowhere", "unlink", "hold", "again")), st.integers(0, 400)), max_size=8))
@settings(max_examples=60, deadline=None)
def test_a_row_of_graphs_reads_as_each_alone(raw, changes):
    names, now = NameMap(PEOPLE), raw
    read = graph.Reader(names)
    read(now, 0.0)
    for stamp, (what, pick) in enumerate(changes, 1):
        now = raw if what == "again" else change(now, what, pick)
        assert read(now, float(stamp)) == graph.scene_graph(now, names, float(stamp))


def test_only_what_changed_is_worked_out_anew(raw, monkeypatch):
    big = grown(raw)
    read = graph.Reader(NameMap(PEOPLE))
    scene = read(big, 0.0)
    assert len(big["nodes"]) > 300 and len(big["edges"]) == 5000 and len(scene.entities) > 300
    anew, edges, entity, relation = [], [], graph._entity, graph._relation
    monkeypatch.setattr(graph, "_entity", lambda id, *rest: anew.append(id) or entity(id, *rest))
    monkeypatch.setattr(graph, "_relation", lambda edge, names: edges.append(edge) or relation(edge, names))
    moved = change(big, "move", next(i for i, n in enumerate(big["nodes"]) if n["id"] == 1))
    after = read(moved, 1.0)
    assert anew == ["alice"] and edges == []
    assert after.entities["alice"].position != scene.entities["alice"].position and after.entities["fridge_1"].last_seen == 1.0


def test_closeness_is_about_people(raw):
    scene = graph.scene_graph(grown(raw), NameMap(PEOPLE), 0.0)
    close = [r for r in scene.relations if r.kind is RelationKind.CLOSE]
    bodies = {e.id for e in scene.of_kind(Kind.PERSON, Kind.ROBOT)}
    assert close and all({r.subject, r.object} & bodies for r in close)

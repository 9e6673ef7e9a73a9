"""Two processes hand out the names in a set in two orders; the mind is the same in both (a recording and its replay are two processes)."""

from household.scene_graph import Entity, Relation, RelationKind, SceneGraph
from mind import scene as scenes
from mind.config import MindConfig
from mind.layout import Site, build
from mind.scene import Registry
from mind.visibility import by_geometry

NAMES = [f"{kind}_{n}" for kind in ("apple", "mug", "book", "plate") for n in (1, 2, 3)]


def test_what_somebody_sees_comes_in_the_order_of_its_rows():
    layout = build([Site("kitchen", "kitchen", is_room=True), Site("kitchentable_1", "kitchen")], MindConfig())
    graph = SceneGraph(1.0, sees={"alice": frozenset(NAMES)})
    percept = by_geometry(graph, "alice", {name: i for i, name in enumerate(NAMES)}, dict.fromkeys(NAMES, "kitchentable_1"), layout)
    assert percept.objects.tolist() == list(range(len(NAMES)))


def test_rooms_found_at_once_are_listed_by_name():
    rooms = [f"bedroom_{i}" for i in range(1, 10)]
    tables = {f"coffeetable_{i}": Entity(f"coffeetable_{i}", "coffeetable", (float(i), 0.0, 0.4)) for i in range(1, 10)}
    graph = SceneGraph(1.0, tables, frozenset(Relation(t, RelationKind.IN_ROOM, r) for t, r in zip(tables, rooms)))
    assert [s.id for s in scenes.register(Registry(), scenes.read(graph)).sites if s.is_room] == rooms

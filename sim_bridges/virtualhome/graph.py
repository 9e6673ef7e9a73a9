"""VirtualHome's environment graph → the household's SceneGraph: the symbolic source.

The simulator says INSIDE for rooms and for containers alike, ON for seats as well as table tops, and adds INSIDE-room edges to everything; here
each becomes the one relation the household has for it. What the graph does not say (a container without OPEN or CLOSED) stays UNKNOWN.
This is the whole truth at a moment; who can see what of it is :mod:`sim_bridges.symbolic`'s business.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from household import classes
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness, Posture, Relation, RelationKind, SceneGraph
from household.transforms import matrix_from
from sim_bridges import unity
from sim_bridges.errors import BadReply
from sim_bridges.virtualhome.names import NameMap

_HOLDS = ("HOLDS_RH", "HOLDS_LH")
_BODIES = (Kind.PERSON, Kind.ROBOT)


class Reader:
    """Reads the graphs of one scene one after another. A home has hundreds of nodes and thousands of edges and little of it changes between two graphs,
    so a node is worked out anew only when it says something else than before, and an edge once."""

    def __init__(self, names: NameMap):
        self._names = names
        self._nodes: dict[int, tuple[Mapping, Entity]] = {}  # of the last graph
        self._edges: dict[tuple, Relation | None] = {}

    def __call__(self, graph: Mapping, stamp: float) -> SceneGraph:
        """``graph``: the simulator's JSON. Entities of unknown classes are left out (``names.unknown`` counts them). Raises BadReply."""
        try:
            self._names.learn(graph["nodes"])
            entities = self._entities(graph["nodes"], stamp)
            relations = self._relations(graph["edges"], entities)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise BadReply(f"VirtualHome's environment_graph cannot be read: {type(error).__name__} {error}") from None
        return SceneGraph(stamp, entities, frozenset(_innermost(relations)))

    def _entities(self, nodes, stamp: float) -> dict[str, Entity]:
        before, self._nodes = self._nodes, {}
        for node in nodes:
            number = int(node["id"])
            id = self._names.entity(number)
            if id is None or not (node.get("bounding_box") or node.get("obj_transform")):  # a node that is nowhere is no thing in the room
                continue
            was = before.get(number)
            entity = _seen_at(was[1], stamp) if was is not None and was[0] == node else _entity(id, self._names.cls(id), node, stamp)
            self._nodes[number] = node, entity
        return {entity.id: entity for _, entity in self._nodes.values()}

    def _relations(self, edges, entities: Mapping[str, Entity]) -> set[Relation]:
        if len(self._edges) > 2 * len(edges):
            self._edges.clear()
        known, found = self._edges, set()
        for edge in edges:
            key = edge["from_id"], edge["relation_type"], edge["to_id"]
            if key not in known:
                known[key] = _relation(edge, self._names)
            relation = known[key]
            if relation is not None and relation.subject in entities and relation.object in entities:
                found.add(relation)
        return found


def scene_graph(graph: Mapping, names: NameMap, stamp: float) -> SceneGraph:
    """A single graph, as :class:`Reader` reads it."""
    return Reader(names)(graph, stamp)


def _seen_at(entity: Entity, stamp: float) -> Entity:
    """What ``dataclasses.replace`` would give, at a tenth of its cost: there are hundreds in every frame."""
    new = object.__new__(Entity)
    new.__dict__.update(entity.__dict__, last_seen=stamp)
    return new


def _entity(id: str, cls: str, node: Mapping, stamp: float) -> Entity:
    kind = classes.get(cls).kind
    states, properties = {s.upper() for s in node.get("states", ())}, {p.upper() for p in node.get("properties", ())}
    position, extents, yaw = _box(node)
    openness = Openness.NONE
    if "CAN_OPEN" in properties or classes.get(cls).opens:
        openness = Openness.OPEN if "OPEN" in states else Openness.CLOSED if "CLOSED" in states else Openness.UNKNOWN
    switched = None
    if classes.get(cls).switchable or "HAS_SWITCH" in properties:
        switched = True if "ON" in states else False if "OFF" in states else None
    posture, gaze = Posture.UNKNOWN, None
    if kind in _BODIES:
        position, yaw = _footing(node, position, extents)
        posture, gaze = Posture.SITTING if "SITTING" in states else Posture.STANDING, yaw
    return Entity(id, cls, position, extents, yaw, openness, last_seen=stamp, posture=posture, gaze_yaw=gaze, switched_on=switched)


def _box(node: Mapping) -> tuple[tuple[float, float, float], tuple[float, float, float], float]:
    """Centre, extents along the thing's own axes, and yaw. The simulator's box is axis-aligned, so a yaw is kept only near a quarter turn."""
    box, transform = node.get("bounding_box"), node.get("obj_transform")
    if box:
        position = tuple(float(c) for c in unity.point_to_map(box["center"]))
        extents = unity.size_to_map(box["size"])
    elif transform:
        position, extents = tuple(float(c) for c in unity.point_to_map(transform["position"])), (0.0, 0.0, 0.0)
    else:
        position, extents = (math.nan,) * 3, (0.0, 0.0, 0.0)
    if not transform or not transform.get("rotation"):
        return position, extents, 0.0
    yaw = unity.yaw_to_map(transform["rotation"])
    quarter = round(yaw / (math.pi / 2))
    if abs(yaw - quarter * math.pi / 2) > math.radians(5):
        return position, extents, 0.0
    return position, (extents[1], extents[0], extents[2]) if quarter % 2 else extents, quarter * math.pi / 2


def _footing(node: Mapping, position, extents) -> tuple[tuple[float, float, float], float]:
    """Where a character stands and faces."""
    transform = node.get("obj_transform")
    if transform and transform.get("position"):
        x, y, z = (float(c) for c in unity.point_to_map(transform["position"]))
        return (x, y, z), unity.yaw_to_map(transform["rotation"])
    return (position[0], position[1], position[2] - extents[2] / 2), 0.0


def _relation(edge: Mapping, names: NameMap) -> Relation | None:
    subject, object = names.entity(int(edge["from_id"])), names.entity(int(edge["to_id"]))
    if subject is None or object is None:
        return None
    kind = str(edge["relation_type"]).upper()
    actor, target = classes.get(names.cls(subject)).kind in _BODIES, classes.get(names.cls(object)).kind
    if kind in _HOLDS:
        return Relation(subject, RelationKind.HOLDS, object)
    if kind == "INSIDE" and target is Kind.ROOM:
        return Relation(subject, RelationKind.IN_ROOM, object)
    if kind == "INSIDE" and target is Kind.CONTAINER:
        return Relation(subject, RelationKind.INSIDE, object)
    if kind in ("ON", "SITTING", "INSIDE") and target in (Kind.SURFACE, Kind.CONTAINER, Kind.DEVICE, Kind.OBJECT):
        return Relation(subject, RelationKind.ON, object)
    if kind == "CLOSE" and (actor or target in _BODIES):  # between two things it says nothing that their positions do not
        return Relation(subject, RelationKind.CLOSE, object)
    if kind == "FACING" and actor:
        return Relation(subject, RelationKind.FACING, object)
    return None


def _innermost(relations: set[Relation]) -> set[Relation]:
    """What is held is nowhere else, and what is inside a container is not also "on" the same one."""
    held = {r.object for r in relations if r.kind is RelationKind.HOLDS}
    inside = {(r.subject, r.object) for r in relations if r.kind is RelationKind.INSIDE}
    drop = {r for r in relations if (r.subject in held and r.kind in (RelationKind.ON, RelationKind.INSIDE))
            or (r.kind is RelationKind.ON and (r.subject, r.object) in inside)}
    return relations - drop


def home_map(graph: Mapping, names: NameMap) -> dict:
    """Rooms and doorways in the form of a ``home_map`` file. A doorway is a door or door frame that the graph puts BETWEEN two rooms."""
    rooms, doorways = [], []
    nodes = {int(n["id"]): n for n in graph["nodes"]}
    for id, node in nodes.items():
        if node.get("category") == "Rooms" and names.entity(id) and node.get("bounding_box"):
            (x, y, _), (dx, dy, _), _ = _box(node)
            rooms.append({"id": names.entity(id), "class": names.cls(names.entity(id)),
                          "low": [x - dx / 2, y - dy / 2], "high": [x + dx / 2, y + dy / 2]})
    known = {r["id"] for r in rooms}
    between: dict[int, list[str]] = {}
    for edge in graph["edges"]:
        room = names.entity(int(edge["to_id"]))
        if str(edge["relation_type"]).upper() == "BETWEEN" and room in known:
            between.setdefault(int(edge["from_id"]), []).append(room)
    for id, pair in sorted(between.items()):
        box = nodes[id].get("bounding_box")
        if len(set(pair)) == 2 and box:
            (x, y, _), (dx, dy, _) = unity.point_to_map(box["center"]), unity.size_to_map(box["size"])
            doorways.append({"id": f"doorway_{id}", "rooms": sorted(set(pair)), "centre": [float(x), float(y)], "width": max(dx, dy),
                             "yaw": 0.0 if dy >= dx else math.pi / 2, "leaf": nodes[id].get("class_name") == "door"})
    return {"rooms": rooms, "doorways": doorways}


def robot_pose(scene: SceneGraph):
    """(4, 4) base_link → map from the robot's entity."""
    e = scene.entities[ROBOT]
    return matrix_from(e.position, (0.0, 0.0, math.sin(e.yaw / 2), math.cos(e.yaw / 2)))

"""The scene graph: what the robot knows of the home at one moment, as immutable values.

"Nothing there", "not looked at" and "could not see" are three values, never one: a container's ``openness`` may be UNKNOWN,
an entity not ``visible`` is remembered with ``last_seen`` and a ``tracking`` state, and ``inspected`` lists for every viewer the places
whose contents could be seen right now (only those justify "it is not there").
Frame: ``map`` (REP 105), metres, z up, yaw in radians counter-clockwise from +x. Stamps: seconds of message time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

import networkx as nx

from household import classes

ROBOT = "robot"  # the id of the robot itself, as a viewer and as an actor
ELSEWHERE = "elsewhere"  # the explicit rest of every location distribution: somewhere that is no known place


class Openness(str, Enum):
    OPEN = "open"
    CLOSED = "closed"
    UNKNOWN = "unknown"
    NONE = "none"  # nothing to open


class Tracking(str, Enum):
    VISIBLE = "visible"
    OCCLUDED = "occluded"  # its place is not in view, or something stands before it
    CONTAINED = "contained"  # inside a container that was closed over it
    HELD = "held"  # in somebody's hand
    LOST = "lost"  # its place was looked at and it was not there


class RelationKind(str, Enum):
    IN_ROOM = "in_room"
    INSIDE = "inside"
    ON = "on"
    CLOSE = "close"
    HOLDS = "holds"
    FACING = "facing"


class Posture(str, Enum):
    STANDING = "standing"
    SITTING = "sitting"
    WHEELCHAIR = "wheelchair"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Entity:
    """One thing, place, room or person. ``position``: centre of its box (x, y, z); ``extents``: full box sizes along its own
    axes, turned by ``yaw`` about z; for people the position is on the floor and ``yaw`` is where the body faces."""

    id: str
    cls: str
    position: tuple[float, float, float]
    extents: tuple[float, float, float] = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    openness: Openness = Openness.NONE
    tracking: Tracking = Tracking.VISIBLE
    visible: bool = True  # in this very frame
    last_seen: float = 0.0
    confidence: float = 1.0
    posture: Posture = Posture.UNKNOWN  # people only
    gaze_yaw: float | None = None  # people only: where the head faces, if known
    switched_on: bool | None = None  # devices only; None: not known
    other_names: tuple[str, ...] = ()  # things only: other classes it may nearly as well be, likeliest first

    @property
    def kind(self) -> classes.Kind:
        return classes.get(self.cls).kind


@dataclass(frozen=True)
class Relation:
    subject: str
    kind: RelationKind
    object: str
    confidence: float = 1.0


@dataclass(frozen=True)
class SceneGraph:
    """Everything known at ``stamp``.

    ``sees``: viewer id (person or ROBOT) → ids of entities in the viewer's sight right now.
    ``inspected``: viewer id → ids of places (surfaces, open containers, rooms) whose contents the viewer can see right now, so
    that an object not among ``sees`` is known by that viewer not to be there. A viewer absent from both: not known.
    ``event_count``: how many HumanActions perception has published up to and including this frame (orders the two topics).
    ``could_not_see``: reasons the graph is blind right now ("no depth", …); empty when the sensors are well.
    ``renamed``: former id → id of a thing, or a piece of furniture, that turned out to be something else than it was called at first; said for some seconds.
    """

    stamp: float
    entities: Mapping[str, Entity] = field(default_factory=dict)
    relations: frozenset[Relation] = frozenset()
    sees: Mapping[str, frozenset[str]] = field(default_factory=dict)
    inspected: Mapping[str, frozenset[str]] = field(default_factory=dict)
    event_count: int = 0
    could_not_see: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    def of_kind(self, *kinds: classes.Kind) -> list[Entity]:
        return [e for e in self.entities.values() if e.kind in kinds]

    def people(self) -> list[Entity]:
        return self.of_kind(classes.Kind.PERSON)

    def places(self) -> list[Entity]:
        return self.of_kind(classes.Kind.CONTAINER, classes.Kind.SURFACE)

    def objects(self) -> list[Entity]:
        return self.of_kind(classes.Kind.OBJECT)

    def related(self, subject: str, *kinds: RelationKind) -> list[str]:
        """Ids that ``subject`` stands in one of these relations to, surest first."""
        hits = [r for r in self._by_subject.get(subject, ()) if r.kind in kinds]
        return [r.object for r in sorted(hits, key=lambda r: (-r.confidence, r.object))]

    @cached_property
    def _by_subject(self) -> Mapping[str, list[Relation]]:
        """Worked out when first asked for; ``dataclasses.replace`` makes a graph that works out its own."""
        found: dict[str, list[Relation]] = {}
        for r in self.relations:
            found.setdefault(r.subject, []).append(r)
        return found

    @cached_property
    def _held(self) -> Mapping[str, list[Relation]]:
        found: dict[str, list[Relation]] = {}
        for r in self.relations:
            if r.kind is RelationKind.HOLDS:
                found.setdefault(r.object, []).append(r)
        return found

    def room_of(self, entity_id: str) -> str | None:
        rooms = self.related(entity_id, RelationKind.IN_ROOM)
        return rooms[0] if rooms else None

    def holder_of(self, object_id: str) -> str | None:
        hits = self._held.get(object_id, ())
        return min(hits, key=lambda r: (-r.confidence, r.subject)).subject if hits else None

    def place_of(self, object_id: str) -> str | None:
        """The container or surface it is in or on; the person who holds it; else its room (on the floor); else None."""
        inside = self.related(object_id, RelationKind.INSIDE, RelationKind.ON)
        return self.holder_of(object_id) or (inside[0] if inside else self.room_of(object_id))

    def with_entities(self, changed: Iterable[Entity]) -> "SceneGraph":
        return replace(self, entities={**self.entities, **{e.id: e for e in changed}})

    def to_networkx(self) -> nx.MultiDiGraph:
        """Nodes carry the Entity as ``entity``; edge keys are relation names."""
        graph = nx.MultiDiGraph(stamp=self.stamp)
        for e in self.entities.values():
            graph.add_node(e.id, entity=e)
        for r in sorted(self.relations, key=lambda r: (r.subject, r.kind.value, r.object)):
            graph.add_edge(r.subject, r.object, key=r.kind.value, confidence=r.confidence)
        return graph

    def to_dict(self) -> dict:
        def entity(e: Entity) -> dict:
            return {k: (v.value if isinstance(v, Enum) else list(v) if isinstance(v, tuple) else v)
                    for k, v in vars(e).items()}

        return {
            "stamp": self.stamp, "entities": [entity(e) for e in self.entities.values()],
            "relations": [[r.subject, r.kind.value, r.object, r.confidence]
                          for r in sorted(self.relations, key=lambda r: (r.subject, r.kind.value, r.object))],
            "sees": {k: sorted(v) for k, v in self.sees.items()},
            "inspected": {k: sorted(v) for k, v in self.inspected.items()},
            "event_count": self.event_count, "could_not_see": list(self.could_not_see), "renamed": dict(self.renamed),
        }

    @classmethod
    def from_dict(cls, d: Mapping) -> "SceneGraph":
        def entity(e: Mapping) -> Entity:
            return Entity(**{**e, "position": tuple(e["position"]), "extents": tuple(e["extents"]),
                             "openness": Openness(e["openness"]), "tracking": Tracking(e["tracking"]),
                             "posture": Posture(e["posture"]), "other_names": tuple(e.get("other_names", ()))})

        return cls(
            d["stamp"], {e["id"]: entity(e) for e in d["entities"]},
            frozenset(Relation(s, RelationKind(k), o, c) for s, k, o, c in d["relations"]),
            {k: frozenset(v) for k, v in d["sees"].items()}, {k: frozenset(v) for k, v in d["inspected"].items()},
            d.get("event_count", 0), tuple(d.get("could_not_see", ())), dict(d.get("renamed", {})),
        )

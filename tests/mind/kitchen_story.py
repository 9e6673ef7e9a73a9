"""Hand-written graphs of a kitchen and a living room, and the story of the moved apple in both versions; for tests of the online mind."""

from __future__ import annotations

from household.actions import HumanAction, Verb
from household.scene_graph import Entity, Openness, Posture, Relation, RelationKind, SceneGraph, Tracking
from mind.config import MindConfig
from mind.output import Minds
from mind.step import MindInput, MindState, step
from mind.words import Heard

PLACES = [("fridge_1", "fridge", (0, 3), "kitchen"), ("kitchentable_1", "kitchentable", (2, 2), "kitchen"),
          ("kitchencounter_1", "kitchencounter", (1, 0), "kitchen"), ("kitchencabinet_1", "kitchencabinet", (2, 0), "kitchen"),
          ("kitchencabinet_2", "kitchencabinet", (3, 0), "kitchen"), ("sofa_1", "sofa", (7, 1), "livingroom"),
          ("coffeetable_1", "coffeetable", (7, 2), "livingroom"), ("cabinet_1", "cabinet", (9, 3), "livingroom")]
CLOSED_BOXES = ("fridge", "kitchencabinet", "cabinet")
SURFACES = {"kitchen": ("kitchentable_1", "kitchencounter_1"), "livingroom": ("sofa_1", "coffeetable_1")}
OTHERS = {"mug_1": "kitchentable_1", "plate_1": "kitchencounter_1", "book_1": "sofa_1", "remotecontrol_1": "coffeetable_1"}


def graph(stamp: float, apple: str, rooms: dict[str, str], looking: tuple[str, ...] = (), opened: tuple[str, ...] = (),
          robot_room: str = "kitchen", lost: bool = False, in_view: tuple[str, ...] | None = None) -> SceneGraph:
    """``rooms``: person → room. ``looking``: whose view is known and takes in the surfaces and open containers of their room. The robot
    sees the same of ``robot_room``. ``lost``: the robot has looked where it thought the apple was."""
    entities: dict[str, Entity] = {}
    relations = set()
    at = {"apple_1": apple, **OTHERS}
    room_of = {p[0]: p[3] for p in PLACES}
    for name, cls, (x, y), room in PLACES:
        openness = Openness.NONE if cls not in CLOSED_BOXES else Openness.OPEN if name in opened else Openness.CLOSED
        entities[name] = Entity(name, cls, (x, y, 0.4), (0.5, 0.5, 0.8), openness=openness)
        relations.add(Relation(name, RelationKind.IN_ROOM, room))
    for i, room in enumerate(SURFACES):
        entities[room] = Entity(room, room, (2.0 + 5 * i, 2.0, 0.0))
    for person, room in rooms.items():
        entities[person] = Entity(person, "person", (2.0 if room == "kitchen" else 7.0, 1.0, 0.0), (0.3, 0.5, 1.7), posture=Posture.STANDING,
                                  visible=in_view is None or person in in_view)
        relations.add(Relation(person, RelationKind.IN_ROOM, room))
    views = {v: tuple(s for s in SURFACES[r]) + tuple(o for o in opened if room_of[o] == r)
             for v, r in {**{p: rooms[p] for p in looking}, "robot": robot_room}.items()}
    for thing, place in at.items():
        seen = any(place in view for view in views.values()) or (place in rooms and (in_view is None or place in in_view))
        tracking = Tracking.HELD if place in rooms else Tracking.VISIBLE if seen else Tracking.OCCLUDED
        if thing == "apple_1" and lost:
            tracking = Tracking.LOST
        else:
            kind = RelationKind.INSIDE if place.startswith(("fridge", "kitchencab", "cab")) else RelationKind.ON
            relations.add(Relation(place, RelationKind.HOLDS, thing, 0.95) if place in rooms else Relation(thing, kind, place, 0.95))
        entities[thing] = Entity(thing, thing[:-2], (0, 0, 0), (0.1, 0.1, 0.1), tracking=tracking, visible=seen and not lost)
    sees = {v: frozenset(t for t, place in at.items() if place in view or (place in rooms and rooms[place] == (rooms.get(v) or robot_room)))
            - (frozenset({"apple_1"}) if lost else frozenset()) | frozenset(p for p, r in rooms.items() if r == rooms.get(v, robot_room))
            for v, view in views.items()}
    return SceneGraph(stamp, entities, frozenset(relations), sees, {v: frozenset(view) for v, view in views.items()})


class Watch:
    """The mind fed step by step; ``minds`` is the last output."""

    def __init__(self, config: MindConfig = MindConfig()):
        self.config, self.state, self.minds, self.past = config, MindState(), Minds(0.0), []

    def see(self, scene: SceneGraph, *events: HumanAction, acts: tuple[Heard, ...] = ()) -> Minds:
        self.state, self.minds = step(self.state, MindInput(scene, events, acts), self.config)
        self.past.append(self.minds)
        return self.minds

    def goal(self, person: str, cls: str) -> float:
        """P(the person is after something of this class)."""
        return sum(p for g, p in self.minds.people[person].goals if cls in g.targets)

    def false(self, person: str, obj: str):
        return next((f for f in self.minds.people[person].false_beliefs if f.object == obj), None)


def did(actor: str, verb: Verb, target: str | None, place: str | None, start: float, end: float | None, **witnesses: float) -> HumanAction:
    return HumanAction(actor, verb, target, place, None, start, end, 0.9, witnesses)


def moved_apple(alice_saw: float, watch: Watch | None = None) -> Watch:
    """Alice puts the apple on the kitchen table; David puts it into the fridge. ``alice_saw``: probability that she witnessed that.
    Ends with Alice in the living room for 40 s."""
    w = watch or Watch()
    both = {"alice": "kitchen", "david": "kitchen"}
    w.see(graph(1, "alice", both, ("alice", "david")))
    w.see(graph(3, "kitchentable_1", both, ("alice", "david")), did("alice", Verb.PUTON, "apple_1", "kitchentable_1", 2.5, 3, david=1.0))
    then = both if alice_saw >= 1 else {"alice": "livingroom", "david": "kitchen"}
    if alice_saw < 1:
        w.see(graph(6, "kitchentable_1", then, ("alice", "david")), did("alice", Verb.LEAVE, "kitchen", None, 5, 5),
              did("alice", Verb.ENTER, "livingroom", None, 5, 5))
    saw = {"alice": alice_saw}
    w.see(graph(12, "david", then, ("alice", "david")), did("david", Verb.PICK, "apple_1", "kitchentable_1", 11.5, 12, **saw))
    w.see(graph(16, "fridge_1", then, ("alice", "david"), ("fridge_1",)), did("david", Verb.OPEN, "fridge_1", None, 14, 15),
          did("david", Verb.PUTIN, "apple_1", "fridge_1", 15.5, 16, **saw))
    w.see(graph(18, "fridge_1", then, ("alice", "david")), did("david", Verb.CLOSE, "fridge_1", None, 17, 17.5))
    gone = {"alice": "livingroom", "david": "kitchen"}
    w.see(graph(22, "fridge_1", gone, ("alice", "david")),
          *((did("alice", Verb.ENTER, "livingroom", None, 21, 21),) if alice_saw >= 1 else ()))
    w.see(graph(60, "fridge_1", gone, ("alice", "david")))
    return w


def comes_back(w: Watch, target: str) -> Watch:
    """Alice walks back to the kitchen, to ``target``, and looks at what is open there."""
    both = {"alice": "kitchen", "david": "kitchen"}
    w.see(graph(62, "fridge_1", {"alice": "livingroom", "david": "kitchen"}, ("alice", "david")),
          did("alice", Verb.WALKTOWARDS, "kitchen", None, 61, None))
    w.see(graph(64, "fridge_1", both, ("david",)), did("alice", Verb.ENTER, "kitchen", None, 64, 64))
    w.see(graph(65, "fridge_1", both, ("david",)), did("alice", Verb.WALKTOWARDS, target, None, 64.2, None))
    w.see(graph(66, "fridge_1", both, ("alice", "david")), did("alice", Verb.WALKTOWARDS, target, None, 64.2, 66))
    return w


def searches_on(w: Watch) -> Watch:
    """Alice goes on to the two kitchen cabinets, opening each."""
    both = {"alice": "kitchen", "david": "kitchen"}
    for n, t in ((1, 67.0), (2, 73.0)):
        box = f"kitchencabinet_{n}"
        w.see(graph(t + 1, "fridge_1", both, ("alice", "david")), did("alice", Verb.WALKTOWARDS, box, None, t, t + 1))
        w.see(graph(t + 3, "fridge_1", both, ("alice", "david"), (box,)), did("alice", Verb.OPEN, box, None, t + 1.5, t + 2))
        w.see(graph(t + 5, "fridge_1", both, ("alice", "david")), did("alice", Verb.CLOSE, box, None, t + 3.5, t + 4))
    return w

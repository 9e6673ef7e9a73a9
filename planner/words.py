"""Names of things and places as people say them: "the apple", "the kitchen table", "Alice"."""

from __future__ import annotations

from household import classes
from household.classes import Kind
from household.landmarks import COUNTS, Piece, landmark_of
from household.scene_graph import ELSEWHERE, ROBOT, SceneGraph


def class_id(name: str, graph: SceneGraph | None = None) -> str | None:
    """The class of an entity, room or class id; None for people and what nobody has heard of."""
    if graph is not None and name in graph.entities:
        cls = graph.entities[name].cls
        return None if classes.get(cls).kind is Kind.PERSON else cls
    cls = classes.class_of(name)
    return cls if cls in classes.CLASSES else None


def person(name: str) -> str:
    return "I" if name == ROBOT else name.replace("_", " ").title()


def thing(name: str, graph: SceneGraph | None = None) -> str:
    """``apple_1`` → "the apple", or "the apple or orange" of what may as well be the other; ``alice`` → "Alice"."""
    cls = class_id(name, graph)
    if cls is None:
        return person(name)
    others = graph.entities[name].other_names if graph is not None and name in graph.entities else ()
    return "the " + " or ".join(classes.get(c).spoken for c in (cls, *others[:1]))


def a_thing(name: str, graph: SceneGraph | None = None) -> str:
    cls = class_id(name, graph)
    if cls is None:
        return person(name)
    word = classes.get(cls).spoken
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def place(name: str, graph: SceneGraph) -> str:
    """The place so that it is told from others of its kind: "the fridge", "the cabinet in the bedroom", "the kitchen cabinet nearest the
    fridge"; where nothing else tells it, "the third kitchen cabinet" (counted by number)."""
    cls = class_id(name, graph)
    if cls is None:
        return person(name)
    spoken = classes.get(cls).spoken
    same = sorted((e.id for e in graph.entities.values() if e.cls == cls), key=lambda i: (classes.number_of(i), i))
    if len(same) < 2 or name not in same:
        return f"the {spoken}"
    room = graph.room_of(name)
    if room is not None and [i for i in same if graph.room_of(i) == room] == [name]:
        return f"the {spoken} in {place(room, graph)}"
    if graph.entities[name].kind in (Kind.CONTAINER, Kind.SURFACE):
        pieces = {e.id: Piece(e.cls, e.position, max(e.extents[:2]), graph.room_of(e.id)) for e in graph.places()}
        if (near := landmark_of(name, pieces)) is not None:
            landmark, count = near
            return f"the {spoken} {COUNTS[count - 1]}nearest the {classes.get(graph.entities[landmark].cls).spoken}"
    rank = same.index(name)
    return f"the {_ORDINALS[rank]} {spoken}" if rank < len(_ORDINALS) else f"the {spoken} number {rank + 1}"


def at(name: str, graph: SceneGraph) -> str:
    """``fridge_1`` → "in the fridge"; a person → "with Alice"; a room → "in the kitchen"."""
    if name == ELSEWHERE:
        return "somewhere I have not seen"
    if name == ROBOT:
        return "with me"
    cls = class_id(name, graph)
    if cls is None:
        return f"with {person(name)}"
    return f"{classes.get(cls).preposition} {place(name, graph)}"


def many(name: str, graph: SceneGraph | None = None) -> bool:
    """Whether the spoken word takes a plural verb ("the keys are")."""
    cls = class_id(name, graph)
    return cls is not None and classes.get(cls).spoken in ("keys", "glasses", "chips")


def is_are(name: str, graph: SceneGraph | None = None) -> str:
    return "are" if many(name, graph) else "is"


def was_were(name: str, graph: SceneGraph | None = None) -> str:
    return "were" if many(name, graph) else "was"

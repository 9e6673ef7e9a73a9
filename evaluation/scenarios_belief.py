"""False-belief correction: somebody puts a thing somewhere, somebody else moves it, the first comes back for it.

The templates are MindPower's (supplement, Fig. 10): two people, three people with the first or the second coming back; and its two
special cases: moved out of the robot's view, and believed because it was told. The controls change one circumstance: the person
watched, was told, wants something else, or nothing was moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from planner.acts import FactKind, HelpKind
from planner.words import at as spoken_at
from household import classes
from household.scene_graph import Entity, Relation, RelationKind, SceneGraph
from sim_bridges.embedded.model import Furniture, Home

from evaluation.scenarios import Aim, AimKind, Family, NotHere, Scenario, Variant, Wanted
from evaluation.scenarios_stage import PORTABLE, Stage, body, container, draw_cast, pick, put, with_only

_AWAY = ["sofa", "bookshelf", "bed", "tvstand", "desk", "coffeetable", "drawer", "wardrobe", "cabinet", "kitchentable", "diningtable",
         "kitchencounter", "fridge", "bathroomcounter", "nightstand", "bathroomcabinet", "bench"]
_WORDS = frozenset({HelpKind.TELL, HelpKind.POINT})
LIMIT = 170.0


class Control(str, Enum):
    """What is different in the control."""

    WATCHED = "watched"
    OTHER_GOAL = "other_goal"
    NOT_MOVED = "not_moved"
    TOLD = "told"


@dataclass(frozen=True)
class Cast:
    """What a template is filled with. ``places``: where it lies first, where the first person puts it, and where it goes then."""

    home: Home
    room: str
    thing: str
    other: str
    places: tuple[Furniture, ...]
    people: tuple[str, ...]
    starts: tuple[str, ...]
    bodies: tuple[dict, ...]


def make(variant: Variant, home: Home, seed: int, rng: np.random.Generator, name: str) -> tuple[Scenario, Scenario]:
    """The scenario and its control. Raises NotHere."""
    cast = _cast(variant, home, rng)
    template = _TEMPLATES[variant]
    control = pick(rng, _CONTROLS[variant])
    rows = []
    for twisted in (None, control):
        people, who, place = template(cast, twisted)
        story = _story(name, cast, people)
        rows.append(_scenario(variant, cast, story, who, place, seed, name, twisted))
    return rows[0], rows[1]


def _cast(variant: Variant, home: Home, rng: np.random.Generator) -> Cast:
    stage = Stage.of(home)
    hops = 3 if variant in (Variant.MOVED_TWICE_FIRST, Variant.MOVED_TWICE_SECOND, Variant.TOLD) else 2
    in_room = hops if variant is not Variant.OUT_OF_VIEW else 1
    rooms = [r.id for r in home.rooms if len(stage.usable(r.id)) >= in_room + 1 and len(home.rooms) > 1]
    room = pick(rng, rooms)
    usable = stage.usable(room)
    chosen = [usable[i] for i in rng.permutation(len(usable))]
    firsts = [f for f in chosen if not f.heights or classes.get(f.cls).kind is classes.Kind.SURFACE]
    start = pick(rng, firsts)
    rest = [f for f in chosen if f.id != start.id]
    last = [pick(rng, [f for f in rest if container(f)])] if variant is not Variant.OUT_OF_VIEW else []
    places = [*[f for f in rest if f not in last][:in_room - len(last)], *last]
    if variant is Variant.OUT_OF_VIEW:
        far = [f for r in home.rooms if r.id != room for f in stage.usable(r.id)]
        places.append(pick(rng, far))
    if len(places) < hops:
        raise NotHere(f"{home.name}: too few places in {room}")
    things = [c for c in PORTABLE]
    first, second = (things[i] for i in rng.permutation(len(things))[:2])
    home, thing = with_only(home, first, start.id)
    spare = [f for f in chosen if f.id not in {p.id for p in places} and classes.get(f.cls).kind is classes.Kind.SURFACE]
    home, other = with_only(home, second, pick(rng, spare).id)
    home = Stage.of(home).place_robot(room, [f.id for f in places[:in_room]])
    count = 3 if variant in (Variant.MOVED_TWICE_FIRST, Variant.MOVED_TWICE_SECOND) else 2
    elsewhere = [r.id for r in home.rooms if r.id != room]
    return Cast(home, room, thing, other, (start, *places), tuple(draw_cast(rng, count)),
                tuple(pick(rng, elsewhere) for _ in range(count)), tuple(body(rng) for _ in range(count)))


def _story(name: str, cast: Cast, people: dict[str, dict]) -> dict:
    roles = {f"place{i}": {"id": f.id} for i, f in enumerate(cast.places)}
    near = [f"place{i}" for i, f in enumerate(cast.places) if f.room == cast.room]
    for i in range(len(cast.people)):
        roles[f"away{i}"] = {"class": _AWAY, "not_room": cast.room, "hidden_from": near}
    things = {cast.thing: cast.places[0].id}
    things[cast.other] = next(t.at for t in cast.home.things if t.id == cast.other)
    return {"name": name, "limit": LIMIT, "after_goal": 2, "scatter": 0.2, "roles": roles, "things": things, "cast": people}


def _part(cast: Cast, i: int, script: list, start: str | None = None, then: dict | None = None) -> dict:
    part = {"start": start or cast.starts[i], "body": cast.bodies[i], "script": script}
    return part if then is None else {**part, "then": then}


def _do(action: str, id: str | None = None, after: str | None = None, wait=None, until: str | None = None) -> dict:
    row = {"do": action, "id": id, "after": after, "wait": wait, "until": until}
    return {k: v for k, v in row.items() if v is not None}


def _moved(cast: Cast, control: Control | None):
    """A puts it down and leaves; B moves it; A comes back for it."""
    (a, b), (p0, p1, p2), x = cast.people, cast.places, cast.thing
    stays = control is Control.WATCHED
    leave = [_do(f"walk({p0.id})", "gone")] if stays else [_do("walk(away0)", "gone")]
    watch = [_do(f"watch({b})", until=f"{b}.done"), _do("walk(away0)")] if stays else []
    moving = [_do(f"walk({p1.id})", after=f"{a}.gone", wait=[0.5, 3])]
    told = []
    if control is Control.NOT_MOVED:
        moving += [_do(f"lookat({x})"), _do("wait(2)", "done")]
    else:
        moving += [_do(put(x, p2), "done")]
    if control is Control.TOLD:
        moving += [_do(f'say("{a.title()}, I put {_the(x)} {_at(cast, p2)}.", {a})', "told", after=f"{a}.back")]
        told = [_do(f"enter({cast.room})", "back", after=f"{b}.done", wait=[0.5, 2])]
    moving += [_do("walk(away1)", "left", wait=[0.2, 1.5])]
    goal = {"goal": f"get({cast.other if control is Control.OTHER_GOAL else x})",
            "after": f"{b}.told" if control is Control.TOLD else f"{b}.left" if not stays else f"{b}.done", "wait": [1, 3]}
    return {a: _part(cast, 0, [_do(put(x, p1), "put"), *leave, *watch, *told], cast.room, goal), b: _part(cast, 1, moving)}, a, p2


def _twice(back: int) -> Callable:
    """A puts it down, B moves it, C moves it again; the first (0) or the second (1) comes back."""

    def template(cast: Cast, control: Control | None):
        (a, b, c), (_, p1, p2, p3), x = cast.people, cast.places, cast.thing
        who, last_known = (a, p1) if back == 0 else (b, p2)
        watches = control is Control.WATCHED
        goal = {"goal": f"get({cast.other if control is Control.OTHER_GOAL else x})", "after": f"{c}.left", "wait": [1, 3]}
        first = [_do(put(x, p1), "put"), _do("walk(away0)", "gone")]
        second = [_do(f"walk({p1.id})", after=f"{a}.gone", wait=[0.5, 3]), _do(put(x, p2), "done")]
        if watches and back == 1:
            second += [_do(f"walk({p1.id})"), _do(f"watch({c})", until=f"{c}.done")]
        second += [_do("walk(away1)", "left", wait=[0.2, 1.5])]
        third = [_do(f"enter({cast.room})", "came", after=f"{b}.done" if watches else f"{b}.left", wait=[0.5, 3])]
        if watches and back == 0:
            first += [_do(f"enter({cast.room})", "back", after=f"{b}.left"), _do(f"watch({c})", until=f"{c}.done"), _do("walk(away0)")]
            third = [_do(f"enter({cast.room})", "came", after=f"{a}.back", wait=[0.5, 1])]
        still = control is Control.NOT_MOVED and back == 1
        third += [_do(f"walk({p2.id})"), _do("wait(2)", "done")] if still else [_do(put(x, p3), "done")]
        third += [_do("walk(away2)", "left", wait=[0.2, 1.5])]
        people = {a: _part(cast, 0, first, cast.room, goal if who == a else None),
                  b: _part(cast, 1, second, None, goal if who == b else None), c: _part(cast, 2, third)}
        return people, who, p3

    return template


def _told(cast: Cast, control: Control | None):
    """B moves it and says so; A leaves again; B moves it once more."""
    (a, b), (_, p1, p2, p3), x = cast.people, cast.places, cast.thing
    leave_again = [_do("walk(away0)", "gone_again", after=f"{b}.told", wait=[0.5, 1.5])]
    first = [_do(put(x, p1), "put"), _do("walk(away0)", "gone"),
             _do(f"enter({cast.room})", "back", after=f"{b}.moved", wait=[0.5, 2]), *leave_again]
    second = [_do(f"walk({p1.id})", after=f"{a}.gone", wait=[0.5, 3]), _do(put(x, p2), "moved"),
              _do(f'say("{a.title()}, I put {_the(x)} {_at(cast, p2)}.", {a})', "told", after=f"{a}.back", wait=[0.2, 0.8])]
    if control is Control.NOT_MOVED:
        second += [_do("wait(2)", "done", after=f"{a}.gone_again")]
    else:
        second += [_do(put(x, p3), "done", after=f"{a}.gone_again", wait=[0.5, 2])]
    second += [_do("walk(away1)", "left", wait=[0.2, 1.5])]
    goal = {"goal": f"get({cast.other if control is Control.OTHER_GOAL else x})", "after": f"{b}.left", "wait": [1, 3]}
    return {a: _part(cast, 0, first, cast.room, goal), b: _part(cast, 1, second)}, a, p3


_TEMPLATES = {Variant.MOVED: _moved, Variant.OUT_OF_VIEW: _moved, Variant.TOLD: _told,
              Variant.MOVED_TWICE_FIRST: _twice(0), Variant.MOVED_TWICE_SECOND: _twice(1)}
_CONTROLS = {Variant.MOVED: tuple(Control), Variant.OUT_OF_VIEW: (Control.OTHER_GOAL, Control.NOT_MOVED),
             Variant.TOLD: (Control.OTHER_GOAL, Control.NOT_MOVED), Variant.MOVED_TWICE_FIRST: (Control.OTHER_GOAL, Control.WATCHED),
             Variant.MOVED_TWICE_SECOND: (Control.OTHER_GOAL, Control.WATCHED, Control.NOT_MOVED)}


def _scenario(variant: Variant, cast: Cast, story: dict, who: str, place: Furniture, seed: int, name: str,
              control: Control | None) -> Scenario:
    accept: tuple[Wanted, ...] = ()
    if control is None:
        it, there = frozenset({cast.thing}), frozenset({place.id})
        moved = Wanted(_WORDS, who, it, frozenset({FactKind.MOVED}))
        known = (Wanted(_WORDS, who, it, frozenset({FactKind.AT}), there), Wanted(frozenset({HelpKind.FETCH}), who, it, places=there))
        taken = Wanted(_WORDS, who, it, frozenset({FactKind.TAKEN}), frozenset({place.room}))
        accept = (taken, moved, *known) if variant is Variant.OUT_OF_VIEW else known
    label = name if control is None else f"{name}-control-{control.value}"
    return Scenario(label, Family.FALSE_BELIEF, variant, control is not None, seed, cast.home, {**story, "name": label},
                    len(cast.people), Aim(AimKind.REACHED, who, (cast.thing,)), accept, frozenset(), who, cast.room)


def _the(thing: str) -> str:
    return f"the {classes.get(classes.class_of(thing)).spoken}"


def _at(cast: Cast, piece: Furniture) -> str:
    """Where, as somebody at home would say it."""
    room_of = {f.id: f.room for f in cast.home.furniture}
    entities = {f.id: Entity(f.id, f.cls, (*f.position[:2], f.position[2] + f.size[2] / 2), (f.size[1], f.size[0], f.size[2])) for f in cast.home.furniture}
    entities.update({r.id: Entity(r.id, r.cls, (0.0, 0.0, 0.0)) for r in cast.home.rooms})
    graph = SceneGraph(0.0, entities, frozenset(Relation(i, RelationKind.IN_ROOM, r) for i, r in room_of.items()))
    return spoken_at(piece.id, graph)

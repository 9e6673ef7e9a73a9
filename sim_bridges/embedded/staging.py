"""Putting a story on stage: its roles are given to furniture, things and rooms of one home, its cast takes places, its objects are laid
out.

Everything a seed varies is drawn here or in the people themselves: which fitting piece plays a role, where people start, where objects
lie.
Invariant: a story that stages names only what exists; anything else is a StoryError at the line that names it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.actions import AtomicAction, Verb
from household.classes import Kind
from household.goals import Goal, GoalKind
from sim_bridges.embedded import spots
from sim_bridges.embedded.casting import cast_roles
from sim_bridges.embedded.fittings import SEATS, opens
from sim_bridges.embedded.geometry import room_at
from sim_bridges.embedded.memory import Memory, holdable, standing_of
from sim_bridges.embedded.model import Furniture, Home, Person, Thing, ThingState, Vec2, WorldState
from sim_bridges.embedded.placing import WatchPost
from sim_bridges.embedded.nav import PERSON_RADIUS, WHEELCHAIR_RADIUS, NavMap
from sim_bridges.embedded.story_file import Part, Step, Story, posture_of
from sim_bridges.embedded.yaml_source import Value


@dataclass(frozen=True)
class Stage:
    """A story in a home. ``names``: role → id. ``steps``/``goals``: per person, with every role replaced by its id."""

    home: Home
    names: Mapping[str, str]
    steps: Mapping[str, tuple[Step, ...]]
    goals: Mapping[str, Goal | None]


def set_stage(story: Story, home: Home, seed: int) -> Stage:
    """Casts the story in ``home``. Raises StoryError."""
    rng = np.random.default_rng([seed, 7])
    home = _with_people(story, home)
    home = _with_things_listed(story, home)
    names = cast_roles(story, home, rng)
    finder = _Finder(story, home, names)
    home = _lay_out(story, home, finder, rng)
    steps = {id: tuple(replace(s, action=finder.action(s.action, s.source)) for s in part.steps) for id, part in story.cast.items()}
    goals = {id: finder.goal(part.goal, part.source) if part.goal else None for id, part in story.cast.items()}
    for happening in story.happenings:
        if happening.device is not None:
            finder.find(happening.device, happening.source, ("device",))
    if story.block is not None:
        home = _block_doorways(story, home, finder, rng)
        finder = _Finder(story, home, names)
    if story.watch:
        home = _place_robot(story, home, finder)
    home = _take_places(story, home, finder, rng)
    if story.light is not None:
        home = replace(home, light=story.light)
    return Stage(home, names, steps, goals)


# ---- people and things ----


def _with_people(story: Story, home: Home) -> Home:
    """Only the cast is at home; somebody the home does not know needs a ``body``."""
    known = {p.id: p for p in home.people}
    people = []
    for id, part in story.cast.items():
        if id not in known and not part.body:
            part.source.fail(f"nobody called '{id}' lives in home '{home.name}'; allowed: {', '.join(known)}, or a new person with 'body'")
        if id not in known and (not id.isidentifier() or id in classes.CLASSES):
            part.source.fail(f"'{id}' cannot name a person; allowed: one lower-case word that is no class")
        person = known.get(id) or Person(id, id.capitalize(), home.robot.position, 0.0)
        body = dict(part.body)
        posture = posture_of(body, person.posture)
        height = float(body.get("height", person.height))
        people.append(replace(person, height=height, stride=float(body.get("stride", person.stride)), posture=posture, goal=part.goal,
                              reach=float(body.get("reach", person.reach if "height" not in body else round(height * 1.16, 2))),
                              model=str(body["model"]) if "model" in body else person.model))
    return replace(home, people=tuple(people))


def _with_things_listed(story: Story, home: Home) -> Home:
    """Adds the objects a story brings along; where they are laid comes later."""
    have = {t.id for t in home.things}
    extra = []
    for id in story.things:
        cls = classes.class_of(id)
        if cls == id or cls not in classes.of_kind(Kind.OBJECT):
            story.source.section().need("things").section().need(id).fail(
                f"'{id}' is not of the form class_number; allowed classes: {', '.join(classes.of_kind(Kind.OBJECT))}")
        if id not in have:
            extra.append(Thing(id, cls, home.rooms[0].id))
    return replace(home, things=home.things + tuple(extra))


def _lay_out(story: Story, home: Home, finder: "_Finder", rng: np.random.Generator) -> Home:
    """Objects to where the story wants them; with ``scatter`` some of the others move to another usual place."""
    wanted = {id: finder.find(place, story.source.section().need("things").section().need(id), ("place", "room", "person"))
              for id, place in story.things.items()}
    memory = Memory(home, home.people[0].id)
    pieces = {f.id: f for f in home.furniture}
    scratch = WorldState(0.0)
    keep = set(finder.names.values()) | set(wanted)
    things, order = [], {t.id: i for i, t in enumerate(home.things)}
    roams = {t.id for t in home.things if t.id not in keep and rng.random() < story.scatter}
    fixed = {t.id for t in home.things if t.position is not None and t.id not in roams and wanted.get(t.id, t.at) == t.at}
    for thing in sorted(home.things, key=lambda t: (t.id not in fixed, t.id in roams, t.id not in keep)):  # what moves about comes last
        options = [wanted.get(thing.id, thing.at)]
        if thing.id in roams:
            row = memory.prior[memory.things.index(thing.id)][: len(memory.places)]
            row = row * [pieces[p].cls not in SEATS for p in memory.places]
            drawn = rng.choice(len(memory.places), size=min(12, int((row > 0).sum())), p=row / row.sum(), replace=False)
            options = [memory.places[int(i)] for i in drawn] + options
        position = thing.position if thing.id in fixed else None
        at = options[-1]
        for option in options if thing.id not in fixed else ():
            position = None if option not in pieces else spots.free_spot(home, scratch, thing, pieces[option], rng)
            if position is not None:
                at = option
                break
        if position is None and at in pieces:
            entry = story.source.section().take("things")
            place = entry.section().need(thing.id) if thing.id in wanted and entry else story.source
            place.fail(f"there is no free room for {thing.id} at {at}")
        yaw = thing.yaw if thing.id in fixed or at not in pieces else pieces[at].yaw
        if position is not None:
            scratch.things[thing.id] = ThingState(position, yaw, at)
        things.append(replace(thing, at=at, position=position, yaw=yaw))
    return replace(home, things=tuple(sorted(things, key=lambda t: order[t.id])))


def _take_places(story: Story, home: Home, finder: "_Finder", rng: np.random.Generator) -> Home:
    nav = NavMap.of(home)
    people: list[Person] = []
    for person in home.people:
        part = story.cast[person.id]
        spot = _start_spot(part, person, home, nav, finder, rng, [p.position for p in people] + [home.robot.position])
        people.append(replace(person, position=spot, yaw=float(rng.uniform(-math.pi, math.pi)) if part.start else person.yaw))
    return replace(home, people=tuple(people))


def _start_spot(part: Part, person: Person, home: Home, nav: NavMap, finder: "_Finder", rng: np.random.Generator,
                taken: list[Vec2]) -> Vec2:
    radius = WHEELCHAIR_RADIUS if person.posture.value == "wheelchair" else PERSON_RADIUS
    if part.start is None:
        if room_at(home, person.position) is not None and nav.free(person.position, radius - 0.05) and \
                all(math.dist(person.position, t) > 0.6 for t in taken):
            return person.position
        rooms = list(home.rooms)
    else:
        where = finder.find(part.start, part.source, ("place", "room", "device"))
        piece = next((f for f in home.furniture if f.id == where), None)
        if piece is not None:
            spot = nav.approach_point(piece, radius)
            if spot is None:
                part.source.fail(f"there is no room to stand before {where}")
            return spot
        rooms = [r for r in home.rooms if r.id == where]
    reach = nav.distances(home.robot.position, radius)
    for _ in range(400):
        room = rooms[int(rng.integers(len(rooms)))]
        spot = (float(rng.uniform(room.low[0] + 0.3, room.high[0] - 0.3)), float(rng.uniform(room.low[1] + 0.3, room.high[1] - 0.3)))
        near_door = any(math.dist(spot, d.center) < 0.7 for d in home.doorways)
        if nav.free(spot, radius + 0.05) and not near_door and all(math.dist(spot, t) > 0.7 for t in taken) and math.isfinite(reach.to(spot)):
            return spot
    part.source.fail(f"there is no room for {part.id} in {', '.join(r.id for r in rooms)}")


def _place_robot(story: Story, home: Home, finder: "_Finder") -> Home:
    """The robot where it sees the places it is to watch."""
    value = story.source.section().need("robot")
    pieces = [next(f for f in home.furniture if f.id == finder.find(word, value, ("place", "device", "obstacle"))) for word in story.watch]
    rooms = sorted({f.room for f in pieces})
    if len(rooms) > 1:
        value.fail(f"a robot watches one room, but {', '.join(story.watch)} are in {', '.join(rooms)}")
    placed = WatchPost.of(home).take(rooms[0], [f.id for f in pieces])
    if placed is None:
        value.fail(f"nowhere in {rooms[0]} can {', '.join(f.id for f in pieces)} all be seen; name fewer places")
    return placed


def _block_doorways(story: Story, home: Home, finder: "_Finder", rng: np.random.Generator) -> Home:
    """A suitcase across a doorway, or across every doorway of a room, so that a wheelchair does not get through."""
    value = story.source.section().need("block")
    found = finder.find(story.block, value, ("door", "room"))
    number = max((int(f.id.rpartition("_")[2]) for f in home.furniture if f.cls == "suitcase"), default=0)
    items = []
    for door in home.doorways:
        if found in (door.id, *door.rooms):
            number += 1
            yaw = door.yaw + float(rng.uniform(-0.2, 0.2))
            side = next((r for r in door.rooms if r != found), door.rooms[0])
            items.append(Furniture(f"suitcase_{number}", "suitcase", side, (*door.center, 0.0), yaw, classes.get("suitcase").size))
    return replace(home, furniture=home.furniture + tuple(items))


class _Finder:
    """From a word in a story (role, id, class, person, room) to an id of this home."""

    def __init__(self, story: Story, home: Home, names: Mapping[str, str]):
        self.names = dict(names)
        self._home = home
        self._kinds: dict[str, str] = {}
        for f in home.furniture:
            kind = classes.get(f.cls).kind
            self._kinds[f.id] = "place" if f.heights else "device" if kind is Kind.DEVICE else "obstacle"
        self._kinds.update({t.id: "thing" for t in home.things} | {r.id: "room" for r in home.rooms}
                           | {p.id: "person" for p in home.people} | {d.id: "door" for d in home.doorways} | {"robot": "person"})
        self._opens = {f.id for f in home.furniture if opens(f.cls)} | {d.id for d in home.doorways if d.leaf}

    def find(self, word: str, source: Value, kinds: tuple[str, ...]) -> str:
        """The id meant by ``word``, one of ``kinds``; complains at ``source``."""
        id = self.names.get(word, word)
        if id not in self._kinds:
            same = [*standing_of(self._home, word), *holdable(self._home, word), *(r.id for r in self._home.rooms if r.cls == word)]
            same = [s for s in same if self._kinds[s] in kinds]
            if not same:
                allowed = sorted([n for n, i in self.names.items() if self._kinds.get(i) in kinds]
                                 + [i for i, k in self._kinds.items() if k in kinds])
                source.fail(f"unknown {' or '.join(kinds)} '{word}'; allowed: {', '.join(allowed)}")
            id = same[0]
        if self._kinds[id] not in kinds:
            source.fail(f"'{word}' is a {self._kinds[id]}; wanted here: {' or '.join(kinds)}")
        return id

    def action(self, action: AtomicAction, source: Value) -> AtomicAction:
        """The same action with ids. Complains about impossible ones (opening a table)."""
        verb, args = action.verb, action.args
        wanted = _ARGUMENTS.get(verb, ())
        found = []
        for i, word in enumerate(args):
            if verb is Verb.SAY and i == 0:
                found.append(self._sentence(word, source))
            elif verb is Verb.WAIT:
                found.append(word)
            else:
                found.append(self.find(word, source, wanted[min(i, len(wanted) - 1)] if wanted else tuple(set(self._kinds.values()))))
        if verb in (Verb.OPEN, Verb.CLOSE) and found[0] not in self._opens:
            source.fail(f"'{found[0]}' does not open; allowed: {', '.join(sorted(self._opens))}")
        if verb is Verb.PUTIN and classes.get(classes.class_of(found[1])).kind is not Kind.CONTAINER:
            source.fail(f"things are put on '{found[1]}', not in it")
        return replace(action, args=tuple(found))

    def _sentence(self, text: str, source: Value) -> str:
        """``{store}`` in a sentence → how one calls what plays that role."""
        for role in re.findall(r"\{(\w+)\}", text):
            if role not in self.names:
                source.fail(f"the sentence names '{{{role}}}', which is no role; allowed: {', '.join(self.names)}")
            cls = classes.class_of(self.names[role])
            text = text.replace("{" + role + "}", classes.get(cls).spoken if cls in classes.CLASSES else self.names[role])
        return text

    def goal(self, goal: Goal, source: Value) -> Goal:
        """The same goal with ids for roles; classes stay classes."""
        targets = tuple(self.names.get(t, t) for t in goal.targets)
        for target in targets:
            if not holdable(self._home, target) and not standing_of(self._home, target):
                source.fail(f"goal {goal}: home '{self._home.name}' has no '{target}'; it has: "
                            f"{', '.join(sorted({t.cls for t in self._home.things}))}")
        place = goal.place
        if place is not None:
            kinds = ("place", "room", "device", "person") if goal.kind is GoalKind.REACH else ("place",)
            place = self.find(place, source, kinds)
        return replace(goal, targets=targets, place=place)


_PLACE, _ROOM, _THING, _PERSON = ("place",), ("room",), ("thing",), ("person",)
_ANY = ("place", "device", "obstacle", "thing", "room", "person", "door")
_ARGUMENTS: Mapping[Verb, tuple[tuple[str, ...], ...]] = {
    Verb.WALK: (_ANY,), Verb.ENTER: (_ROOM,), Verb.LEAVE: (_ROOM, _ROOM), Verb.PICK: (_THING, _PLACE + _ROOM),
    Verb.PUTON: (_THING, _PLACE), Verb.PUTIN: (_THING, _PLACE), Verb.OPEN: (("place", "door"),), Verb.CLOSE: (("place", "door"),),
    Verb.SIT: (_PLACE,), Verb.SWITCHON: (("device",),), Verb.SWITCHOFF: (("device",),), Verb.LOOKAT: (_ANY,), Verb.WATCH: (_ANY,),
    Verb.SAY: (_PERSON, _PERSON), Verb.GIVE: (_THING, _PERSON), Verb.POINT: (_ANY,), Verb.READ: (_THING,), Verb.DRINK: (_THING,),
    Verb.DROP: (_THING, _ROOM), Verb.MOVE: (("obstacle",),),
}


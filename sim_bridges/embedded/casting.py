"""Giving the roles of a story to the furniture, things, rooms and doors of one home.

A role states conditions; among what fits, the seed draws. A role that must be hidden from others is cast after them, by true lines of
sight between the spots where people would stand. What no home piece fits is a StoryError at the role's line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from household import classes
from sim_bridges.embedded.model import Home, RobotState, Vec2, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, NavMap
from sim_bridges.embedded.story_file import Role, Story
from sim_bridges.embedded.visibility import SightMap, Viewer

_HIGH = 1.2  # metres; what hangs higher is out of a child's reach


def cast_roles(story: Story, home: Home, rng: np.random.Generator) -> dict[str, str]:
    names: dict[str, str] = {}
    sight = _Overlook(home)
    waiting = sorted(story.roles.values(), key=lambda r: (len(r.hidden_from), list(story.roles).index(r.name)))
    for role in waiting:
        options = [o for o in _options(role, home, names) if o not in names.values()]
        for other in role.hidden_from:
            if other not in names:
                role.source.fail(f"is to be hidden from '{other}', which is no role cast before it; allowed: {', '.join(names) or 'none'}")
            options = [o for o in options if sight.hidden(o, names[other])]
        if not options:
            role.source.fail(f"home '{home.name}' has nothing that fits role '{role.name}'{_wish(role)}; it has: {_offer(role, home)}")
        names[role.name] = options[int(rng.integers(len(options)))]
    return names


def _options(role: Role, home: Home, names: Mapping[str, str]) -> list[str]:
    rooms = {r.id: r for r in home.rooms}
    pieces = {f.id: f for f in home.furniture}
    room_of = {**{f.id: f.room for f in home.furniture}, **{r.id: r.id for r in home.rooms},
               **{t.id: pieces[t.at].room if t.at in pieces else t.at for t in home.things}}
    cls_of = {**{f.id: f.cls for f in home.furniture}, **{r.id: r.cls for r in home.rooms}, **{t.id: t.cls for t in home.things},
              **{d.id: "door" for d in home.doorways}}
    used = {t.at for t in home.things}

    def in_room(id: str, word: str) -> bool:
        wanted = names.get(word, word)
        wanted = room_of.get(wanted, wanted)
        if cls_of.get(id) == "door":
            return any(r == wanted or rooms[r].cls == wanted for r in next(d.rooms for d in home.doorways if d.id == id))
        here = room_of.get(id)
        return here is not None and (here == wanted or (here in rooms and rooms[here].cls == wanted))

    return [id for id, cls in cls_of.items()
            if (not role.classes or cls in role.classes) and (role.id is None or id == role.id)
            and (role.kind is None or classes.get(cls).kind is role.kind)
            and (role.room is None or in_room(id, role.room)) and (role.not_room is None or not in_room(id, role.not_room))
            and (not role.empty or id not in used)
            and (role.high is None or role.high == (id in pieces and pieces[id].position[2] >= _HIGH))]


def _wish(role: Role) -> str:
    parts = [("class " + "/".join(role.classes)) if role.classes else "", f"id {role.id}" if role.id else "",
             f"kind {role.kind.value}" if role.kind else "", f"in {role.room}" if role.room else "",
             f"not in {role.not_room}" if role.not_room else "", "" if role.high is None else "high up" if role.high else "low",
             f"hidden from {', '.join(role.hidden_from)}" if role.hidden_from else ""]
    return " (" + ", ".join(p for p in parts if p) + ")"


def _offer(role: Role, home: Home) -> str:
    have = {f.cls for f in home.furniture} | {t.cls for t in home.things} | {r.cls for r in home.rooms}
    kinds = {classes.get(c).kind for c in role.classes} or ({role.kind} if role.kind else set())
    return ", ".join(sorted(c for c in have if not kinds or classes.get(c).kind in kinds)) or "none of that kind"


class _Overlook:
    """Whether somebody at one place could see what happens at another, whichever way they look."""

    def __init__(self, home: Home):
        self._home, self._nav, self._sight = home, NavMap.of(home), SightMap(home)
        self._state = WorldState(0.0, robot=RobotState(home.robot.position, 0.0))

    def hidden(self, here: str, there: str) -> bool:
        eyes = [Viewer("", (*e, z), 0.0, fov=2 * math.pi, vertical_fov=math.pi) for e in self._spots(here) for z in (1.15, 1.6)]
        return not self._sight.any_sees(self._state, eyes, [(*s, 1.2) for s in self._spots(there)])

    def _spots(self, id: str) -> list[Vec2]:
        piece = next((f for f in self._home.furniture if f.id == id), None)
        if piece is not None:
            return [piece.position[:2], *self._nav.approaches(piece, PERSON_RADIUS)]
        room = next((r for r in self._home.rooms if r.id == id), None)
        if room is None:
            return []
        return [(room.low[0] + u * (room.high[0] - room.low[0]), room.low[1] + v * (room.high[1] - room.low[1]))
                for u in (0.2, 0.5, 0.8) for v in (0.2, 0.5, 0.8)]

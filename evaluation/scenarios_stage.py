"""Finding a stage for a scenario in a home: the room it plays in, places that can be used, and where the robot stands to see them.

Invariant: the robot stands where it blocks no door and nobody's way to the places of the story, with the story's places in its line of sight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.classes import Kind
from sim_bridges.embedded.fittings import SEATS, opens
from sim_bridges.embedded.model import Furniture, Home, Room, Thing
from sim_bridges.embedded.nav import PERSON_RADIUS, NavMap
from sim_bridges.embedded.placing import WatchPost
from sim_bridges.embedded.visibility import SightMap

from evaluation.scenarios import NotHere

PORTABLE = ("apple", "cupcake", "book", "mug", "keys", "glasses", "remotecontrol", "milk", "juice", "banana", "magazine", "cellphone",
            "perfume", "notebook", "waterglass", "medicine", "towel", "condimentbottle", "chips", "wine", "salmon", "plate")
NAMES = ("alice", "david", "sally", "bob", "mia", "jake", "sarah", "mark", "emma", "tom", "nina", "paul")
_HIGH = 1.75  # an adult's hand gets no higher


@dataclass
class Stage:
    """A home with its walking map and lines of sight."""

    home: Home
    nav: NavMap
    sight: SightMap

    @classmethod
    def of(cls, home: Home) -> "Stage":
        return cls(home, NavMap.of(home), SightMap(home))

    def room(self, room_id: str) -> Room:
        return next(r for r in self.home.rooms if r.id == room_id)

    def usable(self, room_id: str) -> list[Furniture]:
        """Places in a room that an adult can walk up to and put things at."""
        return [f for f in self.home.furniture if f.room == room_id and f.heights and f.cls not in SEATS
                and f.position[2] + min(f.heights) <= _HIGH and self.nav.approach_point(f, PERSON_RADIUS) is not None]

    def adjoining(self, room_id: str) -> list[str]:
        """The rooms next to it, by name: what is drawn from must not depend on how a set is kept in memory."""
        return sorted({r for d in self.home.doorways if room_id in d.rooms for r in d.rooms if r != room_id})

    def place_robot(self, room_id: str, watch: Sequence[str]) -> Home:
        """The home with the robot at the side of this room where it sees every piece of ``watch``. Raises NotHere."""
        home = WatchPost(self.home, self.nav, self.sight).take(room_id, watch)
        if home is None:
            raise NotHere(f"{self.home.name}: nowhere in {room_id} sees {', '.join(watch)}")
        return home


def with_only(home: Home, thing_class: str, at: str, position=None) -> tuple[Home, str]:
    """The home with exactly one thing of a class, at a place. Returns it and the thing's id."""
    name = f"{thing_class}_1"
    others = tuple(t for t in home.things if t.cls != thing_class)
    return replace(home, things=(*others, Thing(name, thing_class, at, position))), name


def container(piece: Furniture) -> bool:
    return classes.get(piece.cls).kind is Kind.CONTAINER


def put(thing: str, piece: Furniture) -> str:
    return f"{'putin' if opens(piece.cls) else 'puton'}({thing}, {piece.id})"


def pick(rng: np.random.Generator, options: Sequence):
    """One of several, or NotHere."""
    if not options:
        raise NotHere("nothing to choose from")
    return options[int(rng.integers(len(options)))]


def draw_cast(rng: np.random.Generator, count: int) -> list[str]:
    return [NAMES[i] for i in rng.permutation(len(NAMES))[:count]]


def body(rng: np.random.Generator) -> dict:
    height = round(float(rng.uniform(1.55, 1.9)), 2)
    return {"height": height, "reach": round(1.2 * height, 2), "stride": round(float(rng.uniform(0.9, 1.2)), 2)}

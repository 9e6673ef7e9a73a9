"""The places of a home while it is being described: numbering, and what "the cabinet", "the third one" or "the other table" means.

A bare "cabinet" or "table" is of the room it is said in (a kitchen's is a kitchen cabinet); ordinals count within class and room.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from household import classes
from mind.reading.closed_words import MIDDLE
from mind.reading.nouns import ANY_CABINET, ANY_TABLE, FAMILIES
from mind.reading.phrases import Det, Item

_BY_ROOM = {ANY_CABINET: {"kitchen": "kitchencabinet", "bathroom": "bathroomcabinet"},
            ANY_TABLE: {"kitchen": "kitchentable", "livingroom": "coffeetable"}}
_DEFAULT = {ANY_CABINET: "cabinet", ANY_TABLE: "diningtable"}
_OWN_ROOM = {"kitchencabinet": "kitchen", "bathroomcabinet": "bathroom", "kitchentable": "kitchen"}
MOST_PLACES = 400  # of one text; more is not a home


@dataclass
class Places:
    """``order``: place id → room id, in order of introduction. ``recent``: the last places spoken of."""

    order: dict[str, str] = field(default_factory=dict)
    recent: list[str] = field(default_factory=list)
    recent_cls: str | None = None
    one_said: str | None = None

    def of(self, cls: str, room: str | None) -> list[str]:
        family = FAMILIES.get(cls, (cls,))
        found = [p for p, r in self.order.items() if classes.class_of(p) in family and (room is None or r == room)]
        return sorted(found, key=classes.number_of) if cls not in FAMILIES else found

    def new(self, cls: str, room: str | None) -> str:
        """Introduce one more place of this class in this room."""
        room = room or _OWN_ROOM.get(cls) or "home"
        if cls in FAMILIES:
            cls = _BY_ROOM[cls].get(room, _DEFAULT[cls])
        n = 1 + max((classes.number_of(p) for p in self.order if classes.class_of(p) == cls), default=0)
        place = f"{cls}_{n}"
        if len(self.order) < MOST_PLACES:
            self.order[place] = room
        return place

    def introduce(self, item: Item, room: str | None) -> list[str]:
        room = item.room or room
        ids = [self.new(item.cls, room) for _ in range(min(item.count, 50))]
        self.spoken(ids)
        return ids

    def spoken(self, ids: list[str]) -> None:
        if ids:
            self.recent = list(ids)
            self.recent_cls = classes.class_of(ids[-1])

    def candidates(self, item: Item, room: str | None) -> list[str]:
        """Places the noun phrase may mean, best room first; empty when nothing like it was introduced."""
        cls = item.cls or self.recent_cls
        if cls is None:
            return []
        if item.room:
            return self.of(cls, item.room) or ([] if cls in FAMILIES else self.of(cls, None)[:0])
        own = _OWN_ROOM.get(cls)
        if own and (item.cls or not item.ordinals or len(self.of(cls, own)) >= max(item.ordinals)):
            return self.of(cls, own) or self.of(cls, None) or self.of(ANY_CABINET if "cabinet" in cls else ANY_TABLE, own)
        here = self.of(cls, room) if room else []
        numbered = bool(item.ordinals) or (item.det is Det.EVERY and item.plural)
        if here and (not numbered or len(here) >= max(2, *item.ordinals, 2)):
            return here
        if numbered:  # "the third cabinet", "all the cabinets" where there is but one: of the room that has so many
            return max((self.of(c, r) for c in ((cls,) if item.cls else {classes.class_of(p) for p in self.order})
                        for r in dict.fromkeys(self.order.values())), key=len, default=here) or here
        if cls == ANY_CABINET:
            return self.of("cabinet", None) or self.of(cls, None)
        if cls in FAMILIES or item.ordinals:
            return self.of(cls, None)
        return self.of(cls, None) or (self.of(ANY_TABLE, room) if cls in FAMILIES[ANY_TABLE] and room else [])

    def resolve(self, item: Item, room: str | None) -> tuple[list[str], str]:
        """The places meant and '' — or what is wrong. An ordinal beyond what was introduced is an error."""
        found = self.candidates(item, room)
        if not found:
            return [], "nothing of this kind was introduced"
        if item.ordinals:
            same_room = [p for p in found if self.order[p] == self.order[found[0]]]
            ids = []
            for n in item.ordinals:
                k = len(same_room) + 1 + n if n < 0 else n if n != MIDDLE else (len(same_room) + 1) // 2
                k = len(same_room) + 1 - k if item.from_right else k
                if not 1 <= k <= len(same_room):
                    return ids, f"there are only {len(same_room)} of them"
                ids.append(same_room[k - 1])
        elif item.det is Det.ONE_OF:
            ids = [next((p for p in found if p != self.one_said), found[0])] if self.one_said in found and item.cls is None else found[:1]
            self.one_said = ids[0]
        elif item.det is Det.OTHER:
            rest = [p for p in found if p != self.one_said] if self.one_said in found else found[-1:]
            ids = rest if item.plural else (rest or found)[:1]
        elif item.det is Det.EVERY or (item.plural and item.det in (Det.DEFINITE, Det.NONE) and not item.counted):
            ids = [p for p in found if self.order[p] == self.order[found[0]]]
        elif item.counted and item.count > 1:
            ids = found[:item.count]
        else:
            ids = found[:1]
        self.spoken(ids)
        return ids, ""

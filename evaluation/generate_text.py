"""Homes and doings in English, by several made-up writers who share no phrases: what the reader is tried on.

A writer is a set of alternatives; the choice is drawn from the given generator. Invariant: the text says exactly what it was given, once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from household import classes
from household.actions import Verb
from household.classes import class_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Told:
    """One act to tell. ``about_to``: announced only."""

    actor: str
    verb: Verb
    target: str
    about_to: bool = False


class Names:
    """What the places of one home are called: "the third kitchen cabinet", "the fridge", "the living room desk" where there are two."""

    def __init__(self, places: Mapping[str, str]):
        self.places = places
        self._of: dict[tuple[str, str], list[str]] = {}
        for place, room in places.items():
            self._of.setdefault((class_of(place), room), []).append(place)
        self._rooms_with: dict[str, set[str]] = {}
        for cls, room in self._of:
            self._rooms_with.setdefault(cls, set()).add(room)

    def peers(self, place: str) -> list[str]:
        return self._of[(class_of(place), self.places[place])]

    def of(self, place: str, numerals: bool = False) -> str:
        cls, room, peers = class_of(place), self.places[place], self.peers(place)
        word = classes.get(cls).spoken
        if len(peers) > 1:
            n = peers.index(place)
            ordinal = f"{n + 1}{'th' if n > 2 else ('st', 'nd', 'rd')[n]}" if numerals else ORDINALS[n]
            word = f"{ordinal} {word}"
        if len(self._rooms_with[cls]) > 1:
            word = f"{classes.get(room).spoken} {word}" if len(peers) == 1 else f"{word} in the {classes.get(room).spoken}"
        return word


def thing(cls: str, count: int = 1) -> str:
    """``two bags of chips``, ``an apple``."""
    row = classes.get(cls)
    if count == 1:
        return f"{'an' if row.spoken[0] in 'aeiou' else 'a'} {row.spoken}"
    plural = row.plural or row.spoken + ("es" if row.spoken.endswith(("s", "ch", "x")) else "s")
    return f"{_COUNTS[count] if count < len(_COUNTS) else count} {plural}"


def listed(words: Sequence[str]) -> str:
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}{',' if len(words) > 2 else ''} and {words[-1]}"


def home_text(rooms: Sequence[str], places: Mapping[str, str], contents: Mapping[str, Mapping[str, int]], writer: int, rng: random.Random) -> str:
    """One paragraph a room. ``writer`` 0, 1 or 2."""
    names = Names(places)
    lines = [rng.choice(("The home has {}.", "The apartment consists of {}.", "There are {}.")).format(
        listed([f"{'an' if classes.get(r).spoken[0] in 'aeiou' else 'a'} {classes.get(r).spoken}" for r in rooms]))]
    for room in rooms:
        here = [p for p, r in places.items() if r == room]
        if here:
            lines.append(" ".join([_furniture(room, here, writer, rng), *_contents(names, here, contents, writer, rng)]))
    return "\n".join(lines)


def _furniture(room: str, here: Sequence[str], writer: int, rng: random.Random) -> str:
    counts: dict[str, int] = {}
    for p in here:
        counts[class_of(p)] = counts.get(class_of(p), 0) + 1
    pieces = listed([thing(c, n) for c, n in counts.items()])
    name = classes.get(room).spoken
    verb = "are" if len(here) > 1 else "is"
    return rng.choice(((f"In the {name} there {verb} {pieces}.", f"The {name} is furnished with {pieces}."),
                       (f"The {name} comes with {pieces}.", f"In the {name}, you can find {pieces}."),
                       (f"The {name} has {pieces}.", f"There {verb} {pieces} in the {name}."))[writer])


def _contents(names: Names, here: Sequence[str], contents: Mapping[str, Mapping[str, int]], writer: int, rng: random.Random) -> list[str]:
    filled = [p for p in here if contents.get(p)]
    empty = [p for p in here if not contents.get(p) and classes.get(class_of(p)).opens]
    out = []
    for p in filled:
        row, what, the = classes.get(class_of(p)), listed([thing(c, n) for c, n in contents[p].items()]), f"the {names.of(p, writer == 2)}"
        many = sum(contents[p].values()) > 1
        are, where = ("are" if many else "is"), ("inside" if row.opens else "on")
        said = ((f"{the} contains {what}" if row.opens else f"{what} {are} placed on {the}", f"{where} {the}, there {are} {what}"),
                (f"{the} {rng.choice(('boasts', 'keeps', 'has'))} {what}", f"{what} can be found {where} {the}"),
                (f"{what} {are} {where} {the}", f"{where} {the} {'lie' if many else 'lies'} {what}"))[writer]
        out.append(rng.choice(said))
    if writer == 1 and len(out) > 1:
        out = [", while ".join(out[k:k + 2]) for k in range(0, len(out), 2)]
    for p in empty:
        the = f"the {names.of(p, writer == 2)}"
        out.append(rng.choice(((f"{the} is empty",), (f"{the} has nothing in it", f"nothing is kept in {the}"),
                               (f"there is nothing inside {the}", f"{the} is bare"))[writer]))
    rng.shuffle(out)
    return [s[0].upper() + s[1:] + "." for s in out]


_WALK = (("walks towards", "heads to", "approaches"), ("makes for", "goes over to", "wanders up to"), ("steps up to", "moves to", "strides towards"))
_ENTER = (("walks into", "proceeds to"), ("crosses over into", "goes to"), ("enters", "heads into"))
_OPEN = (("opens {}",), ("pulls {} open", "opens up {}"), ("opens {}", "swings open {}"))
_CLOSE = (("closes {}", "shuts {}"), ("pushes {} shut", "closes {} again"), ("shuts {} again", "closes {}"))
_ABOUT = ("is about to", "is on the verge of", "reaches out to", "gets ready to")


def conduct_text(told: Sequence[Told], start_room: Mapping[str, str], places: Mapping[str, str], writer: int, rng: random.Random) -> str:
    """Sentences of one to three acts; each names its actor, as several people may take part."""
    names = Names(places)
    sentences = [f"{p} {rng.choice(('is in', 'starts out in', 'is at first in'))} the {classes.get(r).spoken}." for p, r in start_room.items()]
    i = 0
    while i < len(told):
        n = rng.choice((1, 2, 2, 3))
        group = [told[i]]
        while len(group) < n and i + len(group) < len(told) and told[i + len(group)].actor == told[i].actor:
            group.append(told[i + len(group)])
        i += len(group)
        clauses, last = [], None
        for act in group:
            clauses.append(_act(act, names, writer, rng, pronoun=act.target == last))
            last = act.target
        who = group[0].actor
        lead = rng.choice(("{} ", "Then {} ", "Next, {} ")) if i > len(group) else "{} "
        sentences.append(lead.format(who) + (listed(clauses) if len(clauses) < 3 else f"{clauses[0]}, {clauses[1]}, and then {clauses[2]}") + ".")
    return " ".join(sentences)


def _act(act: Told, names: Names, writer: int, rng: random.Random, pronoun: bool) -> str:
    if act.verb is Verb.ENTER:
        return f"{rng.choice(_ENTER[writer])} the {classes.get(act.target).spoken}"
    where = "it" if pronoun else f"the {names.of(act.target, writer == 2)}" if act.target in names.places else thing(class_of(act.target))
    if act.verb is Verb.WALKTOWARDS:
        said = f"{rng.choice(_WALK[writer])} {where}"
    elif act.verb is Verb.OPEN:
        said = rng.choice(_OPEN[writer]).format(where)
        said = f"opens {where}" if act.about_to or (pronoun and "up" in said) or "open it" in said else said
    elif act.verb is Verb.CLOSE:
        said = rng.choice(_CLOSE[writer]).format(where)
    else:
        said = f"picks up {where}"
    if act.about_to:
        about = rng.choice(_ABOUT)
        bare = said.split(" ", 1)
        base = {"opens": "open"}.get(bare[0], bare[0])
        return f"{about} {'opening' if about.endswith('of') else base} {bare[1]}"
    return said

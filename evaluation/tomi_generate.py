"""Own stories in ToMi's format, with the truth from a simulator that shares nothing with the mind: it keeps, for every event, the set
of people present, and answers by filtering the list of events person by person.

``python -m evaluation.tomi_generate --count 500 --seed 1 --output F.jsonl``
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

NAMES = ("Oliver", "Lily", "Ella", "Noah", "Emma", "Jack", "Mia", "Liam", "Ava", "Ethan")
ROOMS = ("front yard", "kitchen", "living_room", "back_yard", "garage", "attic", "master_bedroom", "porch")
BOXES = ("blue_pantry", "green_basket", "red_box", "treasure_chest", "suitcase", "blue_bucket", "green_envelope", "bottle")
THINGS = ("grapefruit", "t-shirt", "apple", "hat", "lettuce", "melon", "jacket", "turnip")


class _Telling:
    """One story being told. ``events``: thing → list of (box, people present)."""

    def __init__(self, rng: random.Random):
        self.rng, self.lines = rng, []
        self.people = rng.sample(NAMES, rng.randint(2, 4))
        self.rooms = rng.sample(ROOMS, 2)
        self.boxes = rng.sample(BOXES, 3)
        self.things = rng.sample(THINGS, rng.randint(1, 2))
        self.where: dict[str, str] = {}
        self.at: dict[str, str] = {}
        self.events: dict[str, list[tuple[str, frozenset[str]]]] = {t: [] for t in self.things}

    def present(self, room: str) -> frozenset[str]:
        return frozenset(p for p, r in self.where.items() if r == room)

    def say(self, line: str) -> None:
        self.lines.append(f"{len(self.lines) + 1} {line}.")

    def enter(self, person: str, room: str) -> None:
        self.where[person] = room
        self.say(f"{person} entered the {room}")
        if room == self.rooms[0]:
            for thing, box in self.at.items():
                self.events[thing].append((box, self.present(room)))

    def leave(self, person: str) -> None:
        self.say(f"{person} exited the {self.where.pop(person)}")

    def put(self, thing: str, box: str, by: str | None) -> None:
        self.at[thing] = box
        self.say(f"{by} moved the {thing} to the {box}" if by else f"The {thing} is in the {box}")
        self.events[thing].append((box, self.present(self.rooms[0])))

    def distract(self) -> None:
        self.say(f"{self.rng.choice(self.people)} {self.rng.choice(('loves', 'hates', 'likes', 'dislikes'))} the {self.rng.choice(self.things + self.boxes)}")


def tell(seed: int) -> dict:
    """One story with its question and answer; ``kind`` names the question."""
    rng = random.Random(seed)
    t = _Telling(rng)
    room = t.rooms[0]
    for person in t.people[: rng.randint(1, len(t.people))]:
        t.enter(person, room)
    told_room: set[str] = set()

    def stands(box: str) -> None:
        if box not in told_room:
            told_room.add(box)
            t.say(f"The {box} is in the {room}")

    for thing in t.things:
        t.put(thing, t.boxes[0], None)
        stands(t.boxes[0])
    for _ in range(rng.randint(3, 9)):
        act = rng.random()
        inside, outside = sorted(t.present(room)), [p for p in t.people if t.where.get(p) != room]
        if act < 0.15:
            t.distract()
        elif act < 0.5 and inside:
            thing = rng.choice(t.things)
            box = rng.choice([b for b in t.boxes if b != t.at[thing]])
            t.put(thing, box, rng.choice(inside))
            stands(box)
        elif act < 0.75 and inside:
            t.leave(rng.choice(inside))
        elif outside:
            person = rng.choice(outside)
            if person in t.where:
                t.leave(person)
            t.enter(person, room if rng.random() < 0.7 else t.rooms[1])
    return _ask(t, rng)


def _last(events: list[tuple[str, frozenset[str]]], chain: tuple[str, ...]) -> str | None:
    for person in chain:
        events = [e for e in events if person in e[1]]
    return events[-1][0] if events else None


def _ask(t: _Telling, rng: random.Random) -> dict:
    thing = rng.choice(t.things)
    pairs = [(a, b) for a in t.people for b in t.people if a != b and _last(t.events[thing], (a, b))]
    singles = [(a,) for a in t.people if _last(t.events[thing], (a,))]
    if rng.random() < 0.6:  # false beliefs are rare by chance, and what the stories are for
        pairs = [c for c in pairs if _last(t.events[thing], c) != t.at[thing]] or pairs
        singles = [c for c in singles if _last(t.events[thing], c) != t.at[thing]] or singles
    kind = rng.choice(["really", "beginning", "first", "second", "second"])
    if kind == "first" and singles:
        chain = rng.choice(singles)
        question, answer = f"Where will {chain[0]} look for the {thing}?", _last(t.events[thing], chain)
    elif kind == "second" and pairs:
        chain = rng.choice(pairs)
        question, answer = f"Where does {chain[0]} think that {chain[1]} searches for the {thing}?", _last(t.events[thing], chain)
    elif kind == "beginning":
        question, answer = f"Where was the {thing} at the beginning?", t.events[thing][0][0]
    else:
        kind, question, answer = "really", f"Where is the {thing} really?", t.at[thing]
    return {"story": "\n".join(t.lines), "question": question, "answer": answer, "kind": kind}


def stories(seed: int, count: int) -> Iterator[dict]:
    return (tell(seed * 1_000_003 + k) for k in range(count))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    temporary = args.output.with_name(f".{args.output.name}.part")
    temporary.write_text("".join(json.dumps(s) + "\n" for s in stories(args.seed, args.count)), encoding="utf-8")
    os.replace(temporary, args.output)


if __name__ == "__main__":
    main()

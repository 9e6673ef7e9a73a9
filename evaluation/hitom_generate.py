"""Own stories in Hi-ToM's format, orders zero to four, with the truth from a simulator that shares nothing with the mind: it replays
the story once for every chain of thinkers, each person in it hearing and seeing only their share of what the one before let through.

``python -m evaluation.hitom_generate --count 500 --seed 1 --output F.json``
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from evaluation.choice_report import write_json

NAMES = ("Isla", "Ella", "Noah", "Ethan", "Emma", "Owen", "Mila", "Lucas", "Chloe", "Jackson", "Avery", "Hannah")
ROOMS = ("kitchen", "garden", "den", "cellar", "study", "playroom", "hallway")
BOXES = ("red_box", "blue_box", "green_bucket", "blue_crate", "red_basket", "green_envelope", "blue_pantry", "red_drawer", "green_cupboard",
         "blue_container", "red_bottle", "green_treasure_chest", "blue_suitcase", "red_bathtub", "green_crate")
THINGS = ("lettuce", "onion", "melon", "peach", "carrot", "spinach", "grapes", "pear")


def _chapter(rng: random.Random, people: list[str], room: str, thing: str, lines: list[str], events: list[tuple]) -> None:
    """Everybody enters; one after another moves the thing (or does not) and leaves; some stay."""
    boxes = rng.sample(BOXES, 5)
    lines.append(f"{', '.join(people[:-1])} and {people[-1]} entered the {room}")
    inside = set(people)
    lines.append(f"The {thing} is in the {boxes[0]}")
    events.append(("at", thing, boxes[0], frozenset(inside)))
    at = boxes[0]
    order = list(people)
    if rng.random() < 0.4:
        rng.shuffle(order)
    for person in order[: rng.randint(max(1, len(order) - 1), len(order))]:
        if rng.random() < 0.6:
            at = rng.choice([b for b in boxes if b != at])
            lines.append(f"{person} moved the {thing} to the {at}")
            events.append(("at", thing, at, frozenset(inside)))
        else:
            lines.append(f"{person} made no movements and stayed in the {room} for 1 minute")
        if rng.random() < 0.2:
            lines.append(rng.choice((f"{rng.choice(people)} lost his watch", f"{rng.choice(people)} saw a monkey",
                                     f"{rng.choice(people)} likes the {rng.choice(boxes)}")))
        lines.append(f"{person} exited the {room}")
        inside.discard(person)
        events.append(("left", thing, person))
    lines.append(f"{', '.join(people[:-1])} and {people[-1]} entered the waiting_room")


def _claims(rng: random.Random, people: list[str], thing: str, lines: list[str], events: list[tuple]) -> None:
    for _ in range(rng.randint(1, 3)):
        speaker, box = rng.choice(people), rng.choice(BOXES)
        if rng.random() < 0.5:
            lines.append(f"{speaker} publicly claimed that {thing} is in the {box} now")
            events.append(("said", thing, box, speaker, frozenset(people)))
        else:
            hearer = rng.choice([p for p in people if p != speaker])
            lines.append(f"{speaker} privately told {hearer} that the {thing} is in the {box} now")
            events.append(("said", thing, box, speaker, frozenset((speaker, hearer))))


def _replay(events: list[tuple], chain: list[str], thing: str) -> str | None:
    """Where the innermost thinker of ``chain`` has the thing, everybody in it letting through only what they witnessed."""
    events = [e for e in events if e[1] == thing]
    exits = [e[2] for e in events if e[0] == "left"]
    shared = [e for e in events if e[0] != "left" and all(p in e[-1] for p in chain)]
    mind = None
    for event in shared:
        if event[0] == "at" or not chain:
            mind = event[2] if event[0] == "at" else mind
            continue
        speaker, thinker = event[3], chain[-1]
        rank = {p: exits.index(p) if p in exits else len(exits) for p in (speaker, thinker)}
        if speaker != thinker and rank[thinker] < rank[speaker]:
            mind = event[2]
    return mind


def tell(seed: int) -> dict:
    """One story, question, choices and answer."""
    rng = random.Random(seed)
    people = rng.sample(NAMES, 5)
    lines: list[str] = []
    events: list[tuple] = []
    deception = rng.random() < 0.5
    chapters = list(zip(rng.sample(ROOMS, 3), rng.sample(THINGS, 3)))[: rng.randint(1, 3)]
    for room, thing in chapters:
        some = rng.sample(people, 4) if rng.random() < 0.4 else list(people)
        _chapter(rng, some, room, thing, lines, events)
        if deception:
            _claims(rng, some, thing, lines, events)
    thing = rng.choice(chapters)[1]
    order = rng.randint(0, 4)
    seen = sorted({p for e in events if e[1] == thing and e[0] == "at" for p in e[3]})
    chain: list[str] = []
    while len(chain) < order:
        chain.append(rng.choice([p for p in seen if not chain or p != chain[-1]]))
    answer = _replay(events, chain, thing)
    links = " thinks ".join(chain[1:])
    question = (f"Where is the {thing} really?" if order == 0 else f"Where does {chain[0]} really think the {thing} is?" if order == 1
                else f"Where does {chain[0]} think {links} thinks the {thing} is?")
    options = sorted({b for b in BOXES if any(b in line for line in lines)})
    choices = ", ".join(f"{chr(65 + k)}. {b}" for k, b in enumerate(options))
    return {"deception": deception, "question_order": order, "story": "\n".join(f"{k + 1} {s}." for k, s in enumerate(lines)),
            "question": question, "choices": choices, "answer": answer}


def stories(seed: int, count: int) -> dict:
    return {"data": [tell(seed * 1_000_003 + k) for k in range(count)]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    write_json(args.output, stories(args.seed, args.count))


if __name__ == "__main__":
    main()

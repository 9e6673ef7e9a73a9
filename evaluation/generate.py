"""Questions about minds from lived episodes, by the procedure of MMToM-QA, appendix C.7, and harder ones of our own.

An ideal observer knows what the person had seen before each act. A hypothesis is ruled out when it contradicts that; a question pairs one that
stands with one that is ruled out. Only facts are asked about that line of sight and the plain rule "what is in the open in a room one has been in
is seen" agree on, so that the text alone decides. Types 1.1–2.4 are numbered as in the paper's figure 2.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from evaluation.embedded_people import homes
from evaluation.generate_episodes import Deed, Errand, errand
from evaluation.generate_text import Told, conduct_text, home_text
from evaluation.generate_types import CLASSIC, MAKERS, Question, Type, View
from household import classes
from household.actions import Verb
from household.classes import class_of


def generate(seed: int, count: int, types: tuple[Type, ...] = CLASSIC) -> Iterator[dict]:
    """``count`` items in the form of the benchmark's lines, shared evenly among the types. Deterministic. Raises ValueError when a type cannot be had."""
    quota = {t: count // len(types) + (n < count % len(types)) for n, t in enumerate(types)}
    number = barren = 0
    while any(quota.values()):
        wanted = [t for t in types if quota[t]]
        found = next(_questions(seed, number, wanted), None)
        number += 1
        barren = 0 if found else barren + 1
        if barren > 400:
            raise ValueError(f"no question of type {', '.join(t.value for t in wanted)} in {barren} episodes; ask for fewer types")
        if found:
            quota[found[0]] -= 1
            yield found[1]


def _questions(seed: int, number: int, wanted: list[Type]) -> Iterator[tuple[Type, dict]]:
    """At most one question of each episode."""
    rng = random.Random(f"{seed}/{number}")
    setup = _setup(rng.choice(wanted))
    try:
        lived = errand(rng.choice(homes()), seed * 100_003 + number, people=setup[0], goals=setup[1])
    except ValueError:
        return  # this draw of things fits into no layout; the next number is tried
    views = list(_views(lived, next(iter(lived.start_room)), rng))
    rng.shuffle(views)
    for kind in rng.sample(wanted, len(wanted)):
        for view in views if _setup(kind) == setup else ():
            question = MAKERS[kind](view)
            if question is not None:
                yield kind, _item(view, question, number)
                return


def _setup(kind: Type) -> tuple[int, int]:
    """How many people and how many things to get, one after another, an episode for this type has."""
    return (2, 1) if kind is Type.TWO_PEOPLE else (1, 2) if kind is Type.SWITCH else (1, 1)


def _views(lived: Errand, actor: str, rng: random.Random) -> Iterator[View]:
    rooms = {r.id: r.cls for r in lived.home.rooms}
    places = {f.id: rooms[f.room] for f in lived.home.furniture
              if class_of(f.id) in classes.CLASSES and classes.get(class_of(f.id)).is_place and (f.heights or classes.get(class_of(f.id)).opens)}
    contents: dict[str, dict[str, int]] = {}
    for t, at in lived.at.items():
        if at in places:
            contents.setdefault(at, {})[class_of(t)] = contents.get(at, {}).get(class_of(t), 0) + 1
    deeds = _tidied(lived.of(actor), places)
    if len(set(rooms.values())) != len(rooms) or any(d.verb in (Verb.PUTIN, Verb.PUTON) for d in deeds):
        return  # two rooms of one kind could not be told apart in words
    for k in range(len(deeds)):
        yield View(lived, actor, deeds, k, contents, places, rng)


def _tidied(deeds: tuple[Deed, ...], places: dict[str, str]) -> tuple[Deed, ...]:
    """Without walks that came to nothing: to something that is no place, or given up before anything was done there."""
    out: list[Deed] = []
    for d in deeds:
        if d.verb is Verb.WALKTOWARDS and d.target not in places:
            continue
        if out and d.verb is Verb.WALKTOWARDS and out[-1].verb is Verb.WALKTOWARDS and out[-1].target == d.target:
            continue
        out.append(d)
    return tuple(out)


def _item(view: View, q: Question, number: int) -> dict:
    """The question as one line of the benchmark's format; ``goal``, ``home`` and ``closeness`` are the ground truth beside it."""
    writer = view.rng.randrange(3)
    names = {p.id: p.name for p in view.errand.home.people}
    room_cls = {r.id: r.cls for r in view.errand.home.rooms}
    told = [Told(names[d.actor], d.verb, room_cls.get(d.target, d.target)) for d in _until(view)]
    if q.about:
        told.append(Told(names[view.actor], Verb.OPEN, view.deed.target, about_to=True))
    start = {names[p]: room_cls[r] for p, r in view.errand.start_room.items()}
    rooms = list(dict.fromkeys(room_cls.values()))
    view.rng.shuffle(rooms)
    ask = q.ask[0].upper() + q.ask[1:] if not q.given else f"{q.given}, {q.ask}"
    letters = "abcdefghijklmnop"
    options = " ".join(f"({letters[n]}) {text}" for n, text in enumerate(q.options))
    text = (f"What's inside the apartment: {home_text(rooms, view.places, view.contents, writer, view.rng)}\n"
            f"Actions taken by {names[view.actor]}: {conduct_text(told, start, view.places, writer, view.rng)}\nQuestion: {ask} {options}")
    ticks = int(view.deed.time / 0.4)
    return {"question": text, "answer": letters[q.truth], "question_type": q.type.value, "episode": number, "start_time": 0, "end_time": ticks,
            "goal": view.deed.goal.targets[0], "home": view.errand.home.name, "seed": view.errand.seed, "writer": writer,
            "people": len(start), "goals": 2 if q.type is Type.SWITCH else 1, "closeness": [list(c) for c in view.errand.closeness[:ticks + 1]]}


def _until(view: View) -> list[Deed]:
    """Everybody's acts up to the asked moment, in the order of time; the second person's only as far as they moved nothing."""
    own = list(view.deeds[:view.k + 1])
    others = [d for d in view.errand.deeds if d.actor != view.actor and d.time < view.deed.time
              and (d.verb is Verb.ENTER or (d.verb in (Verb.WALKTOWARDS, Verb.OPEN, Verb.CLOSE) and d.target in view.places))]
    return sorted(own + others, key=lambda d: d.time) if others else own

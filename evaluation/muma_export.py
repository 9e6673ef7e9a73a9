"""The project's own two-person episodes as questions in MuMA-ToM's form, beside their visual data.

Episodes in which somebody is asked and answers (truly or not, and not by mistake: the questions assume a speaker who knows) become four
questions: what the speaker believed, most and least likely, and what they meant by it, most and least likely.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from evaluation.choice_report import write_json
from evaluation.social_generate import Episode, Family, Watching, episodes, words_of
from evaluation.visual_data_export import export
from household import classes
from household.speech import ActKind
from mind.dialogue import DialogueContext, interpret

ASKABLE = (Family.TELLS, Family.LIES)
FOLLOW = 90.0  # seconds of the search after the answer


def write(folder: str | Path, seed: int, count: int, every: float = 2.0, progress: Callable[[int], None] = lambda k: None) -> int:
    """``count`` episodes under ``folder``: ``questions.json`` and ``visual_data/``. Returns how many were written."""
    folder, questions = Path(folder), {}
    for played in episodes(seed, count, Watching(follow=FOLLOW), ASKABLE):
        row = ask(played)
        if row is None:
            continue
        name = f"{played.seed}"
        export(played.stream[played.met:], name, folder / "visual_data", (played.first, played.second), every)
        questions[name] = row
        progress(len(questions))
    write_json(folder / "questions.json", questions)
    return len(questions)


def ask(played: Episode) -> dict | None:
    """The four questions of an episode; None where nobody names a place in a way that can be read."""
    asker, speaker = played.first.capitalize(), played.second.capitalize()
    said = words_of(played)
    question = next((u for u in said if u.speaker == played.first), None)
    answer = next((u for u in said if u.speaker == played.second), None)
    if question is None or answer is None:
        return None
    graph = played.stream[-1].graph
    act = interpret(answer, DialogueContext(graph))[0]
    if act.kind is not ActKind.INFORM_LOCATION or not act.understood or act.place is None:
        return None
    thing, place = classes.get(classes.class_of(played.thing)).spoken, classes.get(classes.class_of(act.place))
    room = graph.room_of(act.place)
    where = f"{'inside' if place.opens else 'on'} the {place.spoken}" + (f" in the {classes.get(room).spoken}" if room in classes.CLASSES else "")
    rng = random.Random(played.seed)
    other = rng.choice([t for t in ("banana", "candle", "towel", "vase") if t != thing])
    elsewhere = rng.choice([c for c in ("inside the dishwasher", "on the desk", "inside the wardrobe") if place.spoken not in c])
    believed = [f"When giving information, {speaker} believed that there was a {x}" for x in (f"{thing} {where}", f"{other} {where}", f"{thing} {elsewhere}")]
    meant = [f"When giving information, {speaker} has been trying to help {asker} locate the {thing}",
             f"When giving information, {speaker} has been trying to prevent {asker} from finding the {thing}",
             f"When giving information, {speaker} was indifferent towards {asker}'s goals"]
    truth = 0 if played.family is Family.TELLS else 1
    head = "Given the above interaction, "
    rows = [(f"{head}if {speaker} has been trying to help {asker} achieve their goal, which of the following statements is MOST likely?", believed, 0),
            (f"{head}if {speaker} has been trying to hinder {asker} from achieving their goal, which of the following statements is LEAST likely?", believed, 0),
            (f"{head}assuming that {speaker} knows what is {where}, which of the following statements is MOST likely?", meant, truth),
            (f"{head}assuming that {speaker} knows what is {where}, which of the following statements is LEAST likely?", meant, 1 - truth)]
    out: dict[str, dict[str, str]] = {"questions": {}, "answers": {}}
    for k, (text, options, right) in enumerate(rows, 1):
        order = rng.sample(range(3), 3)
        lines = [f"{'ABC'[i]}) {options[o]}" for i, o in enumerate(order)]
        out["questions"][str(k)] = text + "\n" + "\n".join(lines)
        out["answers"][str(k)] = lines[order.index(right)]
    return {"description": f'{asker} asked, "{question.text}" {speaker} replied, "{answer.text}"', **out,
            "labels": {"1": "belief", "2": "belief", "3": "social_goal", "4": "social_goal"}}

"""A picture of a story: at its key moments what the camera saw, what each person believes about the thing that matters, and
what the robot decided. Drawn with Pillow; no display needed. A belief is coloured by where the thing truly is, and a caption says who the
stack's ids stand for, as far as the recording knows (``evaluation.demo.naming``)."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evaluation.demo.naming import TrueNames, true_names
from evaluation.demo.overlay import Marker, markers
from evaluation.demo.recording import Recording
from evaluation.demo.timeline import Line, describe
from household.actions import Verb
from household.scene_graph import ELSEWHERE, ROBOT
from planner import words
from planner.acts import FactKind, HelpKind
from planner.symbols import Layer

PANEL, GAP, MARGIN = 520, 22, 28
PICTURE = (PANEL, PANEL * 3 // 4)
BACK, INK, SOFT, LINE = (250, 249, 246), (30, 32, 38), (110, 112, 120), (214, 212, 206)
TRUE, FALSE, UNSURE, ACCENT = (58, 140, 96), (196, 72, 60), (206, 202, 194), (44, 92, 160)
_LATELY = 5.0  # s before the end: the robot may just be looking round
_KEY_VERBS = (Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.PICK, Verb.GIVE)


@dataclass(frozen=True)
class Moment:
    """``stamp``: of the picture. ``title``: what happens. ``decided``: whether the robot decides here."""

    stamp: float
    title: str
    decided: bool = False


def font(size: int, bold: bool = False):
    return ImageFont.load_default(size)


def key_object(rec: Recording) -> str | None:
    """The thing the story turns on: of the first helping decision, else of the strongest false belief, else the most handled."""
    for d in rec.decisions:
        if d.act.kind is not HelpKind.NOTHING and d.act.object:
            return d.act.object
    false = [(f.probability, f.object) for m in rec.minds for p in m.people.values() for f in p.false_beliefs]
    if false and max(false)[0] >= 0.5:
        return max(false)[1]
    handled = [e.target for e in rec.events if e.verb in _KEY_VERBS and e.target]
    return max(sorted(set(handled)), key=handled.count) if handled else None


def last_look(rec: Recording) -> float:
    """The last stamp at which somebody is in sight, when it is of the last ``_LATELY`` seconds; else the last of all (0 of an empty recording)."""
    end = rec.graphs[-1].stamp if rec.graphs else 0.0
    return next((g.stamp for g in reversed(rec.graphs) if end - g.stamp <= _LATELY and any(p.visible for p in g.people())), end)


def upshot(rec: Recording) -> Moment:
    """What came of the robot's last word on where a thing is: whom it told goes there, or has it. Else how it looks at the end."""
    for d in reversed(rec.decisions):
        fact = d.act.fact
        if fact is not None and fact.kind is FactKind.AT:
            came = next((e for e in rec.events if e.actor == d.act.person and e.start >= d.stamp and e.verb in (Verb.OPEN, Verb.PICK)
                         and e.target in (fact.place, fact.object)), None)
            if came is not None:
                when = came.start if came.end is None else came.end
                return Moment(when, describe(came, rec.graph_at(when)))
            break
    return Moment(last_look(rec), "At the end")


def moments(rec: Recording, thing: str | None, limit: int = 6) -> list[Moment]:
    """The moments worth a picture, in time order."""
    found: list[tuple[int, Moment]] = []  # (rank, moment): lower ranks are kept first
    for e in rec.events:
        graph = rec.graph_at(e.start if e.end is None else e.end)
        when = e.start if e.end is None else e.end
        if e.verb in _KEY_VERBS and (thing is None or e.target == thing):
            found.append((1 if e.verb is not Verb.PICK else 4, Moment(when, describe(e, graph))))
        elif e.verb in (Verb.ENTER, Verb.LEAVE) and e.actor != ROBOT:
            found.append((3, Moment(when, describe(e, graph))))
    for d in rec.decisions:
        if d.act.kind is not HelpKind.NOTHING:
            found.append((0, Moment(d.stamp, "The robot decides: " + (d.words.get(Layer.DECISION) or d.act.key), True)))
    for u in rec.utterances:
        who = "Robot" if u.speaker == ROBOT else words.person(u.speaker)
        found.append((2, Moment(u.stamp, f"{who}: “{u.text}”", u.speaker == ROBOT)))
    found.append((2, upshot(rec)))
    kept: list[Moment] = []
    for _, moment in sorted(found, key=lambda f: (f[0], f[1].stamp)):
        if len(kept) < limit and all(abs(moment.stamp - k.stamp) > 1.0 for k in kept):
            kept.append(moment)
    return sorted(kept, key=lambda k: k.stamp)


def draw(rec: Recording, path: Path, *, title: str, subtitle: str = "", limit: int = 6) -> None:
    """Write a PNG. Raises OSError when it cannot be written."""
    thing = key_object(rec)
    chosen = moments(rec, thing, limit)
    people = sorted({p for m in rec.minds for p in m.people})
    names = true_names(rec)
    if legend := names.legend([*people, *([thing] if thing else [])], max((m.stamp for m in chosen), default=0.0)):
        subtitle = f"{subtitle}   ({legend})"
    columns = min(3, max(1, len(chosen)))
    rows = -(-len(chosen) // columns)
    belief_height = 30 + 46 * (len(people) + 1) if thing else 0
    panel_height = PICTURE[1] + 66 + belief_height
    layers = _decision_text(rec)
    foot = 34 + 26 * len(layers) if layers else 0
    width = 2 * MARGIN + columns * PANEL + (columns - 1) * GAP
    height = MARGIN + 84 + rows * (panel_height + GAP) + foot + MARGIN
    canvas = Image.new("RGB", (width, height), BACK)
    pen = ImageDraw.Draw(canvas)
    pen.text((MARGIN, MARGIN - 4), title, INK, font(34))
    pen.text((MARGIN, MARGIN + 40), subtitle, SOFT, font(19))
    for i, moment in enumerate(chosen):
        x = MARGIN + (i % columns) * (PANEL + GAP)
        y = MARGIN + 84 + (i // columns) * (panel_height + GAP)
        _panel(canvas, pen, rec, names, moment, thing, people, x, y)
    y = height - MARGIN - foot
    if layers:
        pen.text((MARGIN, y), "The robot's decision, layer by layer", INK, font(21))
        for k, text in enumerate(layers):
            pen.text((MARGIN, y + 32 + 26 * k), text, SOFT, font(17))
    canvas.save(path)


def _decision_text(rec: Recording) -> list[str]:
    helping = [d for d in rec.decisions if d.act.kind is not HelpKind.NOTHING]
    if not helping:
        return ["The robot stayed silent: nobody needed help."] if rec.decisions else []
    return [line if len(line) < 190 else line[:187] + "…" for line in helping[0].text().splitlines()]


def _panel(canvas: Image.Image, pen: ImageDraw.ImageDraw, rec: Recording, names: TrueNames, moment: Moment, thing, people, x: int, y: int) -> None:
    picture = rec.color_at(moment.stamp)
    if picture is None:
        pen.rectangle((x, y, x + PICTURE[0], y + PICTURE[1]), fill=UNSURE)
        pen.text((x + 20, y + 20), "no picture recorded", SOFT, font(18))
    else:
        scale = PICTURE[0] / picture.shape[1]
        canvas.paste(Image.fromarray(np.ascontiguousarray(picture)).resize(PICTURE, Image.Resampling.LANCZOS), (x, y))
        for mark in markers(rec, moment.stamp, {thing, *people} - {None}):
            _mark(pen, mark, x, y, scale)
    pen.rectangle((x, y, x + PICTURE[0], y + PICTURE[1]), outline=ACCENT if moment.decided else LINE, width=4 if moment.decided else 1)
    text = textwrap.wrap(f"{moment.stamp:.1f} s   {moment.title}", 52)[:2]
    for k, row in enumerate(text):
        pen.text((x, y + PICTURE[1] + 8 + 25 * k), row, ACCENT if moment.decided else INK, font(20))
    if thing:
        _beliefs(pen, rec, names, moment.stamp, thing, people, x, y + PICTURE[1] + 66)


def _mark(pen: ImageDraw.ImageDraw, mark: Marker, x: int, y: int, scale: float) -> None:
    left, top, right, bottom = (round(v * scale) for v in mark.box)
    left, right = max(0, left), min(PICTURE[0] - 1, right)
    top, bottom = max(0, top), min(PICTURE[1] - 1, bottom)
    if right - left < 3 or bottom - top < 3:
        return
    pen.rectangle((x + left, y + top, x + right, y + bottom), outline=(255, 255, 255), width=2)
    words_size = pen.textlength(mark.text, font(15))
    start = x + max(0, min(left, PICTURE[0] - 9 - words_size))  # within the picture
    pen.rectangle((start, y + max(0, top - 20), start + words_size + 8, y + max(20, top)), fill=(20, 22, 28))
    pen.text((start + 4, y + max(0, top - 19)), mark.text, (255, 255, 255), font(15))


def _beliefs(pen: ImageDraw.ImageDraw, rec: Recording, names: TrueNames, stamp: float, thing: str, people, x: int, y: int) -> None:
    minds, graph = rec.minds_at(stamp), rec.graph_at(stamp)
    pen.text((x, y), f"Where is {words.thing(thing, graph)}?", SOFT, font(17))
    if minds is None:
        return
    robot = minds.robot.get(thing, {})
    actual = _true_place(rec, names, thing, stamp) or (max(robot, key=robot.get) if robot else None)
    rows = [(words.person(p), minds.people[p].beliefs.get(thing, {}) if p in minds.people else {}) for p in people]
    for k, (name, marginal) in enumerate([*rows, ("Robot", robot)]):
        top = y + 28 + 46 * k
        pen.text((x, top + 5), name, INK, font(18))
        true = {p for p in marginal if p == actual or (names.known and names.of(p, stamp) == actual)}
        _bar(pen, marginal, true, graph, x + 84, top, PANEL - 84)


def _true_place(rec: Recording, names: TrueNames, thing: str, stamp: float) -> str | None:
    """The simulator's name of the place of what ``thing`` stands for; None when the recording does not say."""
    frame = min(rec.truth, key=lambda f: abs(f["stamp"] - stamp), default=None)
    return None if frame is None or not names.known else frame["things"].get(names.of(thing, stamp))


def _bar(pen: ImageDraw.ImageDraw, marginal, true: set[str], graph, x: int, y: int, width: int) -> None:
    pen.rectangle((x, y, x + width, y + 32), fill=(236, 234, 228))
    left = float(x)
    for place, p in sorted(marginal.items(), key=lambda kv: -kv[1])[:3]:
        size = p * width
        if size < 3:
            continue
        color = UNSURE if place == ELSEWHERE or p < 0.25 else TRUE if place in true else FALSE
        pen.rectangle((left, y, left + size - 2, y + 32), fill=color)
        label = ("?" if place == ELSEWHERE else words.at(place, graph)) + f"  {p:.2f}"
        if pen.textlength(label, font(16)) < size - 8:
            pen.text((left + 6, y + 6), label, INK if color == UNSURE else (255, 255, 255), font(16))
        left += size


def lines_file(lines: list[Line], path: Path) -> None:
    path.write_text("\n".join(map(str, lines)) + "\n", encoding="utf-8")

"""Scores a run of perception against the truth recorded beside it.

Entities are matched by class and place, never by name. What is asked: are the positions right, the relations, open and closed, the events and
their times, who could see what; does identity hold; does perception invent things. Each function is a pure function of a Run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from evaluation.perception_run import Run, TruthFrame
from household import classes
from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT, Openness, RelationKind, SceneGraph, Tracking

CONTAINER_PIXELS = 150  # as with a container's open and closed
SEEN_PIXELS = 12  # an object smaller than this in the image is not asked for
AJAR, WIDE = 0.05, 0.7  # how far open a container is that is no longer shut; and is open
NEAR = 0.35  # m within which a tracked thing can be a true one
_PERSON = 0.6  # m within which somebody tracked can be somebody true
VERBS = (Verb.PICK, Verb.PUTON, Verb.PUTIN, Verb.OPEN, Verb.CLOSE, Verb.ENTER, Verb.LEAVE, Verb.GIVE)
TOLERANCE = 0.5  # s
SURE = 0.5  # confidence from which an event is more likely than not
_ABOUT = 3.0  # s before and after an event in which its thing, or who did it, may show


@dataclass
class Tally:
    """Counts of right, invented and missed answers."""

    hit: int = 0
    false: int = 0
    missed: int = 0

    def add(self, said: Iterable, true: Iterable) -> None:
        said, true = set(said), set(true)
        self.hit += len(said & true)
        self.false += len(said - true)
        self.missed += len(true - said)

    def merge(self, other: "Tally") -> None:
        self.hit, self.false, self.missed = self.hit + other.hit, self.false + other.false, self.missed + other.missed

    def scores(self) -> dict[str, float | int | None]:
        p = self.hit / (self.hit + self.false) if self.hit + self.false else None
        r = self.hit / (self.hit + self.missed) if self.hit + self.missed else None
        f = None if p is None or r is None else 0.0 if p + r == 0 else 2 * p * r / (p + r)
        return {"precision": p, "recall": r, "f1": f, "count": self.hit + self.missed}


@dataclass
class Score:
    """Everything counted over one or more runs; :meth:`summary` makes the numbers. ``witnesses_in_view``: of those whom the robot saw at the time.
    ``beyond_sight``: events told or missed whose object hardly showed in the picture about their time (:func:`showed`); they are among
    ``events``, which holds all that was told; ``sure``: what was told with a confidence of ``SURE`` or more."""

    relations: dict[str, Tally] = field(default_factory=dict)
    events: Tally = field(default_factory=Tally)
    sure: Tally = field(default_factory=Tally)
    by_verb: dict[str, Tally] = field(default_factory=dict)
    remembered: list[bool] = field(default_factory=list)
    openness: list[bool] = field(default_factory=list)
    openness_changes: Tally = field(default_factory=Tally)
    object_error: list[float] = field(default_factory=list)
    person_error: list[float] = field(default_factory=list)
    facing_error: list[float] = field(default_factory=list)
    visibility: list[bool] = field(default_factory=list)
    witnesses: list[bool] = field(default_factory=list)
    witnesses_in_view: list[bool] = field(default_factory=list)
    beyond_sight: Tally = field(default_factory=Tally)
    time_error: list[float] = field(default_factory=list)
    switches: int = 0
    ghosts: int = 0
    minutes: float = 0.0
    ms: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)

    def summary(self) -> dict:
        def median(values: Sequence[float]) -> float | None:
            return float(np.median(values)) if len(values) else None

        def share(values: Sequence[bool]) -> float | None:
            return float(np.mean(values)) if len(values) else None

        minutes, changes = max(self.minutes, 1e-9), self.openness_changes.hit + self.openness_changes.false
        return {
            "relations": {k: v.scores() for k, v in sorted(self.relations.items())},
            "remembered_place_accuracy": share(self.remembered), "open_closed_accuracy": share(self.openness),
            "open_closed_changes": changes, "open_closed_false_changes": self.openness_changes.false / changes if changes else None,
            "object_position_median_m": median(self.object_error), "person_position_median_m": median(self.person_error),
            "facing_median_deg": median(self.facing_error), "event_f1": self.events.scores()["f1"], "events": self.events.scores(),
            "events_by_verb": {k: v.scores() for k, v in sorted(self.by_verb.items())},
            "event_f1_sure": self.sure.scores()["f1"], "events_sure": self.sure.scores(),
            "event_time_error_median_s": median(self.time_error), "visibility_accuracy": share(self.visibility),
            "witness_accuracy": share(self.witnesses), "witness_in_view_accuracy": share(self.witnesses_in_view),
            "witness_count": len(self.witnesses), "events_beyond_sight": self.beyond_sight.hit + self.beyond_sight.missed,
            "events_beyond_sight_told": self.beyond_sight.hit, "id_switches_per_min": self.switches / minutes,
            "ghosts_per_min": self.ghosts / minutes, "minutes": self.minutes,
            "ms": {"frame_p50": median(self.ms), "frame_p95": float(np.percentile(self.ms, 95)) if self.ms else None,
                   **{k: median(v) for k, v in self.stages.items() if k != "end"}}}


@dataclass(frozen=True)
class Names:
    """Graph id → true id at one frame."""

    things: Mapping[str, str]
    places: Mapping[str, str]
    people: Mapping[str, str]

    def true(self, name: str | None) -> str | None:
        return self.things.get(name or "") or self.places.get(name or "") or name


def score(run: Run, total: Score | None = None) -> Score:
    """Counts of this run added to ``total``."""
    total = total or Score()
    names = [match(run, t, g) for t, g in zip(run.truth, run.graphs)]
    for truth, graph, name in zip(run.truth, run.graphs, names):
        _positions(run, truth, graph, name, total)
        _relations(run, truth, graph, name, total)
        _openness(truth, graph, name, total)
        _visibility(truth, graph, name, total)
    _changes(run, names, total)
    _identity(run, names, total)
    _events(run, names, total)
    sure = Score()
    _events(run, names, sure, SURE)
    total.sure.merge(sure.events)
    total.ms += run.ms
    for stage, values in run.stages.items():
        total.stages.setdefault(stage, []).extend(values)
    if run.truth:
        total.minutes += (run.truth[-1].stamp - run.truth[0].stamp) / 60
    return total


def match(run: Run, truth: TruthFrame, graph: SceneGraph) -> Names:
    """By class and nearness (Hungarian)."""
    things: dict[str, str] = {}
    for cls in {e.cls for e in graph.objects()}:
        mine = [e for e in graph.objects() if e.cls == cls]
        true = [(n, t) for n, t in truth.things.items() if t[0] == cls]
        things |= _pairs(mine, [(n, t[1]) for n, t in true], 1.2)
    places: dict[str, str] = {}
    for cls in {e.cls for e in graph.places()}:
        mine = [e for e in graph.places() if e.cls == cls]
        true = [(f.id, (f.position[0], f.position[1], f.position[2] + f.size[2] / 2)) for f in run.home.furniture if f.cls == cls]
        places |= _pairs(mine, true, 0.7)
    return Names(things, places, _people(truth, graph))


def _pairs(mine: list, true: list[tuple[str, tuple]], limit: float, at: Callable = lambda e: e.position) -> dict[str, str]:
    if not mine or not true:
        return {}
    cost = np.array([[np.linalg.norm(np.subtract(at(e), p)) for _, p in true] for e in mine])
    rows, columns = linear_sum_assignment(np.minimum(cost, limit + 1))
    return {mine[i].id: true[j][0] for i, j in zip(rows, columns) if cost[i, j] <= limit}


def _positions(run: Run, truth: TruthFrame, graph: SceneGraph, names: Names, total: Score) -> None:
    for e in graph.objects():
        true = names.things.get(e.id)
        if e.visible and true is not None and truth.pixels.get(true, 0) >= SEEN_PIXELS:
            total.object_error.append(float(np.linalg.norm(np.subtract(e.position, truth.things[true][1]))))
    for e in graph.people():
        if not e.visible or e.id not in names.people:
            continue
        true = truth.people[names.people[e.id]]
        total.person_error.append(float(np.hypot(e.position[0] - true[0], e.position[1] - true[1])))
        gaze = e.gaze_yaw if e.gaze_yaw is not None else e.yaw
        off = abs((gaze - true[3] + np.pi) % (2 * np.pi) - np.pi)
        total.facing_error.append(float(np.degrees(off)))


def _people(truth: TruthFrame, graph: SceneGraph) -> dict[str, str]:
    """Who of the graph is who, one to one by nearness on the floor (Hungarian), whoever is in view first; ids of the world's own stand for themselves."""
    names = {e.id: e.id for e in graph.people() if e.id in truth.people}
    for visible in (True, False):
        mine = [e for e in graph.people() if e.id not in names and e.visible is visible]
        left = [(n, p[:2]) for n, p in truth.people.items() if n not in names.values()]
        names |= _pairs(mine, left, _PERSON, lambda e: e.position[:2])
    return names


def _relations(run: Run, truth: TruthFrame, graph: SceneGraph, names: Names, total: Score) -> None:
    """Inside, on and holds of what is in view now; the place of what is remembered is scored apart."""
    surfaces = {f.id: classes.get(f.cls).kind for f in run.home.furniture}
    known = set(names.places.values())
    people = names.people
    visible = {g: t for g, t in names.things.items() if graph.entities[g].visible and truth.pixels.get(t, 0) >= SEEN_PIXELS}
    kinds = {RelationKind.INSIDE: set(), RelationKind.ON: set(), RelationKind.HOLDS: set()}
    true = {k: set() for k in kinds}
    for r in graph.relations:
        if r.kind is RelationKind.HOLDS and r.object in visible:
            kinds[r.kind].add((people.get(r.subject), visible[r.object]))
        elif r.kind in kinds and r.subject in visible:
            kinds[r.kind].add((visible[r.subject], names.places.get(r.object, r.object)))
    for t in visible.values():
        _, _, at, inside, holder = truth.things[t]
        if holder is not None and holder in truth.people:
            true[RelationKind.HOLDS].add((holder, t))
        elif at in surfaces and at in known:
            true[RelationKind.INSIDE if inside else RelationKind.ON].add((t, at))
    for kind in kinds:
        total.relations.setdefault(kind.value, Tally()).add(kinds[kind], true[kind])
    for g, t in names.things.items():
        e = graph.entities[g]
        if not e.visible and e.tracking is not Tracking.LOST and g not in visible:
            place = names.places.get(graph.place_of(g) or "", graph.place_of(g))
            total.remembered.append(place == truth.things[t][2])


def _openness(truth: TruthFrame, graph: SceneGraph, names: Names, total: Score) -> None:
    for e in graph.of_kind(classes.Kind.CONTAINER):
        true = names.places.get(e.id)
        value = truth.openness.get(true or "")
        if value is None or not e.visible or truth.pixels.get(true, 0) < CONTAINER_PIXELS or AJAR < value < WIDE:
            continue
        if e.openness is not Openness.UNKNOWN:
            total.openness.append((e.openness is Openness.OPEN) == (value >= WIDE))


def _changes(run: Run, names: list[Names], total: Score) -> None:
    """Changes between open and closed that the graph shows of containers in view: false where nothing of the kind was true within ``TOLERANCE`` of it."""
    stamps = np.array([t.stamp for t in run.truth])
    before: dict[str, Openness] = {}
    for truth, graph, name in zip(run.truth, run.graphs, names):
        for e in graph.of_kind(classes.Kind.CONTAINER):
            true = name.places.get(e.id)
            if true not in truth.openness or not e.visible or e.openness not in (Openness.OPEN, Openness.CLOSED):
                continue
            if before.get(true, e.openness) is not e.openness:
                about = [run.truth[i].openness[true] for i in np.flatnonzero(np.abs(stamps - truth.stamp) <= TOLERANCE)]
                right = max(about) > AJAR if e.openness is Openness.OPEN else min(about) < WIDE
                total.openness_changes.hit += right
                total.openness_changes.false += not right
            before[true] = e.openness


def _visibility(truth: TruthFrame, graph: SceneGraph, names: Names, total: Score) -> None:
    """Every decision "this person sees this thing or person now", for people in the robot's own view."""
    people = names.people
    for viewer, seen in graph.sees.items():
        who = people.get(viewer)
        if viewer == ROBOT or who is None or not graph.entities[viewer].visible:
            continue
        for e in graph.objects():
            true = names.things.get(e.id)
            if true is not None and e.tracking in (Tracking.VISIBLE, Tracking.HELD) and e.visible:
                total.visibility.append((e.id in seen) == (true in truth.sees[who]))
        for other, name in people.items():
            if other != viewer and graph.entities[other].visible:
                total.visibility.append((other in seen) == (name in truth.sees[who]))


def _identity(run: Run, names: list[Names], total: Score) -> None:
    """A true thing whose graph id changes is a switch; a published thing that no true one is near is a ghost."""
    last: dict[str, str] = {}
    ghosts: Counter[str] = Counter()
    for truth, graph, name in zip(run.truth, run.graphs, names):
        for g, t in name.things.items():
            e = graph.entities[g]
            close = float(np.linalg.norm(np.subtract(e.position, truth.things[t][1]))) < NEAR
            if e.visible and close:
                total.switches += t in last and last[t] != g
                last[t] = g
        for one, who in name.people.items():
            if graph.entities[one].visible:
                total.switches += who in last and last[who] != one
                last[who] = one
        for e in graph.objects():
            if e.visible and e.id not in name.things:
                ghosts[e.id] += 1
    total.ghosts += sum(1 for n in ghosts.values() if n >= 2)


def _events(run: Run, names: list[Names], total: Score, least: float = 0.0) -> None:
    """One to one: same verb, actor and target, begun within TOLERANCE of the true interval; of what was told with a confidence of ``least`` or more. Truth: what
    happened in the robot's sight; a right guess about what happened out of sight counts for nothing either way."""
    stamps = np.array([t.stamp for t in run.truth])
    said = [e for e in run.events if e.verb in VERBS and e.confidence >= least]
    true = [(t.action, ROBOT in t.seen_by) for t in run.true_events if t.action.verb in VERBS and t.action.actor != ROBOT]
    used: set[int] = set()
    for event in said:
        i = int(np.clip(np.searchsorted(stamps, event.end if event.end is not None else event.start), 0, len(stamps) - 1))
        name = names[i]
        actor = _actor(run, names, event.actor, stamps, i)
        found = [(gap(event, t), k) for k, (t, _) in enumerate(true)
                 if k not in used and t.verb is event.verb and t.actor == actor and t.target == name.true(event.target)]
        found = sorted(f for f in found if f[0] <= 2.5)
        tally = total.by_verb.setdefault(event.verb.value, Tally())
        if found and found[0][0] <= TOLERANCE:
            used.add(found[0][1])
            t, in_sight = true[found[0][1]]
            if in_sight:
                tally.hit += 1
                total.events.hit += 1
                total.time_error.append(found[0][0])
                total.beyond_sight.hit += not showed(run, t)
            _witnesses(event, t, name.people, run.graphs[int(np.argmin(np.abs(stamps - (t.end or t.start))))], total)
        elif not (found and not true[found[0][1]][1]):
            tally.false += 1
            total.events.false += 1
    for k, (t, in_sight) in enumerate(true):
        if in_sight and k not in used:
            total.by_verb.setdefault(t.verb.value, Tally()).missed += 1
            total.events.missed += 1
            total.beyond_sight.missed += not showed(run, t)


def _actor(run: Run, names: list[Names], name: str, stamps: np.ndarray, at: int) -> str:
    """Who is meant by a name: whom the graph shows there at frame ``at``, else in the frame nearest to it, within _ABOUT s, in which it does: who comes in has
    no track yet when they come in, and who has gone out no longer stands where they were last seen."""
    for k in sorted(np.flatnonzero(np.abs(stamps - stamps[at]) <= _ABOUT).tolist(), key=lambda k: abs(k - at)):
        e = run.graphs[k].entities.get(name)
        if e is not None and e.visible and (who := names[k].people.get(name)) is not None:
            return who
    return name


def showed(run: Run, event: HumanAction) -> bool:
    """Whether the camera could tell: the thing showed at least SEEN_PIXELS within _ABOUT seconds of the event, the container as many as open and
    closed are asked for while it moved, whoever entered or left within a second."""
    end = event.end if event.end is not None else event.start
    what, least, before, after = event.target, SEEN_PIXELS, _ABOUT, _ABOUT
    if event.verb in (Verb.OPEN, Verb.CLOSE):
        least, before, after = CONTAINER_PIXELS, 0.0, 0.5
    elif event.verb in (Verb.ENTER, Verb.LEAVE):
        what, before, after = event.actor, 1.0, 1.0
    return any(t.pixels.get(what or "", 0) >= least for t in run.truth if event.start - before <= t.stamp <= end + after)


def gap(said: HumanAction, true: HumanAction) -> float:
    """Seconds from when it is said to have begun to the true interval; 0 within it."""
    end = true.end if true.end is not None else true.start
    return max(0.0, true.start - said.start, said.start - end)


def _witnesses(event: HumanAction, true: HumanAction, people: Mapping[str, str | None], graph: SceneGraph, total: Score) -> None:
    """``graph``: at the time of the event."""
    for person, p in event.witnesses.items():
        who = people.get(person)
        if who in true.witnesses:
            right = (p > 0.5) == (true.witnesses[who] > 0.5)
            total.witnesses.append(right)
            if person in graph.entities and graph.entities[person].visible:
                total.witnesses_in_view.append(right)

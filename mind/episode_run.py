"""A described episode run through the filter: who saw what, act by act, with everything kept that looking back needs.

Invariant: an act that names something the described world lacks is an error with the name in it; an act that cannot be as described
(opening what is open) is carried out as well as it can be and noted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from household import classes
from household.actions import Verb
from household.goals import Goal, GoalKind
from mind import beliefs as belief_model
from mind import goals as goal_model
from mind import inference, layout as layouts
from mind.config import MindConfig
from mind.episode import Episode, EpisodeError, SymbolicAction, Thinks, WorldDescription
from mind.filter import Operation, Weigh
from mind.inference import Model, PersonState
from mind.policy import Act, ActKind
from mind.values import replace
from mind.verbs import PAUSES, PICKS, PUTS, SILENT, WALKS
from mind.visibility import Percept, by_rule, looked_at


@dataclass
class Run:
    """An episode being run. ``marks``: after each act, the state right after it was weighed, and how many operations there were then."""

    model: Model
    state: PersonState
    at: dict[int, int]  # object row → site, the truth
    rows: dict[str, list[int]]
    count: dict[int, int]
    operations: list[Operation] = field(default_factory=list)
    marks: list[tuple[PersonState, int]] = field(default_factory=list)
    after: list[tuple[PersonState, int]] = field(default_factory=list)
    deliberate: list[bool] = field(default_factory=list)
    by_goal: list[np.ndarray] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    spread: np.ndarray | None = None  # the posterior before the act being weighed

    def keep(self, result: tuple[PersonState, tuple[Operation, ...]]) -> None:
        self.state = result[0]
        self.operations += result[1]


def run_episode(episode: Episode, goals: list[Goal], config: MindConfig, predicates=()) -> Run:
    """Filter the whole episode for these goals (equally likely at first). Raises EpisodeError."""
    run = _begin(episode, goals, config, predicates)
    for i, action in enumerate(episode.actions):
        _take(run, episode.world, i, action, last=i == len(episode.actions) - 1)
    return run


def _begin(episode: Episode, goals: list[Goal], config: MindConfig, predicates) -> Run:
    world = episode.world
    rooms = list(dict.fromkeys([*world.rooms.values(), *([world.start_room] if world.start_room else ()),
                                *(r for pair in world.adjacent for r in pair)]))
    if not world.rooms:
        raise EpisodeError("the home has no places")
    sites = [layouts.Site(r, r, is_room=True, holds_objects=False) for r in rooms]
    sites += [layouts.Site(p, r, opens=p in world.openable) for p, r in world.rooms.items() if p not in rooms]
    layout = layouts.build(sites, config, adjacent=world.adjacent, distances=world.distances)
    objects, at, rows, count = _rows(world, layout, goals, predicates, episode.actions)
    try:
        space = goal_model.space(goals, [1 / len(goals)] * len(goals), layout)
    except ValueError as error:
        raise EpisodeError(str(error)) from None
    model = Model.of(layout, space, objects, config)
    closed = layout.opens.copy()
    closed[[site_of(layout, p, "standing open") for p in world.open_at_start]] = False
    here = layout.elsewhere if world.start_room is None else layout.index[world.start_room]
    uninformed = _already_known(belief_model.init(len(objects), layout.holds, config), layout, at, closed, config)
    run = Run(model, inference.start(model, uninformed, here, closed), at, rows, count)
    if world.start_room is not None:
        run.keep(inference.perceive(model, run.state, by_rule(layout, here, closed, at, config.attention)))
    return run


def _already_known(blank: belief_model.Beliefs, layout, at: dict[int, int], closed: np.ndarray, config: MindConfig) -> belief_model.Beliefs:
    """People are seldom strangers to a home: a small chance that they know where a thing is, larger where it lies in plain view (they
    may have passed it on a way that the description leaves out). Without it two unseen goals would tie exactly."""
    if not at:
        return blank
    rows, sites = np.array(list(at), dtype=int), np.array(list(at.values()), dtype=int)
    return belief_model.see(blank, rows, sites, np.where(closed[sites], config.known_hidden, config.known_in_view))


def _rows(world: WorldDescription, layout, goals, predicates, actions):
    """One belief row for each class at each place it truly is at, at least one for every class spoken of."""
    objects: dict[str, str] = {}
    at: dict[int, int] = {}
    rows: dict[str, list[int]] = {}
    count: dict[int, int] = {}

    def add(cls: str, site: int | None, number: int = 1) -> None:
        row = len(objects)
        objects[f"{cls}#{row}"] = cls
        rows.setdefault(cls, []).append(row)
        count[row] = number
        if site is not None:
            at[row] = site

    for place, held in world.contents.items():
        site = site_of(layout, place, "described contents of")
        for cls, number in (held or {}).items():
            if number > 0:
                add(cls, site, number)
    spoken = [classes.class_of(t) for g in goals if g.kind is not GoalKind.SWITCH for t in g.targets]
    spoken += [p.object for p in predicates if isinstance(p, Thinks)]
    spoken += [a.target for a in actions if a.verb in PICKS | PUTS and a.target]
    for cls in dict.fromkeys(classes.class_of(c) for c in spoken):
        if cls not in rows:
            add(cls, None)
    return objects, at, rows, count


def site_of(layout, name: str, doing: str) -> int:
    if name not in layout.index:
        raise EpisodeError(f"{doing} '{name}': no such place; known: {', '.join(layout.ids[:-1][:40])}")
    return layout.index[name]


def _take(run: Run, world: WorldDescription, i: int, action: SymbolicAction, *, last: bool) -> None:
    deeds = _deeds(run, action)
    weights = None
    for n, deed in enumerate(deeds):
        known_impossible = _mend(run, deed, action)
        if known_impossible:
            run.notes.append(f"act {i + 1}: {known_impossible}")
            if deed.kind is ActKind.WALK:
                continue
        before, run.spread = len(run.operations), run.state.posterior.alpha
        run.keep(inference.act(run.model, run.state, deed))
        weights = _said(run, before) if weights is None else weights * _said(run, before)
        final = n == len(deeds) - 1
        if final:
            _passed_by(run, action)
            run.marks.append((run.state, len(run.operations)))
        if final and (action.intended or (last and not action.arrived)):
            break
        room = run.model.layout.room[run.state.situation.site]
        run.keep(inference.consequences(run.model, run.state, deed))
        _perceive(run, deed, room)
    if len(run.marks) <= i:  # nothing to weigh
        run.marks.append((run.state, len(run.operations)))
    run.after.append((run.state, len(run.operations)))
    run.deliberate.append(bool(deeds) and deeds[-1].kind not in (ActKind.CLOSE, ActKind.PAUSE))
    run.by_goal.append(weights)


def _deeds(run: Run, action: SymbolicAction) -> list[Act]:
    """The symbolic act(s) behind one described act; going to the place first where that was left unsaid."""
    layout, state, sure = run.model.layout, run.state, action.certainty
    here = state.situation.site
    if action.verb in SILENT:
        return []
    if action.verb in PAUSES:
        return [Act(ActKind.PAUSE, here, certainty=sure)]
    if action.target is None:
        raise EpisodeError(f"'{action.verb.value}' without a target")
    target = classes.class_of(action.target) if action.target not in layout.index else action.target
    if action.verb in WALKS:
        if target in layout.index:
            return [Act(ActKind.WALK, layout.index[target], certainty=sure)]
        return [Act(ActKind.WALK, _whereabouts(run, target, action), target, certainty=sure)]
    if action.verb in PICKS | PUTS:
        site = site_of(layout, action.place, action.verb.value + " at") if action.place else \
            (_whereabouts(run, target, action) if action.verb in PICKS else here)
        deed = Act(ActKind.PICK if action.verb in PICKS else ActKind.PUT, site, target, certainty=sure)
    elif action.verb in (Verb.OPEN, Verb.CLOSE):
        deed = Act(ActKind(action.verb.value), site_of(layout, target, action.verb.value), certainty=sure)
    elif action.verb in (Verb.SWITCHON, Verb.SWITCHOFF):
        deed = Act(ActKind.SWITCH, site_of(layout, target, action.verb.value), way=action.verb.value[6:], certainty=sure)
    else:
        raise EpisodeError(f"'{action.verb.value}' says nothing that this model reads")
    if deed.site == here or (layout.is_room[deed.site] and layout.room[here] == deed.site):
        return [replace(deed, site=deed.site)]
    return [Act(ActKind.WALK, deed.site, certainty=sure), deed]


def _whereabouts(run: Run, cls: str, action: SymbolicAction) -> int:
    """Where an object that is acted on is: here if there is one here, else wherever there is one, else in this room."""
    here = run.state.situation.site
    held = [run.at[r] for r in run.rows.get(cls, ()) if r in run.at]
    if not run.rows.get(cls):
        raise EpisodeError(f"{action.verb.value} '{action.target}': neither a place nor an object of this home")
    room = run.model.layout.room[here]
    return next((s for s in held if s == here), None) or next((s for s in held if run.model.layout.room[s] == room), None) \
        or (held[0] if held else here)


def _mend(run: Run, deed: Act, action: SymbolicAction) -> str:
    """What cannot be as described is made possible; '' when nothing was wrong."""
    situation, layout = run.state.situation, run.model.layout
    name = layout.ids[deed.site]
    if deed.kind is ActKind.WALK:
        return f"walks to the {name}, where they are already" if situation.at(layout)[deed.site] else ""
    if deed.kind in (ActKind.OPEN, ActKind.CLOSE):
        wrong = bool(situation.closed[deed.site]) is not (deed.kind is ActKind.OPEN)
        if not layout.opens[deed.site] or not wrong:
            return f"{name} is nothing that opens" if not layout.opens[deed.site] else ""
        closed = situation.closed.copy()
        closed[deed.site] = deed.kind is ActKind.OPEN
        run.state = replace(run.state, situation=replace(situation, closed=closed))
        return f"{deed.kind.value}s the {name}, which is {deed.kind.value} already"
    if deed.kind is ActKind.PICK and not any(run.at.get(r) == deed.site for r in run.rows.get(deed.cls or "", ())):
        spare = [r for r in run.rows.get(deed.cls or "", ()) if r not in run.at] or list(run.rows.get(deed.cls or "", ()))
        if spare:
            run.at[spare[0]] = deed.site
        return f"takes a {deed.cls} from the {name}, where none was described"
    if deed.kind is ActKind.PUT and deed.cls not in run.state.progress.holding:
        progress = goal_model.picked(run.model.space, run.state.progress, deed.cls or "")
        run.state = replace(run.state, progress=progress)
        return f"puts down a {deed.cls} that they were not holding"
    return ""


def _perceive(run: Run, deed: Act, room_before: int) -> None:
    model, layout = run.model, run.model.layout
    situation, noticed = run.state.situation, model.config.attention
    if deed.kind is ActKind.PICK:
        row = next((r for r in run.rows.get(deed.cls or "", ()) if run.at.get(r) == deed.site), None)
        if row is not None:
            run.count[row] -= 1
            if run.count[row] <= 0:
                del run.at[row]
                nowhere = np.zeros(len(layout.ids), dtype=bool)
                nowhere[deed.site] = True
                run.keep(inference.perceive(model, run.state, looked_at(nowhere, run.at)))
    elif deed.kind is ActKind.PUT:
        row = next((r for r in run.rows.get(deed.cls or "", ()) if r not in run.at), None)
        if row is not None:
            run.at[row], run.count[row] = deed.site, 1
            run.keep(inference.perceive(model, run.state, looked_at(np.arange(len(layout.ids)) == deed.site, run.at)))
    room = layout.room[situation.site]
    if deed.kind is ActKind.WALK and room != room_before and room >= 0:
        run.keep(inference.perceive(model, run.state, by_rule(layout, room, situation.closed, run.at, noticed)))
    elif deed.kind is ActKind.OPEN:
        run.keep(inference.perceive(model, run.state, looked_at(np.arange(len(layout.ids)) == deed.site, run.at, noticed)))


def _passed_by(run: Run, action: SymbolicAction) -> None:
    """Video says what was within reach: places passed closely, and objects in the open that a person wanting them would have taken."""
    model, layout = run.model, run.model.layout
    names = set(action.nearby)
    places = [layout.index[p] for p in names if p in layout.index]
    if places and model.config.proximity_weight > 0:
        weight = np.ones((len(model.space.goals), len(layout.ids)))
        weight[:, places] = math.exp(model.config.proximity_weight)
        run.keep((replace(run.state, posterior=model.backend.step(run.state.posterior, Weigh(weight, "passing by"))),
                  (Weigh(weight, "passing by"),)))
    open_now = ~(layout.opens & run.state.situation.closed)
    seen = [(r, run.at[r]) for cls in names for r in run.rows.get(cls, ()) if r in run.at and open_now[run.at[r]]
            and layout.room[run.at[r]] == layout.room[run.state.situation.site]]
    if seen:
        percept = Percept(np.array([r for r, _ in seen]), np.array([s for _, s in seen]), np.zeros(len(layout.ids), dtype=bool),
                          model.config.attention)
        run.keep(inference.perceive(model, run.state, percept))


def _said(run: Run, before: int) -> np.ndarray:
    """P(the last act | goal, past), (G,), from the operations applied since ``before``; nan where the goal had no chance left."""
    *earlier, weigh = run.operations[before:]
    spread = run.spread
    for operation in earlier:
        spread = operation.forward(spread)
    mass = np.maximum(spread.sum(axis=(0, 2)), 1e-300)
    return (spread * weigh.likelihood).sum(axis=(0, 2)) / mass  # type: ignore[union-attr]

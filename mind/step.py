"""The online mind: scene graph, events and words in; everybody's beliefs, goals and mistakes out. Pure, in message time.

What it is built on: each person is watched by their own exact filter (``mind.inference``), the robot's own belief is one more set of beliefs whose
percepts are the graph itself, and false beliefs are where a person's convictions and the robot's belief part. When the robot cannot
see a person it does not know what they see either: their belief stays, with slowly growing doubt (``unseen_drift``).
Invariant: the same sequence of inputs gives the same sequence of outputs; nothing that perception remembers reaches a person's belief
except through what that person saw, was told, or may be presumed to have known all along (``prior_knowledge``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT, SceneGraph, Tracking
from mind import beliefs as belief_model
from mind import bearers, bodies, carrying
from mind import evidence as why
from mind import goals as goal_model
from mind import growth, hidden, people, publish, supposed, turned_up
from mind import scene as scenes
from mind import takers
from mind import tracked as tracking
from mind import walks, words
from mind.beliefs import Beliefs
from mind.config import MindConfig
from mind.evidence import Move
from mind.inference import SETTLED, Model, PersonState
from mind.layout import PersonCosts, for_person
from mind.output import Minds
from mind.scene import Registry, Scene
from mind.tracked import Tracked
from mind.values import replace
from mind.verbs import PICKS, PUTS
from mind.visibility import by_geometry
from mind.words import Heard

_LIKELY = 0.5  # where the robot itself thinks that a thing is more likely than not, nobody is taken to have found it missing


@dataclass(frozen=True)
class MindInput:
    """``events``: what perception told since the last graph, oldest first. ``acts``: speech acts heard since then."""

    graph: SceneGraph
    events: tuple[HumanAction, ...] = ()
    acts: tuple[Heard, ...] = ()


@dataclass(frozen=True)
class MindState:
    """Everything the mind carries from graph to graph. Start with ``MindState()``."""

    stamp: float = -1.0
    registry: Registry = field(default_factory=Registry)
    model: Model | None = None  # for a person of average body
    people: Mapping[str, Tracked] = field(default_factory=dict)
    robot: Beliefs | None = None
    base: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # (o, n): where somebody who knows nothing expects things
    last_where: Mapping[str, str] = field(default_factory=dict)  # object → site, as the last graph had it
    lay: Mapping[str, bearers.Spot] = field(default_factory=dict)  # object → where its middle was then, map, m
    lost_from: Mapping[str, tuple[str, float]] = field(default_factory=dict)  # object nobody can find → the site that the graph had it in before, and when it was last seen
    taken_from: Mapping[str, str] = field(default_factory=dict)  # object → the site it was last in when somebody took it
    first_known: Mapping[str, float] = field(default_factory=dict)  # object → stamp of the first graph with it, of those that were not in the very first
    unshown: tuple[HumanAction, ...] = ()  # picks told lately of things that no graph has had yet
    moves: tuple[Move, ...] = ()
    closed: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    published: publish.Published = field(default_factory=publish.Published)


def step(state: MindState, inp: MindInput, config: MindConfig = MindConfig()) -> tuple[MindState, Minds]:
    """One graph with what led up to it. Total: never raises on any graph or events; what cannot be used is ignored."""
    if inp.graph.stamp < state.stamp:  # a recording started over
        state = MindState()
    scene = scenes.read(inp.graph)
    state = _grow(state, scene, config)
    model = state.model
    if model is None:
        return replace(state, stamp=inp.graph.stamp), Minds(inp.graph.stamp)
    before, closed = state.closed, scenes.closed_now(scene, model.layout, state.closed)
    present = _present(scene, state.registry, model)
    state = replace(state, closed=closed, taken_from=carrying.origins(state.taken_from, state.last_where, scene, inp.events))
    lay = bearers.spots(inp.graph, scene.where)
    state = _borne_by_another(state, bearers.changed(state.last_where, state.lay, lay, scene, model.layout, inp.events), model)
    state = _found_again(state, scene)
    known = state.lost_from
    state = replace(state, lost_from={o: state.lost_from.get(o) or (state.last_where[o], inp.graph.entities[o].last_seen)
                                      for o in {**state.lost_from, **state.last_where} if _is_lost(inp.graph, o)})
    state = _taken_unseen(state, inp.graph, state.lost_from.keys() - known.keys())
    state = replace(state, lay=lay, robot=_robot_sees(state, scene, present, model))
    tracked = dict(state.people)
    for name in sorted(scene.people - set(tracked)):
        if name in model.layout.index:
            body = tracking.costs_of(inp.graph.entities[name])
            tracked[name] = tracking.begin(name, _model_for(model, body), scene, state.robot, state.base, closed)
    base = state.base
    moves, elapsed = list(state.moves), max(0.0, inp.graph.stamp - state.stamp) if state.stamp >= 0 else 0.0
    for event in state.unshown:
        if event.target in state.registry.objects:
            tracked.update(turned_up.known(tracked, event, inp.graph.stamp))
    state = replace(state, unshown=tuple(e for e in (*state.unshown, *inp.events) if e.verb in PICKS and e.target not in state.registry.objects
                                         and inp.graph.stamp - e.start < turned_up.NEW))
    for told in walks.together(inp.events):
        _happened(tracked, moves, told, scene, state.first_known)
    _opened_early(tracked, scene, model, before & ~closed if len(before) == len(closed) else np.zeros(0, dtype=bool), inp.events)
    robot = state.robot
    shown = {e.id for e in inp.graph.entities.values() if e.visible} | set(scene.held.get(ROBOT, ()))
    for heard in inp.acts:
        speaker = tracked.get(heard.act.speaker)
        robot = words.robot_hears(robot, model, heard, shown, None if speaker is None else speaker.state.beliefs)
        for name, t in tracked.items():
            tracked[name] = words.hear(words.speak(t, heard), heard, name in inp.graph.sees)
    doubtful = supposed.doubts(inp.graph, scene.where, state.registry.rows, robot, model.layout)
    present = present | (robot.sure > _LIKELY)  # the graph does not know what the robot was told
    for name, t in tracked.items():
        visible = _in_view(inp.graph, name)
        carried = carrying.carried(t.state.beliefs, scene, name, base, elapsed, state.taken_from, model)
        if carried is not t.state.beliefs:
            t = replace(t, state=replace(t.state, beliefs=carried))
        t = bodies.lived_on(takers.cleared(hidden.settle(t, inp.graph.stamp), scene), scene, visible)
        t = bodies.stay_in_step(bodies.forget(t, inp.graph.stamp, visible, base), scene, closed, visible)
        percept = by_geometry(inp.graph, name, state.registry.rows, scene.where, model.layout, config.attention)
        sights = supposed.looked_at(percept, doubtful)
        t = people.looks(bodies.hands(t, scene, visible), scene, percept, present, tuple(sights))
        t = supposed.weigh(t, sights, doubtful, inp.graph.stamp)
        tracked[name] = people.stands_about(t, inp.graph.stamp, visible)
    kept = tuple(moves[-why.MOVES_KEPT:]) if len(moves) > len(state.moves) else state.moves
    minds, tracked, published = publish.minds(inp.graph.stamp, tracked, robot, base, kept, model, state.taken_from, state.published, _real(inp.graph, model))
    return replace(state, stamp=inp.graph.stamp, people=tracked, robot=robot, last_where=scene.where, moves=kept, published=published), minds


def _grow(state: MindState, scene: Scene, config: MindConfig) -> MindState:
    """Rebuild layout, goals and arrays when something was seen for the first time."""
    registry, names = scenes.renamed(state.registry, scene.graph)
    if names:
        state = _renamed(state, names, scene)
    known, registry = registry.objects.keys(), scenes.register(registry, scene)
    if not registry.sites:
        return state
    if state.model is not None and registry.sites is state.registry.sites and registry.objects is state.registry.objects:
        return state if registry is state.registry else replace(state, registry=registry)
    new = () if state.model is None else registry.objects.keys() - known
    state = replace(state, first_known={**state.first_known, **dict.fromkeys(new, scene.graph.stamp)}) if new else state
    layout = scenes.build_layout(registry, config)
    space = goal_model.household_goals(registry.objects.values(), registry.devices, layout, config)
    model = Model.of(layout, space, dict(registry.objects), config)
    closed, base = scenes.closed_now(scene, layout), scenes.prior_weights(registry, layout, config)
    if state.model is None or state.robot is None:
        return replace(state, registry=registry, model=model, robot=belief_model.ignorant(base), base=base, closed=closed)
    robot = growth.beliefs(state.robot, base)
    before, grown = len(state.model.objects), {}
    called = {classes.class_of(old): classes.class_of(new) for old, new in names.items()}
    for name, t in state.people.items():
        costs = tracking.costs_of(scene.graph.entities.get(name))
        mine = _model_for(model, costs)
        handled = frozenset(c if c in model.space.classes else called.get(c, c) for c in t.handled)
        for cls in sorted(handled):
            mine = replace(mine, space=goal_model.favoured(mine.space, cls, config.handled_weight))
        last = tracking.last_there(t, state.people, scene.graph.stamp)
        looked, last_look = np.zeros(len(layout.ids), dtype=bool), np.full(len(layout.ids), -np.inf)
        looked[:len(t.looked) - 1], last_look[:len(t.looked) - 1] = t.looked[:-1], t.last_look[:-1]
        found = tracking.found_there(t, last, scene, model.objects[before:])
        larger = partial(_larger, t=t, mine=mine, base=base, closed=closed, ruled_out=t.looked & ~last, called=called, before=before, scene=scene, found=found.keys())
        acts = partial(growth.acts, old=t.model.space, new=mine.space, called=called)
        memory = replace(t.memory, acts=acts(t.memory.acts))
        grown[name] = replace(walks.grown(t, larger, acts), model=mine, state=larger(t.state), looked=looked, last_look=last_look, handled=handled,
                              memory=reduce(lambda memory, o: why.note(memory, o, found[o]), found, memory), trail=None)
    return replace(state, registry=registry, model=model, robot=robot, base=base, people=grown, closed=closed, published=publish.Published())


def _renamed(state: MindState, names: Mapping[str, str], scene: Scene) -> MindState:
    """The same things under other names: what is kept by their ids. Beliefs are kept by rows, which stay. Goals get other numbers: what was weighed
    before is not weighed anew."""
    def ids(table: Mapping) -> dict:
        return {names.get(k, k): v for k, v in table.items()}

    moves = tuple(replace(m, object=names.get(m.object, m.object)) for m in state.moves)
    people = {p: walks.final(replace(bodies.renamed(t, names, scene), wrong_since=ids(t.wrong_since), memory=why.renamed(t.memory, names)))
              for p, t in state.people.items()}
    return replace(state, last_where=ids(state.last_where), first_known=ids(state.first_known), taken_from=ids(state.taken_from), lost_from=ids(state.lost_from), moves=moves,
                   people=people)


def _found_again(state: MindState, scene: Scene) -> MindState:
    """What nobody could find shows somewhere else: who was last there since it was last seen, and thought it to be where it was, has put it there or seen it there."""
    index = state.model.layout.index
    found = {o: (old, scene.where[o], seen) for o, (old, seen) in state.lost_from.items()
             if scene.where.get(o, old) != old and scene.where[o] not in scene.people and {old, scene.where[o]} <= index.keys()}
    if not found:
        return state
    tracked = {}
    for name, t in state.people.items():
        last = tracking.last_there(t, state.people, scene.graph.stamp)
        for o, (old, new, seen) in found.items():
            if last[index[new]] and t.last_look[index[new]] > seen:
                if (moved := bearers.known_anew(t, o, old, new)) is not t:
                    t = replace(moved, memory=why.note(t.memory, o, why.saw(float(t.last_look[index[new]]), o, new)))
        tracked[name] = t
    return replace(state, people=tracked)


def _taken_unseen(state: MindState, graph: SceneGraph, lost: Collection[str]) -> MindState:
    """Things that are just found to be gone: who may have taken them is the less mistaken about them."""
    people = dict(state.people)
    for o in sorted(lost):
        old, seen = state.lost_from[o]
        if old not in graph.entities or old in people:
            continue
        for name, p in takers.chances(people, graph, o, old, seen).items():
            people[name] = takers.suspected(people[name], o, old, p)
    return replace(state, people=people) if lost else state


def _borne_by_another(state: MindState, changed: Mapping[str, tuple[str, str]], model: Model) -> MindState:
    """Things that stayed where they were, on what turned out to be another piece."""
    robot, people, index = state.robot, dict(state.people), model.layout.index
    for name, (old, new) in changed.items():
        if robot is not None and name in model.named:
            robot = bearers.beliefs(robot, model.named[name], index[old], index[new])
        people = {p: bearers.known_anew(t, name, old, new) for p, t in people.items()}
    return replace(state, robot=robot, people=people, last_where={**state.last_where, **{n: new for n, (_, new) in changed.items()}}) if changed else state


def _larger(state: PersonState, t: Tracked, mine: Model, base: np.ndarray, closed: np.ndarray, ruled_out: np.ndarray, called: Mapping[str, str], before: int,
            scene: Scene, found: Collection[str]) -> PersonState:
    """``t`` in some state of theirs, in a home with more in it. ``before``: how many things there were; ``found``: new ones that they most likely know of."""
    return _presumed(growth.person(state, t.model, mine, base, closed, ruled_out, called), before, scene, mine, found)


def _presumed(person, before: int, scene: Scene, model: Model, found: Collection[str]):
    """A thing the robot has only now found may have been known to the person all along; one of ``found`` most likely is."""
    b = person.beliefs
    sure, unsure = b.sure.copy(), b.unsure.copy()
    for i, name in enumerate(model.objects[before:], before):
        site = model.layout.index.get(scene.where.get(name, ""))
        if site is not None and b.open_to[i, site] > 0:
            known = tracking.LAST_THERE if name in found else model.config.prior_knowledge
            sure[i, site], unsure[i] = known, 1 - known
    return replace(person, beliefs=replace(b, sure=sure, unsure=unsure))


def _model_for(model: Model, costs: PersonCosts) -> Model:
    return model if costs == PersonCosts() else replace(model, layout=for_person(model.layout, costs, model.config))


def _present(scene: Scene, registry: Registry, model: Model) -> np.ndarray:
    """Bool (o, n): where the graph has each thing."""
    out = np.zeros((len(model.objects), len(model.layout.ids)), dtype=bool)
    for name, place in scene.where.items():
        if name in registry.rows and place in model.layout.index:
            out[registry.rows[name], model.layout.index[place]] = True
    return out


def _real(graph: SceneGraph, model: Model) -> np.ndarray:
    """Float (o,): how surely there is each thing, as the graph has it; a mistake of the eyes lies somewhere, too, and what is not in the graph any more turned out to be one."""
    return np.array([graph.entities[o].confidence if o in graph.entities else float(o == goal_model.UNSEEN) for o in model.objects])


def _in_view(graph: SceneGraph, person: str) -> bool:
    e = graph.entities.get(person)
    return e is not None and e.visible


def _is_lost(graph: SceneGraph, thing: str) -> bool:
    e = graph.entities.get(thing)
    return e is not None and e.tracking is Tracking.LOST


def _robot_sees(state: MindState, scene: Scene, present: np.ndarray, model: Model) -> Beliefs:
    """The robot's own belief: the graph, which remembers, and its gaps, which are known as gaps. ``present`` bool (o, n): :func:`_present`."""
    index, rows = model.layout.index, state.registry.rows
    robot = carrying.carried(state.robot, scene, ROBOT, state.base, max(0.0, scene.graph.stamp - state.stamp), state.taken_from, model)
    objects, sites, p, absent = [], [], [], []
    for name, e in scene.graph.entities.items():
        o = rows.get(name)
        if o is None:
            continue
        site = index.get(scene.where.get(name, ""))
        if e.tracking is Tracking.LOST:
            absent.append(o)
        elif site is not None and (e.visible or state.last_where.get(name) != scene.where[name]):
            if robot.sure[o, site] < 1 - SETTLED:
                objects.append(o)
                sites.append(site)
                p.append(min(0.995, max(0.5, scene.sure.get(name, 1.0))))
    percept = by_geometry(scene.graph, ROBOT, rows, scene.where, model.layout)
    missing = np.zeros(robot.sure.shape)
    if percept is not None:
        at = np.flatnonzero(percept.inspected)
        missing[:, at] = percept.absent(len(model.objects), at) & ~present[:, at]
    for o in absent:  # of other places it may have heard since
        gone = index.get(state.lost_from.get(model.objects[o], ("", 0.0))[0])
        missing[o] = np.maximum(missing[o], (robot.sure[o] > 0.01) & ((gone is None) | (np.arange(len(robot.sure[o])) == gone)))
    hands = [index[p] for p in scene.people if p in index]
    missing[np.ix_(absent, hands)] = 0.0  # what is in no hand any more was put down near by: carrying.carried
    if (missing * np.maximum(robot.sure, robot.open_to) > SETTLED).any():
        seconds = max(0.0, scene.graph.stamp - state.stamp) if state.stamp >= 0 else 0.0
        gradually = 1 - float(np.exp(-seconds / model.config.lost_seconds))  # a moment's loss is mostly somebody standing before it
        robot = belief_model.miss(robot, missing * np.where(robot.sure > 0.01, gradually, 1.0))
    if not objects:
        return robot
    return belief_model.see(robot, np.array(objects), np.array(sites), np.array(p))


def _opened_early(tracked: dict[str, Tracked], scene: Scene, model: Model, opened: np.ndarray, events: tuple[HumanAction, ...]) -> None:
    """Containers that stand open in this graph and did not in the last, without an act reported: whoever alone stands there did it."""
    told = {e.target for e in events if e.verb is Verb.OPEN}
    for i in np.flatnonzero(opened):
        name = model.layout.ids[i]
        near = [p for p, t in tracked.items() if _in_view(scene.graph, p) and (t.state.situation.site == i or t.walking == name
                                                                               or (p, name) in scene.close)]
        if name not in told and len(near) == 1:
            tracked[near[0]] = people.opens(tracked[near[0]], name, scene)


def _happened(tracked: dict[str, Tracked], moves: list[Move], told: tuple[HumanAction, ...], scene: Scene, first_known: Mapping[str, float]) -> None:
    """One event (or a walk's alternatives): the actor's act, what everybody saw of it, and the record of moves."""
    event = told[0]
    actor = tracked.get(event.actor)
    if actor is not None:
        tracked[event.actor] = hidden.follow(people.witnesses(people.acts(actor, told, scene), event, 1.0), event)
    moved = event.verb in PICKS | PUTS | {Verb.GIVE} and event.target is not None
    if not moved:
        return
    if event.verb in PICKS:
        tracked.update(turned_up.known(tracked, event, first_known.get(event.target)))
        tracked.update({name: bodies.has_left(t, event) for name, t in tracked.items() if name != event.actor})
    for name, p in event.witnesses.items():
        if name in tracked and name != event.actor:
            tracked[name] = people.witnesses(tracked[name], event, p * min(1.0, event.confidence))
    if event.verb is Verb.GIVE and event.place in tracked and event.place != event.actor:
        tracked[event.place] = people.witnesses(bodies.receives(tracked[event.place], event), event, 1.0)
    to = event.actor if event.verb in PICKS else (event.place or "")
    stamp = event.start if event.end is None else event.end
    moves.append(Move(stamp, event.actor, event.target or "", to, event.verb in PICKS, dict(event.witnesses)))

"""What watched people see and do: perceived events become their acts and percepts, graphs what they look at.

Invariant: an act is weighed once. A walk is told when its heading is clear and again when it ends; only news counts. What a person saw
reaches their belief through the graph's ``sees`` / ``inspected`` and through an event's witnesses, never because the robot knows it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.goals import GoalKind
from mind import beliefs as belief_model
from mind import evidence as why
from mind import goals as goal_model
from mind import inference, walks
from mind.beliefs import Beliefs
from mind.bodies import last_seen_in
from mind.evidence import Memory
from mind.policy import Act, ActKind
from mind.scene import Scene
from mind.tracked import Glance, Tracked
from mind.values import replace
from mind.verbs import PAUSES, PICKS, PUTS, SILENT, WALKS
from mind.visibility import Percept

ACTIVE_SECONDS = 20.0  # after so long without an act nobody is said to be searching
STALE_SECONDS = 0.2  # an end of a walk reported so long after a later act says nothing about where the person is now
ARRIVED = 0.5  # how likely a place must have been the end of a walk
EARLY_CERTAINTY = 0.9  # that whoever stands before a container that has just opened is the one who opened it


def looks(t: Tracked, scene: Scene, percept: Percept | None, present: np.ndarray | None = None, unsaid: Sequence[int] = ()) -> Tracked:
    """What the graph says this person sees right now. ``present`` bool (o, n): where the graph itself has things; there nobody can find
    them missing, at most overlook them. ``unsaid``: rows of things of which it says nothing."""
    stamp = scene.graph.stamp
    if percept is None:
        return t
    held = np.array([*(t.model.objects.index(o) for o in scene.held.get(t.person, ()) if o in t.model.objects), *unsaid], dtype=int)
    if held.size:  # what is in one's own hands is a matter of the act that took it
        others = ~np.isin(percept.objects, held)
        percept = replace(percept, objects=percept.objects[others], sites=percept.sites[others])
    before = t.state.beliefs
    result = inference.perceive(t.model, t.state, percept, held, present)
    memory = t.memory
    if result[0] is not t.state:
        memory = _remember(t, before, percept, held, present, stamp)
        t = walks.glanced(t, Glance(stamp, t.state, t.trail, result[0].beliefs, (percept, held, present)))
    here = t.looked_here or bool(percept.inspected[t.state.situation.site])
    return t.moved(result, memory=memory, last_seen=stamp, looked=t.looked | percept.inspected, looked_here=here,
                   last_look=np.where(percept.inspected, stamp, t.last_look))


def _remember(t: Tracked, before: Beliefs, percept: Percept, held: np.ndarray, present: np.ndarray | None, stamp: float) -> Memory:
    """Evidence for what this percept changed: new sightings, and expected things that were not there. ``held``: rows in their hands."""
    memory, ids, objects = t.memory, t.model.layout.ids, t.model.objects
    new = before.sure[percept.objects, percept.sites] < 0.5
    for o, s in zip(percept.objects[new], percept.sites[new]):
        memory = why.note(memory, objects[o], why.saw(stamp, objects[o], ids[s]))
    expected = before.sure > 0.25
    expected[:, ~percept.inspected] = False
    expected[percept.objects] = False
    expected[held] = False
    if present is not None:
        expected &= ~present
    for o, s in np.argwhere(expected):
        memory = why.note(memory, objects[o], why.saw_absent(stamp, objects[o], ids[s]))
    return memory


def witnesses(t: Tracked, event: HumanAction, p: float) -> Tracked:
    """This person saw (with probability p) what happened to the object of a pick, put or give."""
    layout, objects = t.model.layout, t.model.objects
    if p <= 0 or event.target not in objects or event.verb not in PICKS | PUTS | {Verb.GIVE}:
        return t
    himself = event.actor == t.person
    to = event.actor if event.verb in PICKS else event.place
    if to not in layout.index:
        return t
    o, s = objects.index(event.target), layout.index[to]
    stamp = event.start if event.end is None else event.end
    if p > 0.3:
        item = why.saw_taken(stamp, event.target, event.actor, himself) if event.verb in PICKS else \
            why.saw_put(stamp, event.target, to, event.actor, himself)
        t = replace(t, memory=why.note(t.memory, event.target, item))
    if himself and event.verb in PICKS:  # in one's own hands: nothing to look for
        return replace(t, state=replace(t.state, beliefs=belief_model.see(t.state.beliefs, np.array([o]), np.array([s]))))
    percept = Percept(np.array([o]), np.array([s]), np.zeros(len(layout.ids), dtype=bool), min(1.0, p))
    return t.moved(inference.perceive(t.model, t.state, percept))


def opens(t: Tracked, container: str, scene: Scene) -> Tracked:
    """The graph shows open what this person alone can have opened, before the act is reported: they decided on it before they saw inside."""
    stamp = scene.graph.stamp
    return replace(acts(t, (HumanAction(t.person, Verb.OPEN, container, None, t.room, stamp, stamp, EARLY_CERTAINTY),), scene), opened=container)


def acts(t: Tracked, told: Sequence[HumanAction], scene: Scene) -> Tracked:
    """The person did something: weigh it for goals and targets, and carry out what it changes. ``told``: one event, or a walk's
    alternative targets, the likeliest first (:func:`mind.walks.together`)."""
    t, told = walks.carried_on(t, told)
    event = told[0]
    if event.verb is Verb.OPEN and event.target is not None and event.target == t.opened:
        return replace(t, opened=None, last_act=event.start if event.end is None else event.end)  # weighed when the graph showed it
    stamp = event.start if event.end is None else event.end
    if event.verb in WALKS:
        if event.end is not None and event.verb is not Verb.LEAVE and event.end < t.last_deed - STALE_SECONDS:
            return replace(t, walking=None, begun=None) if t.walking == event.target else t  # told late: something else has been done since
        passing = event.verb in (Verb.ENTER, Verb.LEAVE)
        known = t.walking is not None and (passing or walks.is_known(t, told, scene.graph.stamp))
        t = replace(t, walking=event.target if event.end is None else (t.walking if passing else None),
                    acting_at=t.acting_at if passing else event.target)
        if event.verb is Verb.ENTER:
            t = replace(t, entered=stamp)
        if event.verb is Verb.LEAVE:
            deed = _deed(t, event, scene)
            return t if deed is None else last_seen_in(t, deed.site)
        if known:
            if event.verb is Verb.ENTER:
                t = walks.passed(t, event, scene.graph.stamp)
                t = replace(t, walking=None, begun=None) if t.walking == event.target else t  # there
            return _ended(t, told, scene) if event.end is not None else t
    else:
        t = replace(_led_here(t, event, scene), walking=None, begun=None, left=None, acting_at=event.place if event.place in t.model.layout.index else event.target)
    deeds = [d for d in (_deed(t, e, scene) for e in told) if d is not None]
    if not deeds:
        return replace(t, last_act=max(t.last_act, stamp))
    deed = deeds[0]
    if deed.kind is not ActKind.OPEN or deed.site != t.state.situation.site:
        t = _must_have_looked(t, scene)
    situation, layout = t.state.situation, t.model.layout
    unseen = deed.kind is ActKind.PUT and deed.cls not in t.state.progress.holding and deed.site != layout.elsewhere
    if unseen:
        t = walks.errand(t, layout.ids[deed.site], event.start)
    late = unseen and event.start < t.last_act  # they have gone on since: no walk back there
    if deed.kind is not ActKind.WALK and not late and not situation.at(layout)[deed.site] and deed.site != layout.elsewhere:
        t = walks.weigh(t, Act(ActKind.WALK, deed.site, certainty=deed.certainty), stamp, event.target,
                        f"went to {why.name(layout.ids[deed.site])}")
        t = _arrive(t, Act(ActKind.WALK, deed.site))
    if deed.kind is ActKind.WALK:
        deeds = [d for d in deeds if not t.state.situation.at(layout)[d.site]]
        if not deeds:
            return replace(t, last_act=stamp)
    t = _mended(t, deed)
    if event.verb is Verb.ENTER:
        t = walks.glanced(t, Glance(stamp, t.state, t.trail, t.state.beliefs, passed=deed))
        t = walks.weigh(t, deed, stamp, event.target, why.doing(event))
    elif deed.kind is ActKind.WALK:
        t = walks.weigh_walk(t, deeds, told, stamp, scene.graph.stamp)
    else:
        t = walks.weigh(replace(t, glances=()), deed, stamp, event.target, why.doing(event))
    if deed.kind is not ActKind.WALK or event.end is not None:
        likely = event.end is not None and event.confidence >= ARRIVED and (t.person, event.target) in scene.close
        t = _arrive(t, deed) if len(deeds) == 1 or likely else t
    if deed.kind in (ActKind.PICK, ActKind.PUT):
        space = goal_model.favoured(t.model.space, deed.cls or "", t.model.config.handled_weight) if deed.cls not in t.handled else t.model.space
        t = replace(t, model=replace(t.model, space=space), handled=t.handled | {deed.cls or ""})
    if deed.kind is ActKind.CLOSE and not layout.is_room[deed.site]:  # it was open before their eyes until then, whether the robot saw that or not
        mine = np.arange(len(t.last_look)) == deed.site
        t = replace(t, last_look=np.where(mine, np.maximum(t.last_look, event.start), t.last_look))
    return replace(t, last_deed=stamp)


def _led_here(t: Tracked, event: HumanAction, scene: Scene) -> Tracked:
    """What somebody does tells where the walk they were on has led, whatever was made out of it on the way."""
    deed = _deed(t, event, scene)
    if deed is None or deed.kind is ActKind.PAUSE or deed.site == t.model.layout.elsewhere or t.begun is None or event.start < t.begun.start \
            or deed.kind is ActKind.PUT and deed.cls not in t.state.progress.holding:
        return t
    return walks.led_to(t, deed.site, event, scene.graph.stamp)


def _ended(t: Tracked, told: Sequence[HumanAction], scene: Scene) -> Tracked:
    """A walk that was weighed has ended; where, only one target says for sure, or a likely one that they are close to."""
    likely = told[0].confidence >= ARRIVED and (t.person, told[0].target) in scene.close
    deed = _deed(t, told[0], scene) if len(told) == 1 or likely else None
    return walks.ended(t if deed is None else _arrive(t, deed), told[0].end)


def _must_have_looked(t: Tracked, scene: Scene) -> Tracked:
    """Somebody who goes on from a place has looked at it, even where no line of sight could be made out. What they missed is taken from
    what the robot knows to be elsewhere; of things the robot cannot place nothing is said."""
    situation, layout = t.state.situation, t.model.layout
    here = situation.site
    if t.looked_here or not layout.holds[here] or (layout.opens[here] and situation.closed[here]):
        return t
    known = {o: layout.index[scene.where[name]] for o, name in enumerate(t.model.objects) if scene.where.get(name) in layout.index}
    away = np.array([known.get(o, here) != here for o in range(len(t.model.objects))])
    rows = np.flatnonzero(~away)
    percept = Percept(rows, np.full(len(rows), here), np.arange(len(layout.ids)) == here, t.model.config.implied_look)
    there = np.array([o for o in rows if known.get(o) == here], dtype=int)
    percept = replace(percept, objects=there, sites=np.full(len(there), here))
    return t.moved(inference.perceive(t.model, t.state, percept, rows), looked_here=True)


def _deed(t: Tracked, event: HumanAction, scene: Scene) -> Act | None:
    """The symbolic act behind a perceived event, or None where the model reads nothing from it."""
    index, verb = t.model.layout.index, event.verb
    here, sure = t.state.situation.site, min(1.0, max(0.0, event.confidence))
    if verb in PAUSES:
        return Act(ActKind.PAUSE, here, certainty=sure)
    if verb in SILENT or event.target is None:
        return None
    cls = t.model.objects and classes.class_of(event.target)
    if verb in WALKS:
        if event.target in index:
            return Act(ActKind.WALK, index[event.target], certainty=sure)
        place = scene.where.get(event.target)
        return Act(ActKind.WALK, index[place], cls, certainty=sure) if place in index else None
    if verb in (Verb.OPEN, Verb.CLOSE):
        i = index.get(event.target)
        return Act(ActKind(verb.value), i, certainty=sure) if i is not None and t.model.layout.opens[i] else None
    if verb in (Verb.SWITCHON, Verb.SWITCHOFF):
        return Act(ActKind.SWITCH, index[event.target], way=verb.value[6:], certainty=sure) if event.target in index else None
    if verb in PICKS or verb in PUTS or verb is Verb.GIVE:
        kind = ActKind.PICK if verb in PICKS else ActKind.PUT
        return Act(kind, index.get(event.place or "", here), cls or "", certainty=sure)
    return None


def _mended(t: Tracked, deed: Act) -> Tracked:
    """Perception may have missed what came before: what was opened was closed; what was put down was in the hands."""
    situation, progress = t.state.situation, t.state.progress
    if deed.kind in (ActKind.OPEN, ActKind.CLOSE):
        closed = situation.closed.copy()
        closed[deed.site] = deed.kind is ActKind.OPEN
        situation = replace(situation, closed=closed)
    if deed.kind is ActKind.PUT and deed.cls not in progress.holding:
        progress = goal_model.picked(t.model.space, progress, deed.cls or "")
    return replace(t, state=replace(t.state, situation=situation, progress=progress))


def _arrive(t: Tracked, deed: Act) -> Tracked:
    t = t.moved(inference.consequences(t.model, t.state, deed))
    return replace(t, looked_here=False) if deed.kind in (ActKind.WALK, ActKind.OPEN) else t


def stands_about(t: Tracked, stamp: float, visible: bool) -> Tracked:
    """Nothing happened for a while: that, too, is something a person does. Who stands for as long as that is not walking any more, wherever they were taken to be going."""
    every = t.model.config.pause_seconds
    if not visible or stamp - (t.last_act if t.walking is None else max(t.stood, t.last_deed)) < every:
        return t
    pause = Act(ActKind.PAUSE, t.state.situation.site)
    t = replace(t, acting_at=None if stamp - t.last_deed > ACTIVE_SECONDS else t.acting_at)
    before = t.memory
    t = walks.weigh(replace(t, walking=None), pause, stamp, None, "")
    return replace(t, memory=before, last_act=t.last_act)  # pauses are too many to cite


def searching(t: Tracked, stamp: float) -> float:
    """P(looking for something right now): a guessed target, in somebody who has been acting lately."""
    if stamp - t.last_deed > ACTIVE_SECONDS and t.walking is None:
        return 0.0
    seeks = (t.state.wanted.fetches > 0) & ~t.model.space.of_kind(GoalKind.NONE)
    return float(t.state.posterior.alpha[1][seeks][:, :-1].sum())

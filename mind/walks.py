"""Walks: where somebody is headed is told while they are on their way, in alternatives, and told again when it has become clearer.

Invariants: a walk is weighed once. What is told later of the same walk (the same start) replaces what was weighed before, as if it had been
told at once. But a walk may also have been decided on along the way, after what was seen there, be it that it is told late or that it is told
anew: perception cannot tell, so both are weighed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from household.actions import HumanAction, Verb
from household.probability import ZeroMassError
from mind import evidence as why
from mind import inference
from mind.beliefs import Beliefs
from mind.evidence import ActWeight
from mind.filter import Weigh, step
from mind.inference import PersonState
from mind.policy import Act, ActKind
from mind.tracked import Anew, Begun, Glance, Tracked
from mind.values import replace

BEGUN = 0.1, 0.9  # least and most chance that a walk told late was decided on at its beginning, and not after what was seen on the way
CHANGED_SHARE = 1 / 5  # chance that a walk told anew, after something was seen, is another than was told before; of who then knew nothing new of what they are after
ANEW, STEPS = 0.7, (0.5, 1.0)  # most chance that it is; s after what was seen until which what is told of a walk is of the steps before, and from which on of those since
SET_OUT = 1.0  # s: who comes in by a doorway set out at least so long before
LATE_SECONDS = 3.0  # longest between the beginning of a walk and its report
LONGEST_WALK = 10.0  # s that looks on the way are kept for
ERRAND = 10.0  # s before something is put down in which a walk there was made for its sake
_SURE_GAIN = 20.0  # nats that are taken back at most
_NEWS = 0.1  # a share that changed less is no news
_WALKED_ON = 0.5  # so much more of a walk is of the steps since something was seen: what is told of it is weighed anew
_SAME = 1e-6  # s between the starts of what is told of one walk
_CHANGED = 0.05  # a belief that moved so far since the last look was moved by something else than looks


def together(events: Sequence[HumanAction]) -> list[tuple[HumanAction, ...]]:
    """Events in their order, the alternative targets of one walk as one, the likeliest first."""
    out: list[list[HumanAction]] = []
    for event in events:
        last = out[-1][-1] if out else None
        if last is not None and event.verb is last.verb is Verb.WALKTOWARDS and event.actor == last.actor and event.end == last.end \
                and abs(event.start - last.start) < _SAME and event.target not in [e.target for e in out[-1]]:
            out[-1].append(event)
        else:
            out.append([event])
    return [tuple(sorted(told, key=lambda e: -e.confidence)) if len(told) > 1 else tuple(told) for told in out]


def is_known(t: Tracked, told: Sequence[HumanAction], stamp: float) -> bool:
    """Whether these targets of a walk, told at ``stamp``, say nothing that was not weighed. That somebody walks on says something once they have seen what concerns them."""
    if t.begun is not None and abs(t.begun.start - told[0].start) < _SAME:
        if _walks_on(t, stamp) and _can_take_back(t):
            return False
        before, now = t.begun.targets, targets(told)
        return all(abs(before.get(k, 0.0) - now.get(k, 0.0)) < _NEWS for k in before.keys() | now.keys()) or not _can_take_back(t)
    return len(told) == 1 and t.walking == told[0].target


def carried_on(t: Tracked, told: Sequence[HumanAction]) -> tuple[Tracked, Sequence[HumanAction]]:
    """A walk that goes on to where one most likely went that ended then without its being clear where: they are one, told anew, and the first has led nowhere yet."""
    if t.left is None or told[0].verb is not Verb.WALKTOWARDS or abs(told[0].start - t.left[1]) > _SAME:
        return t, told
    begun = t.left[0]
    if told[0].target != max(begun.targets, key=begun.targets.get) or not {e.target for e in told} <= begun.targets.keys():
        return t, told
    whole = tuple(replace(e, start=begun.start) for e in told)
    if t.begun is not None:
        return t, whole if t.begun.start == begun.start else told
    on = replace(t, begun=begun, walking=told[0].target,
                 state=replace(t.state, situation=replace(begun.before.situation, closed=t.state.situation.closed)))
    return (on, whole) if _can_take_back(on) else (t, told)


def ended(t: Tracked, end: float) -> Tracked:
    """The walk under way has ended; not yet for good where it is not clear what it led to."""
    open_yet = t.begun is not None and not t.begun.final and max(t.begun.targets.values()) < 1 - _NEWS
    return replace(t, begun=None, left=(t.begun, end) if open_yet else None)


def _walks_on(t: Tracked, stamp: float) -> bool:
    """Whether something was seen on the walk under way, and its steps since have not been weighed as such."""
    if not t.glances:
        return False
    saw = _saw(t.glances)
    return _since(stamp - saw) - _since(t.begun.weighed - saw) > _WALKED_ON


def _since(seconds: float) -> float:
    """How much of what is told of a walk so long after something was seen is of the steps since, in [0, 1]."""
    return float(np.interp(seconds, STEPS, (0.0, 1.0)))


def targets(told: Sequence[HumanAction]) -> dict[str, float]:
    """Target → its share of what is told."""
    total = sum(e.confidence for e in told) or 1.0
    return {e.target or "": e.confidence / total for e in told}


def _can_take_back(t: Tracked) -> bool:
    """Whether nothing but looks has changed this person since their walk was weighed: no words, no act that they watched."""
    if t.begun is None or t.begun.final or any(g.passed is not None for g in t.glances) or not all(_fits(s, t) for s in (t.begun.before, *(g.before for g in t.glances))):
        return False
    left = (t.begun.before.beliefs, *(g.after for g in t.glances))
    found = (*(g.before.beliefs for g in t.glances), t.state.beliefs)
    return all(_unmoved(a, b) for a, b in zip(left, found))


def _fits(state: PersonState, t: Tracked) -> bool:
    """Whether nothing was seen for the first time since: places, things and goals are still the same."""
    return state.posterior.alpha.shape == t.state.posterior.alpha.shape and state.beliefs.sure.shape == t.state.beliefs.sure.shape


def _unmoved(before: Beliefs, now: Beliefs) -> bool:
    return before.sure.shape == now.sure.shape and float(np.abs(before.sure - now.sure).max(initial=0.0)) <= _CHANGED


def final(t: Tracked) -> Tracked:
    """Nothing weighed so far can be taken back any more."""
    return replace(t, glances=(), left=None, begun=None if t.begun is None else replace(t.begun, final=True, anew=None))


def glanced(t: Tracked, glance: Glance) -> Tracked:
    """With one more look: those of the last seconds are kept, and all since a walk that may be told anew."""
    since = glance.stamp - LATE_SECONDS
    if t.begun is not None and not t.begun.final:
        since = max(min(since, t.begun.start), glance.stamp - LONGEST_WALK)
    return replace(t, glances=(*(g for g in t.glances if g.stamp >= since), glance))


def grown(t: Tracked, larger: Callable[[PersonState], PersonState], acts: Callable[[Sequence[ActWeight]], tuple[ActWeight, ...]]) -> Tracked:
    """Something was seen for the first time: the looks that are kept, and the walk under way, in the larger home. ``larger``: the same person in it;
    ``acts``: what past acts say of its goals. New things may have been where anybody looked."""
    def look(g: Glance) -> Glance:
        before = larger(g.before)
        return replace(g, before=before, trail=None, after=larger(replace(g.before, beliefs=g.after)).beliefs,
                       seen=_wider(g.seen, *g.before.beliefs.sure.shape, *before.beliefs.sure.shape) if g.seen else ())

    begun = t.begun
    if begun is not None and not begun.final:
        begun = replace(begun, before=larger(begun.before), trail=None, acts=acts(begun.acts), glances=tuple(map(look, begun.glances)), anew=None)
    return replace(t, glances=tuple(map(look, t.glances)), begun=begun)


def _wider(seen: tuple, objects: int, sites: int, more: int, wider: int) -> tuple:
    """The arguments of ``inference.perceive`` for (``more``, ``wider``) instead of (``objects``, ``sites``); nothing is said of new things."""
    percept, held, present = seen
    inspected, there = np.zeros(wider, dtype=bool), np.zeros((more, wider), dtype=bool)
    inspected[:sites - 1], inspected[-1] = percept.inspected[:-1], percept.inspected[-1]
    if present is not None:
        there[:objects, :sites - 1], there[:objects, -1] = present[:, :-1], present[:, -1]
    there[objects:] = True
    return replace(percept, sites=np.where(percept.sites == sites - 1, wider - 1, percept.sites), inspected=inspected), held, there


def weigh(t: Tracked, deeds: Act | Sequence[Act], stamp: float, entity: str | None, text: str) -> Tracked:
    """An act, or alternatives for one, and what it said of each goal, to be cited as ``text``."""
    ready, steps = inference.ready(t.model, t.state)
    try:
        state, said = inference.weigh(t.model, ready, deeds)
    except ZeroMassError:  # nothing that can be done here, whatever perception says: it tells nothing
        return replace(t, last_act=stamp)
    before, after = ready.posterior.alpha.sum(axis=(0, 2)), state.posterior.alpha.sum(axis=(0, 2))
    gain = np.log(np.maximum(after, 1e-300)) - np.log(np.maximum(before, 1e-300))
    return t.moved((state, (*steps, said)), last_act=stamp, memory=why.note_act(t.memory, ActWeight(stamp, text, entity, tuple(gain.tolist()))))


def errand(t: Tracked, place: str, start: float) -> Tracked:
    """They put something down at ``place``, ``start`` s, that nobody saw them take: they went there for its sake. What their going there said of other
    goals is taken back, by the weights it had."""
    went = [a for a in t.memory.acts if a.entity == place and start - ERRAND <= a.stamp <= start + LATE_SECONDS]
    alpha = t.state.posterior.alpha
    if not went or any(len(a.gain) != alpha.shape[1] for a in went):
        return t
    gain = np.clip(np.sum([a.gain for a in went], axis=0), -_SURE_GAIN, _SURE_GAIN)
    unsaid = Weigh(np.broadcast_to(np.exp(-gain)[:, None], alpha.shape[1:]), "a walk taken back")
    state = replace(t.state, posterior=step(t.state.posterior, unsaid))
    return t.moved((state, (unsaid,)), memory=replace(t.memory, acts=tuple(a for a in t.memory.acts if a not in went)))


def weigh_walk(t: Tracked, deeds: Sequence[Act], told: Sequence[HumanAction], stamp: float, now: float) -> Tracked:
    """A walk to one of several places, told for the first time or anew. ``now``: when it is told."""
    event = told[0]
    text = why.doing(event) + "".join(f" or {why.name(e.target or '')}" for e in told[1:])
    again = t.begun if t.begun is not None and abs(t.begun.start - event.start) < _SAME and _can_take_back(t) else None
    first = t if again is None else _taken_back(t, again)
    begun = None
    if event.end is None:
        said = min(1.0, sum(e.confidence for e in told))
        begun = Begun(event.start, targets(told), said, first.state, first.trail, first.memory.acts, first.glances, weighed=now)
    start = max(event.start, first.last_deed)  # nobody walks off before they are done
    since = tuple(g for g in first.glances if g.stamp > start + 1e-9)
    late = weigh(first, deeds, stamp, event.target, text)
    if since and all(_fits(g.before, first) for g in since) and _unmoved(since[-1].after, first.state.beliefs):
        then = since[0].before
        early = replace(first, state=replace(then, situation=replace(then.situation, closed=first.state.situation.closed)), trail=since[0].trail)
        for g in first.glances:
            if g.passed is not None and g.stamp <= start + 1e-9 and _told_after(g, since[0], first.glances):
                early = replace(early, state=replace(early.state, situation=g.before.situation))
                early = replace(weigh(early, g.passed, g.stamp, None, ""), memory=early.memory)  # cited already
                early = early.moved(inference.consequences(early.model, early.state, g.passed))
        began = start - (SET_OUT if abs(start - t.entered) < _SAME else 0.0)
        came = now if event.end is None else event.end
        before = (since[0].stamp - began) / max(came - began, 1e-6)  # how much of it was walked before anything was seen
        decided = _look_again(weigh(early, deeds, stamp, event.target, text), since)[0]
        late = _either(early, decided, first, late, np.full(len(first.state.sought.count), 1 - float(np.clip(before, *BEGUN))))
    if again is None or not t.glances:
        return replace(late, begun=begun, glances=())
    meant, looks = _look_again(late, t.glances)
    anew = _since_news(t, again, now)
    changed = _either(first, meant, anew.now, weigh(anew.now, deeds, stamp, event.target, text), _decided_anew(first.state, anew.now.state, (now if event.end is None else min(now, event.end)) - _saw(t.glances)))
    return replace(changed, begun=begun and replace(begun, anew=anew), glances=looks)


def _since_news(t: Tracked, begun: Begun, now: float) -> Anew:
    """The person as they would decide anew after what was seen last: what has been told of the walk since is told again, not a further decision."""
    news = max((g.stamp for g in t.glances if not _unmoved(g.before.beliefs, g.after)), default=-np.inf)
    if begun.anew is None or begun.anew.news < news or not _fits(begun.anew.now.state, t):
        return Anew(news, now, replace(t, begun=None, glances=()))
    return Anew(news, now, _look_again(begun.anew.now, [g for g in t.glances if g.stamp > begun.anew.stamp])[0])


def _told_after(doorway: Glance, look: Glance, glances: Sequence[Glance]) -> bool:
    """Whether a doorway was passed before this look and told after it."""
    return next(g for g in glances if g is doorway or g is look) is look


def passed(t: Tracked, event: HumanAction, now: float) -> Tracked:
    """Whoever walks through a doorway was on the way to what is beyond it: what was told of that walk and lies on this side is taken back."""
    layout = t.model.layout
    if t.begun is None or event.target not in layout.index or not _can_take_back(t):
        return t
    left = layout.room[t.begun.before.situation.site]
    if left < 0 or layout.index[event.target] == left:
        return t
    beyond = {k: p for k, p in t.begun.targets.items() if k in layout.index and layout.room[layout.index[k]] != left} or {event.target: 1.0}
    total = sum(beyond.values())
    if t.begun.certainty * sum(t.begun.targets.get(k, 0.0) for k in beyond) > event.confidence - _NEWS:
        return t
    told = [replace(event, verb=Verb.WALKTOWARDS, target=k, start=t.begun.start, confidence=event.confidence * p / total)
            for k, p in sorted(beyond.items(), key=lambda kp: -kp[1])]
    deeds = [Act(ActKind.WALK, layout.index[e.target], certainty=e.confidence) for e in told]
    return weigh_walk(t, deeds, told, event.start if event.end is None else event.end, now)


def led_to(t: Tracked, site: int, act: HumanAction, now: float) -> Tracked:
    """Whoever does something at a place has walked there, or has not walked at all: what was told of the walk under way is taken back."""
    if t.begun is None or not _can_take_back(t):
        return t
    layout, before = t.model.layout, t.begun.before.situation
    if before.at(layout)[site]:
        return _look_again(_taken_back(t, t.begun), t.glances)[0]
    walk = replace(act, verb=Verb.WALKTOWARDS, target=layout.ids[site], start=t.begun.start, end=act.start)
    there = weigh_walk(t, [Act(ActKind.WALK, site, certainty=act.confidence)], (walk,), act.start, now)
    return there.moved(inference.consequences(there.model, there.state, Act(ActKind.WALK, site)), looked_here=False)


def _taken_back(t: Tracked, begun: Begun) -> Tracked:
    """The person as they were before this walk was weighed."""
    state = replace(begun.before, situation=replace(begun.before.situation, closed=t.state.situation.closed))
    return replace(t, state=state, trail=begun.trail, begun=None, glances=begun.glances, memory=replace(t.memory, acts=begun.acts))


def _look_again(t: Tracked, glances: Sequence[Glance]) -> tuple[Tracked, tuple[Glance, ...]]:
    """The looks and doorways of ``glances`` once more, now by this account of the person, and what they are for it."""
    looks = []
    for g in glances:
        before, trail = t.state, t.trail
        step = inference.perceive(t.model, before, *g.seen) if g.passed is None else inference.consequences(t.model, before, g.passed)
        t = t.moved(step)
        looks.append(replace(g, before=before, trail=trail, after=t.state.beliefs))
    return t, tuple(looks)


def _saw(glances: Sequence[Glance]) -> float:
    """Stamp of the first of these looks that changed what they think; of the last if none did."""
    return next((g.stamp for g in glances if not _unmoved(g.before.beliefs, g.after)), glances[-1].stamp)


def _decided_anew(before: PersonState, now: PersonState, since: float) -> np.ndarray:
    """float (G,): for each goal the chance that a walk told anew, ``since`` s after something was seen on it, is another than was told ``before``. Who has seen that what they
    need is gone, or where it is, has to decide anew; whom that does not concern seldom does."""
    change = now.beliefs.sure - before.beliefs.sure
    learnt = np.minimum(np.maximum(np.maximum(change, 0.0).sum(axis=1), np.maximum(-change, 0.0).sum(axis=1)), 1.0)
    moved = np.zeros(len(now.sought.count))
    np.maximum.at(moved, now.sought.goals, learnt[now.sought.objects])
    return CHANGED_SHARE + (ANEW - CHANGED_SHARE) * moved * _since(since)


def _either(then: Tracked, early: Tracked, now: Tracked, late: Tracked, second: np.ndarray) -> Tracked:
    """Decided on at the beginning (``then`` → ``early``), or on the way after what was seen there (``now`` → ``late``): both, by their evidence
    and ``second`` (G,), for each goal the prior of the latter. Beliefs are those of the likelier; they hardly differ."""
    backend, shape = late.model.backend, early.state.posterior.alpha.shape[1:]
    one, other = (backend.step(a.state.posterior, Weigh(np.broadcast_to(p[:, None], shape), "decided when")) for a, p in ((early, 1 - second), (late, second)))
    odds = other.log_evidence - now.state.posterior.log_evidence - one.log_evidence + then.state.posterior.log_evidence
    share = 1 / (1 + np.exp(np.clip(odds, -50, 50)))
    likelier = early if share > 0.5 else late
    return likelier.moved((replace(likelier.state, posterior=backend.mixed(one, other, float(share))), ()))

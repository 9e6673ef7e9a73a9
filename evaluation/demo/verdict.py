"""Was the robot right? Judged against the simulator's truth, which no node of the stack has seen.

Needed: somebody pursues a goal while they truly believe its object to be where it is not, and go to look there. Right: then an act for
that person and thing is decided no later than ``GRACE`` seconds after they stand at the wrong place, and they reach their goal. Needed, too:
somebody cannot get on (what they want hangs too high, their way is blocked), or water runs where nobody is. Right: then an act decided for
that person or device, and an end of the trouble. Where nobody needs anything, right is to do nothing; an act that nobody needs is wrong everywhere,
and so is an act for somebody or about something that does not exist, and saying that a thing is where it is not.

The stack's ids are read as what they stood for at the time (``evaluation.demo.naming``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from evaluation.demo.naming import TrueNames, true_names
from evaluation.demo.recording import Recording
from household import classes
from household.scene_graph import ELSEWHERE
from planner.acts import FactKind, HelpKind
from planner.decision import Decision

GRACE = 2.0  # seconds of message time
ALONE = 5.0  # seconds water may run with nobody there
SURE = 0.5  # a person believes what they give at least this


@dataclass(frozen=True)
class Need:
    """``since``: when ``person`` set out under the false belief; ``search``: when they stood at the wrong place (None: never)."""

    person: str
    thing: str
    believed: str
    actual: str
    since: float
    search: float | None
    reached: float | None


@dataclass(frozen=True)
class Trouble:
    """Somebody (``person``) cannot get on with a goal about ``objects`` (ids and classes), or a device runs alone (``person`` None).
    ``over``: when it ended (None: never)."""

    person: str | None
    objects: tuple[str, ...]
    why: str
    since: float
    over: float | None

    def met_by(self, decision) -> bool:
        act = decision.act
        if self.person is None or act.kind is HelpKind.MOVE:
            return act.person == self.person and (self.person is not None or act.object in self.objects)
        return act.person == self.person and bool({act.object, classes.class_of(act.object or "")} & set(self.objects))


@dataclass(frozen=True)
class Verdict:
    """``delay``: decision minus start of the search, s (negative: before). ``acts``: every helping decision, as its key. ``names``: whom and
    what the ids of these acts stood for, where the simulator calls them otherwise."""

    right: bool
    needed: bool
    helped: bool
    reason: str
    delay: float | None = None
    reached: float | None = None
    acts: tuple[str, ...] = ()
    false_corrections: int = 0
    needs: tuple[Need, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    names: str = ""

    def to_dict(self) -> dict:
        return asdict(self)


def needs(truth: list[dict]) -> list[Need]:
    """Every spell of pursuing a goal under a false belief, at most one per person and thing."""
    found: dict[tuple[str, str], Need] = {}
    for frame in truth:
        for person, mind in frame["people"].items():
            if mind["scripted"] or mind["goal"]["kind"] == "none":
                continue
            for thing, row in mind["beliefs"].items():
                key, actual = (person, thing), frame["things"].get(thing)
                believed = max(row, key=row.get) if row else ELSEWHERE
                need = found.get(key)
                if need is None:
                    if mind["reached_at"] is None and believed not in (actual, ELSEWHERE) and row[believed] >= SURE:
                        found[key] = Need(person, thing, believed, actual, frame["stamp"], None, None)
                    continue
                search = need.search
                if search is None and (mind["at"] == need.believed or row.get(need.believed, 0.0) < 0.05):
                    search = frame["stamp"]
                found[key] = Need(person, thing, need.believed, need.actual, need.since, search, mind["reached_at"])
    return list(found.values())


def troubles(truth: list[dict]) -> list[Trouble]:
    """Who could not get on, and what ran with nobody there for at least ``ALONE`` seconds; each once, in order of their beginnings."""
    found: dict[str, Trouble] = {}
    alone_since: dict[str, float] = {}
    for frame in truth:
        rooms = {mind["room"] for mind in frame["people"].values()}
        running = frame.get("running", {})
        for device in {*alone_since, *running}:
            alone = device in running and running[device] not in rooms
            since = alone_since.setdefault(device, frame["stamp"]) if alone else alone_since.pop(device, None)
            if alone and frame["stamp"] - since >= ALONE:
                found.setdefault(device, Trouble(None, (device,), "it runs and nobody is there", since, None))
            elif device in found and device not in running and found[device].over is None:
                found[device] = replace(found[device], over=frame["stamp"])
        for person, mind in frame["people"].items():
            if person in found:
                found[person] = replace(found[person], over=mind["reached_at"])
            elif mind.get("stuck") and mind["reached_at"] is None:
                targets = mind["goal"].get("targets", ())
                found[person] = Trouble(person, tuple({*targets, *map(classes.class_of, targets)}), mind["stuck"], frame["stamp"], None)
    return sorted(found.values(), key=lambda t: t.since)


def useful(person: str | None, cls: str, frame: dict) -> bool:
    """Whether ``person`` truly is mistaken, or does not know, about a thing of this class at that moment."""
    thinks = frame["people"].get(person, {}).get("thinks", {})
    return any(classes.class_of(t) == cls and place != frame["things"].get(t) for t, place in thinks.items())


def _fault(decision: Decision, names: TrueNames, truth: list[dict], trouble: list[Trouble]) -> str:
    """Why a helping decision is wrong whatever else happens; empty when it is not."""
    act, frame = names.act(decision.act, decision.stamp), _at(truth, decision.stamp)
    if act is None:
        missing = decision.act.person if names.of(decision.act.person, decision.stamp) is None and decision.act.person else decision.act.object
        return f"but {missing} does not exist"
    if any(t.met_by(replace(decision, act=act)) for t in trouble):
        return ""
    about = act.options if act.kind is HelpKind.ASK else (act.object or "",)
    if not any(useful(act.person, classes.class_of(o), frame) for o in about):
        return "which nobody needed"
    fact = act.fact
    if fact is not None and fact.kind is FactKind.AT and (fact.place is None or fact.place in frame.get("where", {})):
        near = [f for f in truth if abs(f["stamp"] - decision.stamp) <= GRACE]
        if not any(place == fact.place for f in near for t, place in f["things"].items() if classes.class_of(t) == classes.class_of(fact.object)):
            return f"but it is at {frame['things'].get(fact.object)}"
    return ""


def judge(rec: Recording) -> Verdict:
    """Without the simulator's truth in the recording the verdict says so and is not right."""
    if not rec.truth:
        return Verdict(False, False, False, "the recording holds no truth to judge by")
    wanted, trouble = needs(rec.truth), troubles(rec.truth)
    names = true_names(rec)
    said = [d for d in rec.decisions if d.act.kind is not HelpKind.NOTHING]
    acts = [replace(d, act=act) for d in said if (act := names.act(d.act, d.stamp)) is not None]
    wrong = [(d, why) for d in said if (why := _fault(d, names, rec.truth, trouble))]
    shared = dict(acts=tuple(d.act.key for d in said), false_corrections=len(wrong), needs=tuple(wanted), troubles=tuple(trouble),
                  names=names.legend((n for d in said for n in (d.act.person, d.act.object, d.act.place) if n), rec.truth[-1]["stamp"]))
    if wrong:
        first, why = wrong[0]
        return Verdict(False, bool(wanted or trouble), False, f"at {first.stamp:.1f} s it decided {first.act.key}, {why}", **shared)
    if not wanted and trouble:
        return _judge_trouble(trouble[0], acts, shared)
    if not wanted:
        early = _forestalled(rec.truth, acts)
        text = ("nobody needed help and the robot stayed silent" if not acts else "put right before it was acted on" if early
                else f"nobody needed help, but the robot decided {acts[0].act.key}")
        return Verdict(not acts or early, early, early, text, **shared)
    need = min(wanted, key=lambda n: n.since)
    mine = [d for d in acts if d.act.person == need.person and classes.class_of(d.act.object or "") == classes.class_of(need.thing)]
    shared |= dict(needed=True, reached=need.reached)
    if not mine:
        return Verdict(False, helped=False, reason=f"{need.person} believed the {need.thing} at {need.believed}; nothing was done", **shared)
    delay = mine[0].stamp - need.search if need.search is not None else None
    on_time = delay is None or delay <= GRACE
    reached = need.reached is not None and need.reached >= mine[0].stamp
    reason = ("helped in time" if on_time and reached else f"decided {delay:.1f} s after the search began" if not on_time
              else f"{need.person} never got the {need.thing}")
    return Verdict(on_time and reached, helped=True, reason=reason, delay=delay, **shared)


def _judge_trouble(trouble: Trouble, acts: list, shared: dict) -> Verdict:
    who = trouble.person or trouble.objects[0]
    mine = [d for d in acts if trouble.met_by(d)]
    if not mine:
        return Verdict(False, True, False, f"{who}: {trouble.why}; nothing was done", **shared)
    helped = trouble.over is not None and trouble.over >= mine[0].stamp
    reason = f"{trouble.why}: helped" if helped else f"{trouble.why}: it decided to help, but that did not end it"
    return Verdict(helped, True, helped, reason, mine[0].stamp - trouble.since, trouble.over, **shared)


def _at(truth: list[dict], stamp: float) -> dict:
    return min(truth, key=lambda f: abs(f["stamp"] - stamp))


def _forestalled(truth: list[dict], acts: list) -> bool:
    """Whether every act was about something its person later set out for and got."""
    got = {(p, classes.class_of(t)) for f in truth for p, m in f["people"].items() if m["reached_at"] is not None for t in m["beliefs"]}
    return bool(acts) and all((d.act.person, classes.class_of(d.act.object or "")) in got for d in acts)

"""A story told line by line: what people did, what they believe, what was said, what the robot decided.

Design reason: the same teller serves the running demo (from live messages) and a recording, so it takes only the stack's own values, never
the simulator's truth. Invariant: lines come in message time, each thing is told once.
"""

from __future__ import annotations

from dataclasses import dataclass

from household.actions import HumanAction, Utterance, Verb
from household.scene_graph import ELSEWHERE, ROBOT, SceneGraph
from mind.output import FalseBelief, Minds
from planner import words
from planner.acts import HelpKind
from planner.decision import Decision
from planner.symbols import Layer

_FALSE, _TRUE_AGAIN = 0.8, 0.4  # a false belief is told when it passes the first, and told to be over below the second
_GOAL = 0.6
_WALK = 0.4  # where somebody walks is told when it is at least so probable


@dataclass(frozen=True)
class Line:
    """``kind``: act, mind, word, decision. ``who``: whom it is about."""

    stamp: float
    kind: str
    who: str
    text: str

    def __str__(self) -> str:
        return f"{self.stamp:6.1f} s  {self.text}"


class Timeline:
    """Feed it messages in order; it returns the new lines."""

    def __init__(self) -> None:
        self.graph = SceneGraph(0.0)
        self.lines: list[Line] = []
        self._false: set[tuple[str, str]] = set()
        self._goals: dict[str, str] = {}
        self._walks: dict[str, tuple[float, str | None]] = {}

    def add(self, item) -> list[Line]:
        if isinstance(item, SceneGraph):
            self.graph = item
            new = []
        elif isinstance(item, HumanAction):
            new = self._act(item)
        elif isinstance(item, Utterance):
            to = "" if not item.addressee else " to the robot" if item.addressee == ROBOT else f" to {words.person(item.addressee)}"
            who = "Robot" if item.speaker == ROBOT else words.person(item.speaker)
            new = [Line(item.stamp, "word", item.speaker, f"{who}{to}: “{item.text}”")]
        elif isinstance(item, Minds):
            new = self._minds(item)
        elif isinstance(item, Decision):
            new = self._decision(item)
        else:
            raise TypeError(f"a timeline takes no {type(item).__name__}")
        self.lines += new
        return new

    def _act(self, e: HumanAction) -> list[Line]:
        if e.verb in (Verb.STAND, Verb.LOOKAT) or (e.verb is Verb.WALKTOWARDS and (e.end is not None or self._is_said(e))):
            return []
        text = describe(e, self.graph)
        blind = [words.person(p) for p, v in sorted(e.witnesses.items()) if v < 0.5 and p not in (e.actor, ROBOT)]
        if blind and e.verb in (Verb.PICK, Verb.PUTON, Verb.PUTIN, Verb.PLACE):
            text += f"   ({', '.join(blind)} did not see it)"
        return [Line(e.start if e.end is None else e.end, "act", e.actor, text)]

    def _is_said(self, walk: HumanAction) -> bool:
        """Whether a walk is too unsure to speak of (it is told in alternatives), or told again."""
        said = (walk.start, walk.target)
        if walk.confidence < _WALK or self._walks.get(walk.actor) == said:
            return True
        self._walks[walk.actor] = said
        return False

    def _minds(self, minds: Minds) -> list[Line]:
        new = []
        for name, mind in sorted(minds.people.items()):
            for f in mind.false_beliefs:
                key = (name, f.object)
                if f.probability >= _FALSE and key not in self._false:
                    self._false.add(key)
                    new.append(Line(minds.stamp, "mind", name, self._false_line(f)))
            held = {f.object: f.probability for f in mind.false_beliefs}
            for key in [k for k in self._false if k[0] == name and held.get(k[1], 0.0) < _TRUE_AGAIN]:
                self._false.discard(key)
                place, p = most_likely(mind.beliefs.get(key[1], {}))
                if place is not None:
                    new.append(Line(minds.stamp, "mind", name, f"{words.person(name)} now thinks {words.thing(key[1], self.graph)} is "
                                    f"{self.at(place)} (p = {p:.2f}); no false belief any more"))
            if mind.goals and mind.goals[0][1] >= _GOAL and self._goals.get(name) != str(mind.goals[0][0]):
                goal, p = mind.goals[0]
                if goal.kind.value != "none" or name in self._goals:
                    new.append(Line(minds.stamp, "mind", name, f"{words.person(name)} seems to want to {goal.spoken()} (p = {p:.2f})"))
                self._goals[name] = str(goal)
        return new

    def _false_line(self, f: FalseBelief) -> str:
        actual = self.at(f.actual) if f.actual else "somewhere else"
        return (f"{words.person(f.person)} thinks {words.thing(f.object, self.graph)} is {self.at(f.believed)}, "
                f"but it is {actual} (false belief, p = {f.probability:.2f})")

    def at(self, place: str) -> str:
        return "somewhere unknown" if place == ELSEWHERE else words.at(place, self.graph)

    def _decision(self, d: Decision) -> list[Line]:
        if d.act.kind is HelpKind.NOTHING:
            return []
        best = next((v for v in d.values if v.act.key == d.act.key), None)
        worth = f" (worth {best.total:+.1f} s)" if best else ""
        return [Line(d.stamp, "decision", d.act.person or "", f"Robot decides{worth}: {_decision_words(d)}")]


def _decision_words(d: Decision) -> str:
    return d.words.get(Layer.DECISION, d.act.key)


def most_likely(marginal) -> tuple[str | None, float]:
    """(place, probability) of a location marginal; (None, 0) of an empty one."""
    return max(marginal.items(), key=lambda kv: kv[1]) if marginal else (None, 0.0)


_PAST = {Verb.PICK: "picked up", Verb.PUTON: "put", Verb.PUTIN: "put", Verb.PLACE: "put", Verb.OPEN: "opened", Verb.CLOSE: "closed",
         Verb.ENTER: "entered", Verb.LEAVE: "left", Verb.WALKTOWARDS: "walks towards", Verb.GIVE: "gave", Verb.SIT: "sat down on",
         Verb.STANDUP: "got up", Verb.SWITCHON: "switched on", Verb.SWITCHOFF: "switched off", Verb.MOVE: "moved", Verb.POINT: "pointed at"}


def describe(e: HumanAction, graph: SceneGraph) -> str:
    """One sentence in English: "David put the apple in the fridge"."""
    who = "Robot" if e.actor == ROBOT else words.person(e.actor)
    verb = _PAST.get(e.verb, e.verb.value)
    thing = words.thing(e.target, graph) if e.target else ""
    if e.verb in (Verb.PUTON, Verb.PUTIN, Verb.PLACE) and e.place:
        return f"{who} put {thing} {words.at(e.place, graph)}"
    if e.verb is Verb.GIVE and e.place:
        return f"{who} gave {thing} to {words.thing(e.place, graph)}"
    if e.verb is Verb.PICK and e.place:
        origin = words.at(e.place, graph).split(" ", 1)
        return f"{who} took {thing} from {origin[1] if len(origin) > 1 else e.place}"
    return f"{who} {verb} {thing}".strip()

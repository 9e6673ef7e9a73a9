"""Atomic actions: one enum of verbs, one grammar, one validator, for people and for the robot.

The verbs are MindPower's high-level action set and verb set (supplement, B.1 and C.1), merged under the paper's own
normalisation (grab → pick, turn off → switchoff, walk into → enter). The text form is the paper's: ``walk(fridge_1)``,
``give(apple_1, alice)``, ``move(suitcase_1, from=hallway, to=bedroom)``. Only what :func:`validate` accepts may reach a body.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum


class Verb(str, Enum):
    # locomotion
    WALK = "walk"
    RUN = "run"
    WALKTOWARDS = "walktowards"
    WALKFORWARD = "walkforward"
    ENTER = "enter"
    LEAVE = "leave"
    TURNLEFT = "turnleft"
    TURNRIGHT = "turnright"
    TURNBY = "turnby"
    TURNTO = "turnto"
    MOVEBY = "moveby"
    MOVETO = "moveto"
    TURN = "turn"
    SIT = "sit"
    STANDUP = "standup"
    STAND = "stand"
    # objects
    PICK = "pick"
    HOLD = "hold"
    REACHFOR = "reachfor"
    RESETARM = "resetarm"
    DROP = "drop"
    PLACE = "place"
    PUTON = "puton"
    PUTIN = "putin"
    PUTBACK = "putback"
    GIVE = "give"
    MOVE = "move"
    POUR = "pour"
    CUT = "cut"
    COOK = "cook"
    DRINK = "drink"
    TOUCH = "touch"
    # furniture and devices
    OPEN = "open"
    CLOSE = "close"
    SWITCHON = "switchon"
    SWITCHOFF = "switchoff"
    # looking, talking, everyday
    LOOKAT = "lookat"
    ROTATEHEAD = "rotatehead"
    RESETHEAD = "resethead"
    POINT = "point"
    SAY = "say"
    ANIMATE = "animate"
    READ = "read"
    WRITE = "write"
    WATCH = "watch"
    LISTEN = "listen"
    SLEEP = "sleep"
    WAIT = "wait"


ALIASES: Mapping[str, Verb] = {
    "grab": Verb.PICK, "take": Verb.PICK, "put": Verb.PLACE, "putdown": Verb.PLACE, "walkinto": Verb.ENTER,
    "turnoff": Verb.SWITCHOFF, "turnon": Verb.SWITCHON, "tell": Verb.SAY, "next_to": Verb.WALK, "fetch": Verb.PICK,
}

# Arity of positional arguments (smallest, largest) and allowed keyword arguments, per verb.
_ARITY: Mapping[Verb, tuple[int, int]] = {
    **{verb: (0, 2) for verb in Verb},
    **{verb: (1, 1) for verb in (Verb.WALK, Verb.RUN, Verb.WALKTOWARDS, Verb.ENTER, Verb.OPEN, Verb.CLOSE, Verb.SWITCHON,
                                 Verb.SWITCHOFF, Verb.LOOKAT, Verb.POINT, Verb.REACHFOR, Verb.TOUCH, Verb.TURNTO)},
    **{verb: (1, 2) for verb in (Verb.PICK, Verb.HOLD, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP,
                                 Verb.MOVE, Verb.SAY, Verb.LEAVE)},
    **{verb: (2, 2) for verb in (Verb.GIVE, Verb.POUR)},
    **{verb: (0, 1) for verb in (Verb.WAIT, Verb.STANDUP, Verb.STAND, Verb.RESETARM, Verb.RESETHEAD, Verb.WALKFORWARD,
                                 Verb.TURNLEFT, Verb.TURNRIGHT, Verb.ROTATEHEAD, Verb.SLEEP, Verb.LISTEN)},
}
_KEYWORDS = ("from", "to")
_CALL = re.compile(r"^\s*([A-Za-z_]+)\s*\((.*)\)\s*$", re.S)
_ARGUMENT = re.compile(r'\s*(?:(from|to)\s*=\s*)?("(?:[^"\\\n]|\\.)*"|[^",()=]+?)\s*(?:,|$)', re.S)


class ActionError(ValueError):
    """An action outside the grammar or not possible here; the message names the part and what would be right."""


@dataclass(frozen=True)
class AtomicAction:
    """``verb(args…, from=…, to=…)``; args are entity ids, or a quoted sentence for ``say``."""

    verb: Verb
    args: tuple[str, ...] = ()
    source: str | None = None  # from=
    target: str | None = None  # to=

    def __str__(self) -> str:
        parts = [_quote(a) for a in self.args]
        parts += [f"{k}={_quote(v)}" for k, v in (("from", self.source), ("to", self.target)) if v is not None]
        return f"{self.verb.value}({', '.join(parts)})"


def _quote(text: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_\-.:]+", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def parse(text: str) -> AtomicAction:
    """``"walk(fridge_1)"`` → AtomicAction. Raises ActionError."""
    match = _CALL.match(text)
    if not match:
        raise ActionError(f"'{text[:80]}' is not of the form verb(argument, …)")
    word = match[1].lower()
    verb = ALIASES.get(word) or (Verb(word) if word in Verb._value2member_map_ else None)
    if verb is None:
        raise ActionError(f"unknown verb '{match[1]}'; known: {', '.join(v.value for v in Verb)}")
    args: list[str] = []
    keywords: dict[str, str] = {}
    rest, body = 0, match[2]
    while body[rest:].strip():
        piece = _ARGUMENT.match(body, rest)
        if not piece or piece.end() == rest:
            raise ActionError(f"cannot read the arguments '{body[:80]}' of {verb.value}")
        value = piece[2].strip()
        if value.startswith('"'):
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        if not value:
            raise ActionError(f"{verb.value} has an empty argument")
        if piece[1]:
            if piece[1] in keywords:
                raise ActionError(f"{verb.value} has '{piece[1]}=' twice")
            keywords[piece[1]] = value
        elif keywords:
            raise ActionError(f"{verb.value} has a positional argument after {next(iter(keywords))}=")
        else:
            args.append(value)
        rest = piece.end()
    action = AtomicAction(verb, tuple(args), keywords.get("from"), keywords.get("to"))
    check_form(action)
    return action


def parse_plan(text: str) -> tuple[AtomicAction, ...]:
    """A comma- or newline-separated sequence of calls, as the paper prints its <Action> line; '' is an empty plan."""
    calls, depth, quoted, escaped, start = [], 0, False, False, 0
    for i, c in enumerate(text):
        if escaped:
            escaped = False
        elif c == "\\" and quoted:
            escaped = True
        elif c == '"':
            quoted = not quoted
        elif not quoted and c == "(":
            depth += 1
        elif not quoted and c == ")":
            depth -= 1
            if depth == 0:
                calls.append(text[start:i + 1].strip(" ,.\n;"))
                start = i + 1
    if text[start:].strip(" ,.\n;"):
        raise ActionError(f"unfinished action '{text[start:].strip()[:60]}'")
    return tuple(parse(call) for call in calls)


def check_form(action: AtomicAction) -> None:
    """The number of arguments. Raises ActionError."""
    low, high = _ARITY[action.verb]
    if not low <= len(action.args) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise ActionError(f"{action.verb.value} takes {wanted} argument(s), not {len(action.args)}: {action}")


def validate(action: AtomicAction, known: Collection[str]) -> None:
    """Form, and that every entity it names is one of ``known`` (ids of entities, rooms and people). Raises ActionError."""
    check_form(action)
    if action.verb is Verb.SAY:  # say("sentence"[, listener])
        if len(action.args[0]) > 300:
            raise ActionError("say: a sentence of more than 300 characters")
        names = action.args[1:]
    elif action.verb in (Verb.TURNBY, Verb.MOVEBY, Verb.WALKFORWARD, Verb.TURNLEFT, Verb.TURNRIGHT, Verb.ROTATEHEAD,
                         Verb.WAIT, Verb.ANIMATE):
        names = ()
    else:
        names = action.args
    for name in (*names, action.source, action.target):
        if name is not None and name not in known:
            raise ActionError(f"{action}: '{name}' is nothing known here")


@dataclass(frozen=True)
class HumanAction:
    """Something a person (or the robot, ``actor`` = its id) was seen doing; what ``heed_msgs/HumanAction`` carries.

    ``target``: the object, place, room or person acted on (open fridge_1; pick apple_1; enter kitchen).
    ``place``: where the object came from (pick) or went (puton, putin, give), else None.
    ``room``: where it happened. Times in seconds of message time. ``end`` is None while it is going on
    (``walktowards`` is published once with end None, and again when it ends).
    ``witnesses``: person id → probability in [0, 1] that they saw it happen; a person not listed: not known.
    """

    actor: str
    verb: Verb
    target: str | None = None
    place: str | None = None
    room: str | None = None
    start: float = 0.0
    end: float | None = None
    confidence: float = 1.0
    witnesses: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict:
        return {"actor": self.actor, "verb": self.verb.value, "target": self.target, "place": self.place, "room": self.room,
                "start": self.start, "end": self.end, "confidence": self.confidence, "witnesses": dict(self.witnesses)}

    @classmethod
    def from_dict(cls, d: Mapping) -> "HumanAction":
        return cls(**{**d, "verb": Verb(d["verb"]), "witnesses": dict(d.get("witnesses", {}))})


@dataclass(frozen=True)
class Utterance:
    """What somebody said. ``hearers``: who was in earshot (None: not known). ``addressee`` None: to everybody."""

    speaker: str
    text: str
    stamp: float
    addressee: str | None = None
    hearers: tuple[str, ...] | None = None

    def to_dict(self) -> dict:
        return {"speaker": self.speaker, "text": self.text, "stamp": self.stamp, "addressee": self.addressee,
                "hearers": None if self.hearers is None else list(self.hearers)}

    @classmethod
    def from_dict(cls, d: Mapping) -> "Utterance":
        hearers = d.get("hearers")
        return cls(d["speaker"], d["text"], d["stamp"], d.get("addressee"), None if hearers is None else tuple(hearers))

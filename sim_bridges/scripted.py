"""People who follow a script, for worlds whose simulator has bodies but no minds (VirtualHome, ThreeDWorld).

A story is a row of beats, each one person's action; a beat starts when the one before it is over (``wait(seconds)`` lets time pass). ``say`` is
an utterance that those in the same room hear. Invariant: a story knows entity ids only; how an action is performed is the bridge's business.
The embedded world's people have minds of their own and do not use this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from household.actions import ActionError, AtomicAction, Utterance, Verb, check_form, parse
from household.scene_graph import ROBOT, SceneGraph


@dataclass(frozen=True)
class Beat:
    actor: str
    action: AtomicAction

    @classmethod
    def read(cls, text: str) -> "Beat":
        """``"alice: putin(apple_1, fridge_1)"``. Raises ActionError."""
        actor, colon, call = text.partition(":")
        if not colon or not actor.strip().isidentifier():
            raise ActionError(f"'{text[:80]}' is not of the form person: verb(argument, …)")
        return cls(actor.strip(), parse(call))


def read_story(lines: Sequence[str]) -> tuple[Beat, ...]:
    """One beat a line; empty lines and lines that start with # are skipped. Raises ActionError with the line number."""
    beats = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            beat = Beat.read(line)
            check_form(beat.action)
            if beat.action.verb is Verb.WAIT:
                seconds_of(beat.action)
        except ActionError as error:
            raise ActionError(f"story line {number}: {error}") from None
        beats.append(beat)
    return tuple(beats)


def seconds_of(action: AtomicAction) -> float:
    """Of a ``wait``; without an argument one second. Raises ActionError."""
    try:
        seconds = float(action.args[0]) if action.args else 1.0
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 600:
        raise ActionError(f"{action}: a wait of 0 to 600 seconds is due")
    return seconds


def utterance(action: AtomicAction, speaker: str, stamp: float, scene: SceneGraph) -> Utterance:
    """What a ``say`` action sounds like: heard by everybody in the speaker's room, the robot included."""
    room = scene.room_of(speaker)
    hearers = tuple(sorted(e.id for e in scene.entities.values()
                           if e.id != speaker and (e.id == ROBOT or e.cls == "person") and scene.room_of(e.id) == room))
    return Utterance(speaker, action.args[0], stamp, action.args[1] if len(action.args) > 1 else None, hearers)


# The classic: David moves the apple while Alice is away, so she looks for it in the wrong place. In the twin she watches him do it.
FALSE_BELIEF = """
alice: walk(apple_1)
alice: pick(apple_1)
alice: walk({first})
alice: open({first})
alice: putin(apple_1, {first})
alice: close({first})
alice: walk({away})
david: walk({first})
david: open({first})
david: pick(apple_1)
david: close({first})
david: walk({second})
david: open({second})
david: putin(apple_1, {second})
david: close({second})
david: walk({rest})
alice: walk({back})
alice: say("I would like that apple now.")
alice: walk({first})
alice: wait(8)
"""
WATCHED = FALSE_BELIEF.replace("alice: walk({away})\n", "").replace("alice: walk({back})\n", "").replace(
    'alice: say("I would like that apple now.")\nalice: walk({first})',
    'alice: say("I would like that apple now.")\nalice: walk({second})')

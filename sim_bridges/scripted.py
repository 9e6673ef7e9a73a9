"""People who follow a script, for worlds whose simulator has bodies but no minds (VirtualHome, ThreeDWorld).

A story is a row of beats, each one person's action; a beat starts when the one before it is over (``wait(seconds)`` lets time pass). ``say`` is
an utterance that those in the same room hear; in ``get apple_1`` a person looks for a thing by what they believe (:mod:`sim_bridges.play`).
Invariant: a story knows entity ids only; how an action is performed is the bridge's business.
The embedded world's people have minds of their own and do not use this.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from household import classes
from household.actions import ActionError, AtomicAction, Utterance, Verb, check_form, parse, validate
from household.classes import Kind
from household.scene_graph import ROBOT, Openness, SceneGraph


@dataclass(frozen=True)
class Beat:
    """``action``, or ``seek``: a thing the person gets for themselves."""

    actor: str
    action: AtomicAction | None = None
    seek: str | None = None

    @classmethod
    def read(cls, text: str) -> "Beat":
        """``"alice: putin(apple_1, fridge_1)"`` or ``"alice: get apple_1"``. Raises ActionError."""
        actor, colon, call = text.partition(":")
        if not colon or not actor.strip().isidentifier():
            raise ActionError(f"'{text[:80]}' is not of the form person: verb(argument, …)")
        words = call.split()
        if len(words) == 2 and words[0] == "get":
            if classes.class_of(words[1]) not in classes.of_kind(Kind.OBJECT):
                raise ActionError(f"'{words[1]}' is nothing one can get")
            return cls(actor.strip(), seek=words[1])
        action = parse(call)
        check_form(action)
        if action.verb is Verb.WAIT:
            seconds_of(action)
        return cls(actor.strip(), action)


def read_story(lines: Sequence[str]) -> tuple[Beat, ...]:
    """One beat a line; empty lines and lines that start with # are skipped. Raises ActionError with the line number."""
    beats = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            beats.append(Beat.read(line))
        except ActionError as error:
            raise ActionError(f"story line {number}: {error}") from None
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


# The classic: David moves the thing while Alice is away, so she looks for it in the wrong place. In the twin she stays, steps back and
# watches him do it.
_MOVED = """
{p}: walk({thing})
{p}: pick({thing})
{p}: walk({first})
{p}: open({first})
{p}: putin({thing}, {first})
{p}: close({first})
{p}: walk({away})
{q}: walk({first})
{q}: open({first})
{q}: pick({thing})
{q}: close({first})
{q}: walk({second})
{q}: open({second})
{q}: putin({thing}, {second})
{q}: close({second})
{q}: walk({away})
{p}: walk({here})
{p}: say("I am looking for the {word}.")
{p}: get {thing}
{p}: wait(3)
"""
_SEEN = _MOVED.replace("{p}: walk({away})\n", "{p}: walk({here})\n{p}: turnto({first})\n").replace(
    "{q}: walk({second})\n", "{p}: turnto({second})\n{q}: walk({second})\n").replace("{p}: walk({here})\n{p}: say", "{p}: say")
STORIES = {"false_belief": _MOVED, "false_belief_twin": _SEEN}
ABOUT = {"false_belief": "One puts a thing away and leaves; another moves it; the first comes back to get it.",
         "false_belief_twin": "One puts a thing away and watches another move it, then gets it."}


def story_of(story: str | None) -> tuple[Beat, ...] | str:
    """A story's name as it is (its roles are filled once the scene is known), or the beats of a file. Raises ActionError."""
    if not story:
        return ()
    if story in STORIES:
        return story
    path = Path(story)
    if not path.is_file():
        raise ActionError(f"no story '{story}' for this world; there are: {', '.join(STORIES)}, or a file with one 'person: verb(argument)' a line")
    return read_story(path.read_text(encoding="utf-8").splitlines())


def staged(story: Sequence[Beat] | str, scene: SceneGraph) -> tuple[Beat, ...]:
    """A story for this scene: a named one with its roles filled, or beats whose people and things are all there. Raises ActionError, KeyError."""
    if isinstance(story, str):
        return compose(story, scene) if story else ()
    people = sorted(e.id for e in scene.people())
    for beat in story:
        if beat.actor not in people:
            raise ActionError(f"the story has '{beat.actor}', but the people are {', '.join(people)}")
        try:
            if beat.action is not None:
                validate(beat.action, scene.entities.keys())
            elif beat.seek not in scene.entities:
                raise ActionError(f"get {beat.seek}: '{beat.seek}' is nothing known here")
        except ActionError as error:
            raise ActionError(f"the story cannot be played in this scene: {error}; it has {_some(beat, scene)}") from None
    return tuple(story)


def _some(beat: Beat, scene: SceneGraph) -> str:
    """What the scene has that sounds like what a beat is about, or the beginning of all it has."""
    words = [beat.seek] if beat.seek else [w for w in (*beat.action.args, beat.action.source, beat.action.target) if w]
    near = [n for w in words if w not in scene.entities for n in difflib.get_close_matches(w, scene.entities, n=4)]
    return ", ".join(near or [*sorted(scene.entities)[:12], "…"])


def compose(name: str, scene: SceneGraph) -> tuple[Beat, ...]:
    """The story ``name`` with roles filled from a scene: two people, a thing, two containers of one room, another room.

    Raises ActionError that says what the scene lacks, KeyError for an unknown story.
    """
    if name not in STORIES:
        raise KeyError(f"no story '{name}'; there are: {', '.join(STORIES)}, or name a file with one 'person: verb(argument)' a line")
    people = sorted(e.id for e in scene.people())
    rooms = sorted(e.id for e in scene.of_kind(Kind.ROOM))
    shut = {r: sorted(e.id for e in scene.of_kind(Kind.CONTAINER) if scene.room_of(e.id) == r and e.openness is Openness.CLOSED) for r in rooms}
    here = max(rooms, key=lambda r: (len(shut[r]), r), default=None)
    if len(people) < 2 or here is None or len(shut[here]) < 2 or len(rooms) < 2:
        raise ActionError(f"the story '{name}' needs two people, two rooms and two closed containers in one of them; this scene has "
                          f"{len(people)} people, {len(rooms)} rooms and at most {len(shut[here]) if here else 0} closed containers in a room")
    loose = [e.id for e in scene.objects() if scene.holder_of(e.id) is None and scene.place_of(e.id) not in sum(shut.values(), [])]
    things = sorted(loose, key=lambda t: (classes.class_of(t) != "apple", scene.room_of(t) != here, t))
    if not things:
        raise ActionError(f"the story '{name}' needs a thing that lies in the open, and this scene has none")
    first, second = sorted(shut[here], key=lambda c: (classes.class_of(c) != "fridge", c))[:2]
    roles = {"p": people[0], "q": people[1], "thing": things[0], "first": first, "second": second, "here": here,
             "away": next(r for r in rooms if r != here), "word": classes.get(classes.class_of(things[0])).spoken}
    return read_story(STORIES[name].format(**roles).splitlines())

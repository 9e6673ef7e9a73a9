"""Stories as YAML files: who is at home, what each does step by step, and what they want afterwards; read strictly or refused with the
line.

A story names roles (``table: {class: kitchentable}``) instead of furniture, so that it plays in any home; ``base:`` takes another
story and changes some of its keys. This module only reads; ``staging`` finds the roles in a home, ``script`` plays the steps. File
format: docs/worlds.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from household import classes
from household.actions import ActionError, AtomicAction, Verb, parse
from household.classes import Kind
from household.goals import Goal
from household.scene_graph import Posture
from sim_bridges.embedded.home import POSTURES, read_goal
from sim_bridges.embedded.people import Manners, Traits
from sim_bridges.embedded.yaml_source import Section, SourceError, Value, overlay, read
from sim_bridges.embedded.yaml_source import parse as parse_yaml

STORIES_FOLDER = Path(__file__).parent / "stories"
STEP_VERBS = (Verb.WALK, Verb.ENTER, Verb.LEAVE, Verb.PICK, Verb.PUTON, Verb.PUTIN, Verb.OPEN, Verb.CLOSE, Verb.SIT, Verb.STANDUP,
              Verb.SWITCHON, Verb.SWITCHOFF, Verb.LOOKAT, Verb.WATCH, Verb.SAY, Verb.WAIT, Verb.GIVE, Verb.POINT, Verb.READ, Verb.DRINK,
              Verb.DROP, Verb.MOVE)
_WORDS = {"sitdown": "sit", "turnon": "switchon", "turnoff": "switchoff", "grab": "pick", "put": "puton"}
_LONGEST = 600.0  # simulated seconds


class StoryError(SourceError):
    """A story file that cannot be played; names file, line, key and the allowed values."""


@dataclass(frozen=True)
class Step:
    """One scripted step. ``id``: its label; ``after``: labels of steps that must be over; ``wait``: seconds (low, high) to pause first;
    ``until``: for watch, the label at which it ends. ``source``: where it is written."""

    action: AtomicAction
    id: str
    source: Value = field(compare=False, repr=False)
    after: tuple[str, ...] = ()
    wait: tuple[float, float] = (0.1, 0.8)
    until: str | None = None
    close: bool = True  # shut again what had to be opened for this step


@dataclass(frozen=True)
class Role:
    """What may play a role in a home: every condition given must hold; one of the fitting is drawn by the seed."""

    name: str
    source: Value = field(compare=False, repr=False)
    classes: tuple[str, ...] = ()
    id: str | None = None
    kind: Kind | None = None
    room: str | None = None  # role, room id or room class it stands in
    not_room: str | None = None
    hidden_from: tuple[str, ...] = ()  # roles that cannot be seen from there
    empty: bool = False
    high: bool | None = None  # hangs above a child's reach, or does not


@dataclass(frozen=True)
class Part:
    """One person of the cast."""

    id: str
    source: Value = field(compare=False, repr=False)
    start: str | None = None  # role, place or room
    goal: Goal | None = None
    goal_after: tuple[str, ...] = ()
    goal_wait: tuple[float, float] = (0.5, 2.0)
    steps: tuple[Step, ...] = ()
    traits: Traits = Traits()
    knows: tuple[str, ...] = ()
    body: Mapping[str, float | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Happening:
    """Something that just happens: the light changes, a device turns on or off, an obstacle appears in a doorway."""

    source: Value = field(compare=False, repr=False)
    at: float | None = None
    after: tuple[str, ...] = ()
    light: float | None = None
    device: str | None = None
    on: bool = False
    id: str = ""


@dataclass(frozen=True)
class Story:
    """A story read and checked as far as that goes without a home."""

    name: str
    about: str
    source: Value = field(compare=False, repr=False)
    home: str = "maple"
    seed: int = 0
    limit: float = 120.0
    after_goal: float = 4.0
    roles: Mapping[str, Role] = field(default_factory=dict)
    cast: Mapping[str, Part] = field(default_factory=dict)
    things: Mapping[str, str] = field(default_factory=dict)
    happenings: tuple[Happening, ...] = ()
    scatter: float = 0.0
    light: float | None = None
    block: str | None = None  # a doorway, or a room all of whose doorways, in which an obstacle stands
    watch: tuple[str, ...] = ()  # places the robot stands to see, all of one room; none: it stands where the home says


def story_names() -> tuple[str, ...]:
    """Names of the stories that ship with the project."""
    return tuple(sorted(p.stem for p in STORIES_FOLDER.glob("*.yaml")))


def load_story(path_or_name: str | Path) -> Story:
    """A shipped story by name ("false_belief") or any YAML file by path. Raises StoryError."""
    text = str(path_or_name)
    path = STORIES_FOLDER / f"{text}.yaml" if text in story_names() else Path(text)
    if not path.exists():
        raise StoryError(text, 1, "", f"no such story; allowed: {', '.join(story_names())}, or the path of a YAML file")
    return _story(_with_base(path, 0).section(), path.stem)


def parse_story(text: str, file: str = "<text>") -> Story:
    """A story from YAML text. ``base:`` is looked for beside ``file``, then among the shipped stories."""
    path = Path(file)
    return _story(_over_base(parse_yaml(text, file, StoryError), path, 0).section(), path.stem)


def _with_base(path: Path, depth: int) -> Value:
    return _over_base(read(path, StoryError), path, depth)


def _over_base(top: Value, path: Path, depth: int) -> Value:
    base = top.section().take("base")
    if base is None:
        return top
    if depth > 4:
        base.fail("stories based on stories more than four deep, or on themselves")
    name = base.text() if base.text().endswith(".yaml") else f"{base.text()}.yaml"
    below = next((f / name for f in (path.parent, STORIES_FOLDER) if (f / name).exists()), None)
    if below is None:
        beside = {p.name for f in (path.parent, STORIES_FOLDER) for p in f.glob("*.yaml") if p != path}
        base.fail(f"no such story file: '{name}'; allowed: {', '.join(sorted(beside))}")
    return overlay(_with_base(below, depth + 1), top)


def _story(top: Section, default_name: str) -> Story:
    top.take("base")
    name, about, home, seed = (top.take(k) for k in ("name", "about", "home", "seed"))
    limit, after_goal, scatter, light = (top.take(k) for k in ("limit", "after_goal", "scatter", "light"))
    roles = {k: _role(k, v) for k, v in (top.take("roles").section() if top.take("roles") else ())}
    cast_value = top.need("cast")
    cast = {k: _part(k, v) for k, v in cast_value.section()}
    if not cast:
        cast_value.fail("a story needs at least one person")
    things = {k: v.text() for k, v in (top.take("things").section() if top.take("things") else ())}
    happenings = tuple(_happening(v, i) for i, v in enumerate(top.take("events").items() if top.take("events") else ()))
    block, robot = top.take("block"), top.take("robot")
    top.finish()
    story = Story(name.text() if name else default_name, about.text() if about else "", top.value,
                  home.text() if home else "maple", seed.integer(0, 2**31) if seed else 0,
                  limit.number(1, _LONGEST) if limit else 120.0, after_goal.number(0, 60) if after_goal else 4.0,
                  roles, cast, things, happenings, scatter.number(0, 1) if scatter else 0.0,
                  light.number(0, 1) if light else None, block.text() if block else None,
                  _watch(robot) if robot else ())
    _check_labels(story)
    return story


def _watch(value: Value) -> tuple[str, ...]:
    section = value.section()
    watch = section.need("watch")
    section.finish()
    return _labels(watch)


def _role(name: str, value: Value) -> Role:
    section = value.section()
    class_value, id, kind, room, not_room, hidden, empty, high = (section.take(k) for k in (
        "class", "id", "kind", "room", "not_room", "hidden_from", "empty", "high"))
    section.finish()
    names = () if class_value is None else tuple(v.choice(tuple(classes.CLASSES), "class")
                                                 for v in (class_value.items() if class_value.is_list else [class_value]))
    kinds = {k.value: k for k in (Kind.CONTAINER, Kind.SURFACE, Kind.OBJECT, Kind.DEVICE, Kind.OBSTACLE, Kind.ROOM, Kind.DOOR)}
    if not (names or id or kind):
        value.fail("a role needs at least one of: class, id, kind")
    return Role(name, value, names, id.text() if id else None, kinds[kind.choice(kinds, "kind")] if kind else None,
                room.text() if room else None, not_room.text() if not_room else None, _labels(hidden),
                empty.flag() if empty else False, high.flag() if high else None)


def _part(id: str, value: Value) -> Part:
    section = value.section()
    start, script, then, traits, knows, body, goal = (section.take(k) for k in (
        "start", "script", "then", "traits", "knows", "body", "goal"))
    section.finish()
    steps = tuple(_step(v, f"{id}.{i}") for i, v in enumerate(script.items(), 1)) if script else ()
    after, wait, wanted = (), (0.5, 2.0), read_goal(goal) if goal else None
    if then is not None:
        inner = then.section()
        wanted, after_value, wait_value = read_goal(inner.need("goal")), inner.take("after"), inner.take("wait")
        inner.finish()
        after, wait = _labels(after_value), _span(wait_value) if wait_value else wait
    return Part(id, value, start.text() if start else None, wanted, after, wait, steps,
                _traits(traits) if traits else Traits(), _labels(knows), _body(body) if body else {})


def _step(value: Value, label: str) -> Step:
    if value.is_text:
        return Step(_action(value), label, value)
    section = value.section()
    action = _action(section.need("do"))
    id, after, wait, until, close = (section.take(k) for k in ("id", "after", "wait", "until", "close"))
    section.finish()
    if until is not None and action.verb not in (Verb.WATCH, Verb.WAIT):
        until.fail("only watch and wait last 'until' something")
    return Step(action, f"{label.split('.')[0]}.{id.text()}" if id else label, value, _labels(after),
                _span(wait) if wait else (0.1, 0.8), until.text() if until else None, close.flag() if close else True)


def _action(value: Value) -> AtomicAction:
    text = value.text()
    word = text.split("(", 1)[0].strip()
    allowed = ", ".join(sorted({v.value for v in STEP_VERBS} | set(_WORDS)))
    text = _WORDS.get(word.lower(), word) + (text[len(text.split("(", 1)[0]):] or "()")
    try:
        action = parse(text)
    except ActionError as problem:
        if "(" in text and ")" not in text:
            value.fail(f"'{text}' ends too early: inside {{…}} a comma ends a value, so write it in quotes or on its own line")
        if str(problem).startswith("unknown verb"):
            value.fail(f"'{word}' is no verb of a story; allowed: {allowed}")
        value.fail(f"{problem}; verbs allowed in a story: {allowed}")
    if action.verb not in STEP_VERBS:
        value.fail(f"'{word}' is no verb of a story; allowed: {allowed}")
    if action.verb in (Verb.PUTON, Verb.PUTIN, Verb.WATCH) and len(action.args) < (1 if action.verb is Verb.WATCH else 2):
        value.fail(f"{word} needs {'whom to watch' if action.verb is Verb.WATCH else 'a thing and a place'}")
    if action.verb is Verb.WAIT and action.args and not action.args[0].replace(".", "", 1).isdigit():
        value.fail(f"'{action.args[0]}' is not a number of seconds")
    return action


def _happening(value: Value, number: int) -> Happening:
    section = value.section()
    at, after, light, device, on, id = (section.take(k) for k in ("at", "after", "light", "switch", "on", "id"))
    section.finish()
    if (at is None) == (after is None):
        value.fail("an event needs either 'at' (seconds) or 'after' (labels of steps)")
    if (light is None) == (device is None):
        value.fail("an event changes either the 'light' or a device ('switch', with 'on: yes' or 'on: no')")
    return Happening(value, at.number(0, _LONGEST) if at else None, _labels(after), light.number(0, 1) if light else None,
                     device.text() if device else None, on.flag() if on else False, f"event.{id.text() if id else number}")


def _traits(value: Value) -> Traits:
    section = value.section()
    numbers = {k: v.number(0.0, 3.0 if k == "temperature" else 1.0) for k in (
        "temperature", "forgetting", "distraction", "trust", "closes", "asks", "thanks") if (v := section.take(k)) is not None}
    manners = section.take("manners")
    section.finish()
    words = {m.value: m for m in Manners}
    return Traits(**numbers, manners=words[manners.choice(words, "manners")] if manners else Manners.TRUTHFUL)


def _body(value: Value) -> dict[str, float | str]:
    section = value.section()
    limits = {"height": (0.7, 2.2), "reach": (0.5, 2.8), "stride": (0.2, 2.5)}
    body: dict[str, float | str] = {k: v.number(*span) for k, span in limits.items() if (v := section.take(k)) is not None}
    posture, model = section.take("posture"), section.take("model")
    section.finish()
    if posture is not None:
        body["posture"] = posture.choice(POSTURES, "posture")
    if model is not None:
        body["model"] = model.text()
    return body


def posture_of(body: Mapping[str, float | str], default: Posture) -> Posture:
    return POSTURES[str(body["posture"])] if "posture" in body else default


def _labels(value: Value | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(v.text() for v in value.items()) if value.is_list else (value.text(),)


def _span(value: Value) -> tuple[float, float]:
    if value.is_list:
        low, high = value.numbers(2, 0.0, _LONGEST)
        if low > high:
            value.fail(f"from {low:g} to {high:g} runs backwards")
        return low, high
    seconds = value.number(0.0, _LONGEST)
    return seconds, seconds


def _check_labels(story: Story) -> None:
    """Every label waited for exists, and nobody waits for themselves in a circle."""
    labels: dict[str, Step | Happening] = {}
    for step in (s for part in story.cast.values() for s in part.steps):
        if step.id in labels:
            step.source.fail(f"two steps are called '{step.id}'")
        labels[step.id] = step
    labels.update({h.id: h for h in story.happenings})
    for part in story.cast.values():
        for step in part.steps:
            for label in (*step.after, *((step.until,) if step.until else ())):
                if label not in labels:
                    step.source.fail(f"waits for '{label}', which is no step; allowed: {', '.join(sorted(labels))}")
        for label in part.goal_after:
            if label not in labels:
                part.source.fail(f"the goal waits for '{label}', which is no step; allowed: {', '.join(sorted(labels))}")
    for happening in story.happenings:
        for label in happening.after:
            if label not in labels:
                happening.source.fail(f"waits for '{label}', which is no step; allowed: {', '.join(sorted(labels))}")
    _check_circles(story)


def _check_circles(story: Story) -> None:
    needs: dict[str, set[str]] = {}
    for part in story.cast.values():
        for i, step in enumerate(part.steps):
            needs[step.id] = set(step.after) | ({step.until} if step.until else set()) | ({part.steps[i - 1].id} if i else set())
    over: set[str] = {h.id for h in story.happenings}
    while ready := {k for k, v in needs.items() if k not in over and v <= over}:
        over |= ready
    for part in story.cast.values():
        for step in part.steps:
            if step.id not in over:
                step.source.fail(f"step '{step.id}' can never come: it waits, in a circle, for {', '.join(sorted(needs[step.id] - over))}")

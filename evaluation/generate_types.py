"""The types of questions, and how each is found in a lived episode by the ideal observer.

A view is one person's episode up to one act: what they had seen by line of sight and by the plain rule, what each place holds. A maker returns a
question that the view supports, or None.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from evaluation.embedded_people import TWELVE
from evaluation.generate_episodes import Deed, Errand
from evaluation.generate_text import Names, thing
from household import classes
from household.actions import Verb
from household.classes import class_of


class Type(str, Enum):
    TRUE_BELIEF = "1.1"
    FALSE_BELIEF = "1.2"
    TRACKING = "1.3"
    GOAL_TRUE = "2.1"
    GOAL_FALSE = "2.2"
    GOAL_UPDATED = "2.3"
    GOAL_FUTURE = "2.4"
    TWELVE_WAY = "12-way goal"
    SECOND_VISIT = "second visit"
    SWITCH = "goal switch"
    WHEN = "belief change"
    TWO_PEOPLE = "two people"


CLASSIC = tuple(Type)[:7]
_A_WHILE = 6  # acts


@dataclass
class View:
    """One person's episode up to act ``k`` (inclusive), as the ideal observer has it. ``about``: the last act is only announced."""

    errand: Errand
    actor: str
    deeds: tuple[Deed, ...]
    k: int
    contents: dict[str, dict[str, int]]
    places: dict[str, str]
    rng: random.Random
    seen: set[str] = field(default_factory=set)  # classes seen, both ways
    unseen: set[str] = field(default_factory=set)  # classes of which nothing was seen, either way

    def __post_init__(self) -> None:
        deed = self.deeds[self.k]
        by_sight = {class_of(t) for t in deed.seen}
        visible = {p for p in self.places if self._in_the_open(p)}
        by_rule = {c for p in visible for c in self.contents.get(p, {})}
        present = {c for held in self.contents.values() for c in held}
        self.seen = by_sight & by_rule
        self.unseen = present - by_sight - by_rule

    def _in_the_open(self, place: str) -> bool:
        """The plain rule: opened before, or never shut and in a room one has been in."""
        before = self.deeds[:self.k]
        if classes.get(class_of(place)).opens:
            return any(d.verb is Verb.OPEN and d.target == place for d in before)
        rooms = {self.errand.start_room[self.actor], *(d.target for d in before if d.verb is Verb.ENTER)}
        return self.places[place] in rooms

    @property
    def deed(self) -> Deed:
        return self.deeds[self.k]

    @property
    def following(self) -> Deed | None:
        return self.deeds[self.k + 1] if self.k + 1 < len(self.deeds) else None

    def holds(self, place: str, cls: str) -> bool:
        return self.contents.get(place, {}).get(cls, 0) > 0

    def pick(self, some) -> str | None:
        some = sorted(some)
        return self.rng.choice(some) if some else None


@dataclass(frozen=True)
class Question:
    """``given`` may be ''. ``options[truth]`` is right. ``about``: also tell that the person is about to open the last place."""

    type: Type
    given: str
    options: tuple[str, ...]
    truth: int
    about: bool = False
    ask: str = "which one of the following statements is more likely to be true?"


def _inside(view: View, cls: str, place: str, *, truth: bool, kind: Type, about: bool = False) -> Question:
    name = Names(view.places).of(place)
    prep = "inside" if classes.get(class_of(place)).opens else "on"
    word, who = classes.get(cls).spoken, _name(view)
    options = [f"{who} thinks that the {word} is {prep} the {name}.", f"{who} thinks that the {word} is not {prep} the {name}."]
    return _shuffled(view, Question(kind, f"If {who} has been trying to get {thing(cls)}", tuple(options), 0 if truth else 1, about))


def _goals(view: View, right: str, wrong: str, kind: Type, given: str = "") -> Question:
    who = _name(view)
    return _shuffled(view, Question(kind, given, tuple(f"{who} has been trying to get {thing(c)}." for c in (right, wrong)), 0))


def _shuffled(view: View, q: Question) -> Question:
    order = list(range(len(q.options)))
    view.rng.shuffle(order)
    return Question(q.type, q.given, tuple(q.options[k] for k in order), order.index(q.truth), q.about, q.ask)


def _name(view: View) -> str:
    return next(p.name for p in view.errand.home.people if p.id == view.actor)


def _opening(view: View) -> bool:
    return view.deed.verb is Verb.WALKTOWARDS and view.following is not None and view.following.verb is Verb.OPEN \
        and view.following.target == view.deed.target


def _belief(view: View, kind: Type) -> Question | None:
    if not _opening(view):
        return None
    place = view.deed.target
    cls = view.pick(c for c in view.unseen if view.holds(place, c) is (kind is Type.TRUE_BELIEF))
    return _inside(view, cls, place, truth=True, kind=kind, about=True) if cls else None


def _tracking(view: View) -> Question | None:
    """Came by a closed place a while ago, has opened others since, and is on the way to yet another."""
    if view.deed.verb not in (Verb.WALKTOWARDS, Verb.ENTER) or view.k < _A_WHILE:
        return None
    tried = {d.target for d in view.deeds[:view.k + 1]}  # also what they set out for and left shut
    since = {d.target for d in view.deeds[view.k - _A_WHILE:view.k] if d.verb is Verb.OPEN}
    passed = [p for p in view.deeds[view.k - _A_WHILE].near if p in view.places and classes.get(class_of(p)).opens and p not in tried]
    place, cls = view.pick(passed), view.pick(view.unseen)
    return _inside(view, cls, place, truth=False, kind=Type.TRACKING) if place and cls and since else None


def _goal_true(view: View) -> Question | None:
    if not _opening(view):
        return None
    right = view.pick(c for c in view.unseen if view.holds(view.deed.target, c))
    wrong = view.pick(c for c in view.seen if not view.holds(view.deed.target, c))
    return _goals(view, right, wrong, Type.GOAL_TRUE) if right and wrong else None


def _goal_false(view: View) -> Question | None:
    if not _opening(view):
        return None
    place = view.deed.target
    wrong = view.pick(c for c in view.unseen if view.holds(place, c))
    right = view.pick(c for c in view.unseen if not view.holds(place, c))
    if not right or not wrong:
        return None
    given = f"If {_name(view)} doesn't think there is {thing(wrong)} inside the {Names(view.places).of(place)}"
    return _goals(view, right, wrong, Type.GOAL_FALSE, given)


def _goal_updated(view: View) -> Question | None:
    deed = view.deed
    if deed.verb is not Verb.CLOSE or view.k == 0 or view.deeds[view.k - 1].target != deed.target:
        return None
    wrong = view.pick(c for c in view.seen if view.holds(deed.target, c))
    right = view.pick(view.unseen)
    return _goals(view, right, wrong, Type.GOAL_UPDATED) if right and wrong else None


def _goal_future(view: View) -> Question | None:
    if not _opening(view):
        return None
    place = view.deed.target
    ahead = {c for c in view.unseen if not view.holds(place, c)
             and any(view.holds(p, c) for p, r in view.places.items() if r == view.places[place])}
    right, wrong = view.pick(ahead), view.pick(c for c in view.seen if not view.holds(place, c))
    return _goals(view, right, wrong, Type.GOAL_FUTURE) if right and wrong else None


def _twelve_way(view: View) -> Question | None:
    """What they really want, of all twelve: the truth, not what an observer could know; nobody can get all of these right."""
    if view.deed.verb is Verb.PICK or view.k < 1:
        return None
    truth = view.deed.goal.targets[0]
    options = tuple(f"{_name(view)} has been trying to get {thing(c)}." for c in TWELVE)
    return _shuffled(view, Question(Type.TWELVE_WAY, "", options, TWELVE.index(truth)))


def _second_visit(view: View) -> Question | None:
    """Back in a room where they opened a place and did not find it there: do they think it is there now?"""
    if view.deed.verb is not Verb.WALKTOWARDS:
        return None
    left = [k for k, d in enumerate(view.deeds[:view.k]) if d.verb is Verb.ENTER]
    before = [d.target for k, d in enumerate(view.deeds[:view.k]) if d.verb is Verb.OPEN and any(k < n for n in left)
              and view.places[d.target] == view.places[view.deed.target] and d.target != view.deed.target]
    place, cls = view.pick(before), view.pick(view.unseen)
    return _inside(view, cls, place, truth=False, kind=Type.SECOND_VISIT) if place and cls else None


def _switch(view: View) -> Question | None:
    """The first errand is done; now they look for something else, not for another of the same."""
    picked = [k for k, d in enumerate(view.deeds[:view.k]) if d.verb is Verb.PICK]
    if not picked or view.k < picked[-1] + 3 or view.deed.verb is Verb.PICK:
        return None
    first, now = class_of(view.deeds[picked[-1]].target), view.deed.goal.targets[0]
    if first == now or now not in view.unseen:
        return None
    return _goals(view, now, first, Type.SWITCH, "At the end")


def _when(view: View) -> Question | None:
    """Which act brought the sight of it: opening the place where it is, against other openings."""
    if view.deed.verb not in (Verb.WALKTOWARDS, Verb.ENTER):
        return None
    opened = [d.target for d in view.deeds[:view.k] if d.verb is Verb.OPEN]
    names = Names(view.places)
    if len(set(opened)) < 3 or len(set(opened)) != len(opened):
        return None
    sure = [(p, c) for p in opened for c in view.contents.get(p, {}) if c in view.seen
            and not any(view.holds(q, c) for q in view.places if q != p)]
    if not sure:
        return None
    place, cls = view.rng.choice(sorted(sure))
    others = view.rng.sample([p for p in opened if p != place], 2)
    options = tuple(f"{_name(view)} opened the {names.of(p)}." for p in (place, *others))
    ask = f"When did {_name(view)} find out that the {classes.get(cls).spoken} is inside the {names.of(place)}?"
    return _shuffled(view, Question(Type.WHEN, "", options, 0, ask=ask))


def _two_people(view: View) -> Question | None:
    if len(view.errand.start_room) < 2 or not any(d.actor != view.actor and d.time < view.deed.time for d in view.errand.deeds):
        return None
    for maker in view.rng.sample([_goal_true, _goal_updated, _goal_future, lambda v: _belief(v, Type.FALSE_BELIEF)], 4):
        q = maker(view)
        if q is not None:
            return Question(Type.TWO_PEOPLE, q.given, q.options, q.truth, q.about, q.ask)
    return None


MAKERS: dict[Type, Callable[[View], Question | None]] = {
    Type.TRUE_BELIEF: lambda v: _belief(v, Type.TRUE_BELIEF), Type.FALSE_BELIEF: lambda v: _belief(v, Type.FALSE_BELIEF),
    Type.TRACKING: _tracking, Type.GOAL_TRUE: _goal_true, Type.GOAL_FALSE: _goal_false, Type.GOAL_UPDATED: _goal_updated,
    Type.GOAL_FUTURE: _goal_future, Type.TWELVE_WAY: _twelve_way, Type.SECOND_VISIT: _second_visit, Type.SWITCH: _switch, Type.WHEN: _when,
    Type.TWO_PEOPLE: _two_people,
}

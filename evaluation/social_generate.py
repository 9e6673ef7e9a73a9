"""Two-person episodes of the project's own: who helps, who hinders, who has other things to do.

The procedure is MuMA-ToM's (appendix 10.5) played by the embedded world's people: somebody who is unsure where a thing is (the entropy of
their belief is high) asks whoever is with them; the other answers by their intention from their own belief, which may be mistaken; or,
without a word, carries on, undoes or leaves alone what the first one began. The truth (intention, belief) is kept beside the episode and
never enters the stream of graphs, events and words that the mind is fed.

``python -m evaluation.social_generate --count 60 --seed 1 [--output F.json]`` plays, reads and scores.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from evaluation import choice_report as scoring
from evaluation.embedded_people import EVERY
from evaluation.social_generate_eyes import RENDERED, Seeing, eyes_for
from household import classes
from household.actions import HumanAction, Utterance
from household.classes import Kind
from household.goals import NO_GOAL, Goal, GoalKind, get
from household.ordering import StepInput
from household.scene_graph import ROBOT
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.social.aims import AIMS, Aim, SocialConfig
from perception.detectors.base import Detector
from sim_bridges.embedded.home import home_names, load_home
from sim_bridges.embedded.model import Home, Thing
from sim_bridges.embedded.observe import ObserverNoise
from sim_bridges.embedded.people import Manners, Person, Traits
from sim_bridges.embedded.world import EmbeddedWorld

SEATS = ("chair", "stool", "bench", "bed", "sofa")
ATTEMPTS = 20
PHASE_LIMIT = 75.0  # seconds somebody may take for one errand
COMPANY_LIMIT = 20.0  # seconds that people wait for a robot in company
AFTER = 22.0  # seconds watched after the decisive moment: an answer may come late
CARRIED = ("book", "mug", "plate", "toy", "apple", "magazine", "juice", "cellphone")


class Family(str, Enum):
    TELLS = "tells the truth"
    MISTAKEN = "tells what was true"
    LIES = "lies"
    SILENT = "knows and says nothing"
    CARRIES_ON = "brings more of the same"
    UNDOES = "takes it away again"
    OWN_ERRAND = "does something else"


AIM_OF = {Family.TELLS: Aim.HELP, Family.MISTAKEN: Aim.HELP, Family.LIES: Aim.HINDER, Family.SILENT: Aim.INDEPENDENT,
          Family.CARRIES_ON: Aim.HELP, Family.UNDOES: Aim.HINDER, Family.OWN_ERRAND: Aim.INDEPENDENT}
SPOKEN = (Family.TELLS, Family.MISTAKEN, Family.LIES, Family.SILENT)
MANNERS = {Family.TELLS: Manners.TRUTHFUL, Family.MISTAKEN: Manners.TRUTHFUL, Family.LIES: Manners.LYING}


@dataclass(frozen=True)
class Episode:
    """``stream``: what the mind is fed. ``first``: who began or asked; ``second``: whose intention is asked for; ``aim``: the truth."""

    home: str
    seed: int
    family: Family
    first: str
    second: str
    thing: str
    aim: Aim
    stream: tuple[StepInput, ...]
    met: int = 0  # index into the stream: from here on the two are together
    deeds: tuple[HumanAction, ...] = ()  # what everybody did, seen or not
    attempt: int = 0  # the draw that worked out


class NotDrawn(ValueError):
    """No draw of an episode worked out."""


class NotPlayed(Exception):
    """This draw did not work out (no room for a thing, an errand that took too long); another one is drawn."""


@dataclass(frozen=True)
class Watching:
    """How an episode is watched. ``follow``: seconds after an answer, or until what was asked for is found. ``detector``: of
    ``Seeing.DETECTOR``. ``size``: width and height of rendered pictures. ``each(world, second, k)`` is called after tick k of every draw."""

    seeing: Seeing = Seeing.ALL
    noise: ObserverNoise = ObserverNoise()
    follow: float = 2.0
    detector: Detector | None = None
    size: tuple[int, int] = (320, 240)
    each: Callable[[EmbeddedWorld, str, int], None] = lambda world, second, k: None


def episode(seed: int, family: Family, watching: Watching = Watching(), attempts: Sequence[int] = range(ATTEMPTS)) -> Episode:
    """Deterministic in its arguments. ``attempts``: the draws to try, in this order. Raises NotDrawn when none works out."""
    names = home_names()
    if watching.seeing in RENDERED:  # whether a draw works out does not depend on what the robot makes of what it sees
        attempts = (episode(seed, family, replace(watching, seeing=Seeing.ROBOT, each=Watching.each), attempts).attempt,)
    for attempt in attempts:
        rng = np.random.default_rng([seed, list(Family).index(family), attempt])
        name = names[int(rng.integers(len(names)))]
        try:
            return replace(_Stage(name, seed, family, rng, watching).play(), attempt=attempt)
        except NotPlayed:
            continue
    raise NotDrawn(f"seed {seed}, '{family.value}': no draw worked out in {len(attempts)} attempts")


class _Stage:
    """One episode being played: the home laid out, the people, and the stream so far."""

    def __init__(self, name: str, seed: int, family: Family, rng: np.random.Generator, watching: Watching):
        self.name, self.seed, self.family, self.rng, self.follow, self.met = name, seed, family, rng, watching.follow, 0
        base = load_home(name)
        if len(base.people) < (3 if family is Family.MISTAKEN else 2) or len(base.rooms) < 2:
            raise NotPlayed
        cast = [base.people[int(i)] for i in rng.permutation(len(base.people))]
        cast = cast[: 3 if family is Family.MISTAKEN else 2]
        self.first, self.second = cast[0].id, cast[1].id
        self.home = replace(base, people=tuple(cast), things=self._things(base))
        traits = Traits(distraction=0.0, forgetting=0.0, thanks=0.0, closes=1.0)
        asking = replace(traits, asks=1.0)
        self.minds = {p.id: Person(self.home, p.id, seed, NO_GOAL, asking if p.id == self.first and family in SPOKEN else
                                   replace(traits, manners=MANNERS.get(family, Manners.SILENT))) for p in cast}
        try:
            self.world = EmbeddedWorld(self.home, seed, dict(self.minds))
        except ValueError:
            raise NotPlayed from None
        self.eyes, self.company = eyes_for(watching.seeing, self.world, watching.noise, watching.detector, watching.size), self.second
        self.accompanied, self.each = watching.seeing is not Seeing.ALL, watching.each
        self.stream: list[StepInput] = []

    def _things(self, home: Home) -> tuple[Thing, ...]:
        self.places = [f for f in home.furniture if f.heights and classes.get(f.cls).kind in (Kind.CONTAINER, Kind.SURFACE) and f.cls not in SEATS]
        self.cls, self.other = (CARRIED[int(i)] for i in self.rng.permutation(len(CARRIED))[:2])
        self.stage = self._stage_room(home)
        near = [f.id for f in self.places if f.room == self.stage]
        at = [near[int(i)] for i in self.rng.permutation(len(near))]
        ids = (f"{self.cls}_1", f"{self.cls}_2", f"{self.other}_1") if self.family is Family.CARRIES_ON else (f"{self.cls}_1", f"{self.other}_1")
        self.thing = ids[0]
        return tuple(Thing(i, classes.class_of(i), place) for i, place in zip(ids, at))

    def _stage_room(self, home: Home) -> str:
        """A room with places enough for what happens to happen in it, where a robot in company sees it."""
        fit = [r.id for r in home.rooms if sum(f.room == r.id for f in self.places) >= 4]
        if not fit:
            raise NotPlayed
        return fit[int(self.rng.integers(len(fit)))]

    # -- steps of a play

    def watch(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        end = self.world.time + seconds
        while self.world.time < end:
            if until():
                return True
            self.world.advance(EVERY)
            graph, events = self.eyes.observe(self.company)
            self.stream.append(StepInput(graph, tuple(events), tuple(self._heard())))
            self.each(self.world, self.second, len(self.stream) - 1)
        return until()

    def _heard(self) -> list[Utterance]:
        """What a robot hears: in company all that is said near it, else, with eyes in every room, with ears in every room."""
        said = self.world.heard()
        if self.accompanied:
            return said
        return [u if u.hearers is None else replace(u, hearers=tuple(sorted({*u.hearers, ROBOT}))) for u in said]

    def does(self, person: str, goal: Goal) -> None:
        """``person`` finishes an errand, of things they have seen before, while the others do as they like."""
        mind = self.minds[person]
        for thing in goal.targets:
            mind.memory.know(thing, self.world.state.things[thing].at, self.world.time)
        mind.pursue(goal, self.world.time)
        if not self.watch(PHASE_LIMIT, lambda: mind.reached_at is not None):
            raise NotPlayed
        mind.pursue(NO_GOAL, self.world.time)

    def goes(self, person: str, room: str) -> None:
        self.does(person, Goal(GoalKind.REACH, (), room))

    def in_company(self, person: str) -> None:
        """Waits, not too long, for a robot that keeps ``person`` company."""
        if self.accompanied:
            self.watch(COMPANY_LIMIT, lambda: self.world.room_of(ROBOT) == self.world.room_of(person))

    def place(self, *avoid: str | None, room: str | None = None, not_room: str | None = None) -> str:
        options = [f.id for f in self.places if f.id not in avoid and room in (None, f.room) and f.room != not_room]
        if not options:
            raise NotPlayed
        return options[int(self.rng.integers(len(options)))]

    def rooms(self) -> list[str]:
        ids = [r.id for r in self.home.rooms]
        return [ids[int(i)] for i in self.rng.permutation(len(ids))]

    # -- plays

    def play(self) -> Episode:
        (self._spoken if self.family in SPOKEN else self._wordless)()
        deeds = tuple(e.action for e in self.world.events if e.action.actor in self.minds and e.action.end is not None)
        return Episode(self.name, self.seed, self.family, self.first, self.second, self.thing, AIM_OF[self.family], tuple(self.stream), self.met, deeds)

    def _spoken(self) -> None:
        """The second one puts the thing away unseen, (somebody else moves it,) the two meet, the first one looks for it and asks."""
        away, meet = [r for r in self.rooms() if r != self.stage][:2] if len(self.home.rooms) > 2 else [self.rooms()[0]] * 2
        self.goes(self.first, away)
        self.goes(self.second, self.stage)
        self.in_company(self.second)
        kept = self.place(self.world.state.things[self.thing].at, room=self.stage)
        self.does(self.second, Goal(GoalKind.PUT, (self.thing,), kept))
        if self.family is Family.MISTAKEN:
            third = next(p for p in self.minds if p not in (self.first, self.second))
            self.goes(self.second, meet)
            self.does(third, Goal(GoalKind.PUT, (self.thing,), self.place(kept, not_room=meet)))
            self.goes(third, self.stage)
        self.goes(self.second, meet)
        self.goes(self.first, meet)
        self.in_company(self.second)
        mind, knows = self.minds[self.first], self.minds[self.second].memory.best(self.thing)
        if mind.memory.entropy(self.thing) < 1.0 or knows[1] < 0.9 or (self.family is Family.MISTAKEN) == (knows[0] == self.world.state.things[self.thing].at):
            raise NotPlayed
        before, self.met = len(self.world.utterances), len(self.stream)
        mind.pursue(get(self.cls), self.world.time)
        if not self.watch(25.0, lambda: self._said(self.first, before)):
            raise NotPlayed
        answered = self.watch(AFTER, lambda: self._said(self.second, before))
        if answered == (self.family is Family.SILENT):
            raise NotPlayed
        self.watch(self.follow, lambda: mind.reached_at is not None)

    def _said(self, person: str, since: int) -> bool:
        return any(u.speaker == person for u in self.world.utterances[since:])

    def _wordless(self) -> None:
        """The first one brings a thing somewhere before the other's eyes; then the other acts."""
        target, room = self.place(*(t.at for t in self.world.state.things.values()), room=self.stage), self.stage
        self.goes(self.second, room)
        self.in_company(self.second)
        self.minds[self.second].pursue(Goal(GoalKind.REACH, (), room), self.world.time)
        self.does(self.first, Goal(GoalKind.PUT, (self.thing,), target))
        if self.minds[self.second].memory.best(self.thing) != (target, 1.0) or self.world.room_of(self.second) != room:
            raise NotPlayed
        self.watch(2.0)
        if self.family is Family.CARRIES_ON:
            goal = Goal(GoalKind.PUT, (f"{self.cls}_2",), target)
        elif self.family is Family.UNDOES:
            goal = Goal(GoalKind.PUT, (self.thing,), self.place(target, room=room))
        else:
            goal = Goal(GoalKind.PUT, (f"{self.other}_1",), self.place(target, self.world.state.things[f"{self.other}_1"].at, room=room))
        self.does(self.second, goal)
        self.watch(3.0)


def read(stream: tuple[StepInput, ...], who: str, towards: str, config: MindConfig = MindConfig()) -> dict[Aim, float]:
    """What the live mind makes of it: P(aim of ``who`` towards ``towards``) at the end, also where one of them is known to it by their voice alone; sums to one. What is held
    of people beforehand where it has never met one of the two."""
    state = LiveState()
    for inp in stream:
        state, _ = live_step(state, inp, config)
    return dict(state.social.aims.get((who, towards)) or SocialConfig().prior())


def episodes(seed: int, count: int, watching: Watching = Watching(), families: Sequence[Family] = tuple(Family)) -> Iterator[Episode]:
    """``count`` episodes, the families in turn; draws that do not work out are passed over."""
    made, k = 0, 0
    while made < count and k < 4 * count:
        try:
            yield episode(seed * 100_003 + k, families[k % len(families)], watching)
            made += 1
        except NotDrawn:
            pass
        k += 1


def words_of(played: Episode) -> list[Utterance]:
    return [u for inp in played.stream for u in inp.utterances]


def evaluate(seed: int, count: int, watching: Watching = Watching(), progress: Callable[[int], None] = lambda k: None) -> dict:
    """The report; groups are families."""
    items, spent = [], 0.0
    for k, played in enumerate(episodes(seed, count, watching)):
        began = time.process_time()
        p = read(played.stream, played.second, played.first)
        spent += time.process_time() - began
        key = {"index": k, "home": played.home, "seed": played.seed, "words": [f"{u.speaker}: {u.text}" for u in words_of(played)]}
        items.append(scoring.Answered(key, {a.value: v for a, v in p.items()}, played.aim.value, played.family.value))
        progress(k + 1)
    base = {f"always {a.value}": scoring.baseline(items, lambda item, a=a: {a.value: 1.0}) for a in AIMS}
    return scoring.report(items, spent, {"chance": scoring.baseline(items, lambda item: None), **base})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeing", choices=[s.value for s in Seeing], default=Seeing.ALL.value,
                        help="everything; what the robot sees; perception on rendered pictures with the simulator's segmentation or the detector")
    parser.add_argument("--backend", help="which detector (default: the one that ships)")
    parser.add_argument("--size", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"), default=(320, 240), help="of rendered pictures (default: 320 240)")
    parser.add_argument("--drop-events", type=float, default=0.0, help="share of seen actions that perception misses")
    parser.add_argument("--output", metavar="FILE.json")
    args = parser.parse_args()
    detector = None
    if args.seeing == Seeing.DETECTOR.value:
        from perception import detectors

        detector = detectors.create(args.backend or detectors.DEFAULT)
    watching = Watching(Seeing(args.seeing), ObserverNoise(drop_event=args.drop_events, seed=args.seed), detector=detector, size=tuple(args.size))
    result = evaluate(args.seed, args.count, watching,
                      lambda k: print(f"\r{k}/{args.count}", end="", file=sys.stderr, flush=True))
    print(file=sys.stderr)
    scoring.print_report(f"two-person episodes, social goal, seeing: {args.seeing}", result, of="episodes")
    if args.output:
        scoring.write_json(args.output, result)


if __name__ == "__main__":
    main()

"""A story on stage: whose turn it is, what somebody who looks for a thing does next, and what they truly think.

Beats are performed one after another. In a ``get`` beat a person acts for themselves: they go where they believe the thing to be, open what is
shut, look further when it is not there, and believe the robot when it tells them. What they believe is what they saw, by the same rule of
sight that their simulator uses (:func:`sim_bridges.symbolic.view`, with the person as viewer).
Invariant: nobody on stage acts on anything but what they have seen or been told.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from household import classes
from household.actions import AtomicAction, Utterance, Verb
from household.classes import Kind
from household.goals import NO_GOAL, get
from household.scene_graph import ELSEWHERE, Openness, SceneGraph, Tracking
from sim_bridges import scripted
from sim_bridges.scripted import Beat
from sim_bridges.symbolic import ViewState, view

LOOK_EVERY = 0.2  # seconds of world time
MAX_FAILURES = 4  # of one search
ORDINALS = ("first", "second", "third", "fourth")


@dataclass
class Person:
    """``at``: what they last walked to. ``told``: thing → place. ``searched``: places where the thing was not."""

    id: str
    memory: ViewState = field(default_factory=ViewState)
    graph: SceneGraph | None = None
    at: str | None = None
    told: dict[str, str] = field(default_factory=dict)
    searched: set[str] = field(default_factory=set)
    seeking: str | None = None
    since: float | None = None
    reached: float | None = None
    failures: int = 0

    def look(self, truth: SceneGraph) -> None:
        self.memory, self.graph, _ = view(self.memory, truth, self.id)

    def believes(self, thing: str) -> str | None:
        """The place they think it is at, or None: no idea."""
        seen = self.graph.entities.get(thing) if self.graph else None
        if seen is not None and seen.visible:
            return self.graph.place_of(thing)
        if thing in self.told:
            return self.told[thing]
        return self.graph.place_of(thing) if seen is not None and seen.tracking is not Tracking.LOST else None

    def next_action(self, thing: str) -> AtomicAction | None:
        """Towards having ``thing``; None: they have it, or have looked everywhere in this room."""
        g = self.graph
        if g.holder_of(thing) == self.id or self.failures > MAX_FAILURES:
            return None
        seen = g.entities.get(thing)
        if seen is not None and seen.visible:
            place = g.place_of(thing)
            return AtomicAction(Verb.PICK, (thing,)) if self.at in (thing, place) else AtomicAction(Verb.WALK, (thing,))
        place = self.believes(thing)
        if place is None or place in self.searched:
            place = self._elsewhere()
        if place is None:
            return None
        if self.at != place:
            return AtomicAction(Verb.WALK, (place,))
        if g.entities[place].openness is Openness.CLOSED:
            return AtomicAction(Verb.OPEN, (place,))
        self.searched.add(place)
        if self.told.get(thing) == place:
            del self.told[thing]
        return self.next_action(thing)

    def _elsewhere(self) -> str | None:
        """The nearest shut container of this room that has not been searched."""
        g, me = self.graph, self.graph.entities[self.id]
        near = [(math.dist(me.position[:2], e.position[:2]), e.id) for e in g.of_kind(Kind.CONTAINER)
                if g.room_of(e.id) == g.room_of(self.id) and e.openness is Openness.CLOSED and e.id not in self.searched]
        return min(near)[1] if near else None

    def hear(self, said: Utterance) -> bool:
        """Keep in mind the place it names for a thing; whether that is news about what they look for."""
        text = said.text.lower()
        if self.graph is None:
            return False
        known = {e.id for e in self.graph.objects()} | ({self.seeking} if self.seeking else set())
        things = sorted(t for t in known if classes.get(classes.class_of(t)).spoken in text)
        thing = self.seeking if self.seeking in things else next(iter(things), None)
        place = _place_in(text, self.graph)
        if thing is None or place is None or self.told.get(thing) == place:
            return False
        self.told[thing] = place
        self.searched.discard(place)
        return thing == self.seeking

    def mind(self, things: Iterable[str]) -> dict:
        """For scoring, in the form of the simulators' truth. ``things``: all there are."""
        thing = self.seeking
        return {"goal": (get(thing) if thing else NO_GOAL).to_dict(), "scripted": thing is None, "since": self.since, "reached_at": self.reached,
                "at": self.at, "room": self.graph.room_of(self.id) if self.graph else None,
                "beliefs": {thing: {self.believes(thing) or ELSEWHERE: 1.0}} if thing else {},
                "thinks": {t: self.believes(t) for t in things} if self.graph else {}}


def _place_in(text: str, graph: SceneGraph) -> str | None:
    """The place that lower-case ``text`` names, by the longest word for it; the second of several is called so."""
    named = {e.id: max((len(w) for w in classes.get(e.cls).words if w in text), default=0) for e in graph.places()}
    longest = max(named.values(), default=0)
    same = sorted((p for p, length in named.items() if length == longest > 0), key=lambda p: (len(p), p))
    rank = next((i for i, word in enumerate(ORDINALS) if f"{word} " in text and i < len(same)), 0)
    return same[rank] if same else None


class Play:
    """``next`` gives the actions to begin now; ``ended`` takes how each came out."""

    def __init__(self, beats: Iterable[Beat], people: Iterable[str]):
        self.people = {p: Person(p) for p in people}
        self.problem = ""
        self._beats = deque(beats)
        self._told_story = bool(self._beats)
        self._running: Beat | None = None
        self._until, self._looked = -math.inf, -math.inf

    @property
    def finished(self) -> bool:
        return self._told_story and not self._beats and self._running is None

    def next(self, stamp: float, scene: Callable[[], SceneGraph], busy: Callable[[str], bool]) -> list[tuple[str, AtomicAction]]:
        """``scene`` is asked for only when somebody looks. Stamps below ``wait``'s end and busy people hold the story up."""
        if stamp - self._looked >= LOOK_EVERY - 1e-9:
            self._looked = stamp
            truth = scene()
            for person in self.people.values():
                person.look(truth)
        while stamp >= self._until - 1e-9:
            if self._running is not None:
                if busy(self._running.actor):
                    return []
                if self._running.seek is not None and (action := self._search(self._running, scene())) is not None:
                    return [(self._running.actor, action)]
                self._close(stamp)
                continue
            if not self._beats:
                return []
            self._running = beat = self._beats.popleft()
            if beat.seek is not None:
                person = self.people[beat.actor]
                person.seeking, person.since, person.reached, person.failures = beat.seek, stamp, None, 0
            elif beat.action.verb is Verb.WAIT:
                self._until = stamp + scripted.seconds_of(beat.action)
            else:
                return [(beat.actor, beat.action)]
        return []

    def ended(self, actor: str, action: AtomicAction, reason: str) -> None:
        """``reason`` '' when it worked."""
        person = self.people[actor]
        if not reason:
            if action.verb in (Verb.WALK, Verb.RUN, Verb.ENTER):
                person.at = action.args[0]
            self._looked = -math.inf  # they look at what they have done
        elif self._running is not None and self._running.seek is not None and self._running.actor == actor:
            person.failures += 1
            person.at = None
        else:
            self.give_up(f"{actor}: {action} failed: {reason}")

    def give_up(self, why: str) -> None:
        """People stop where they are; the world goes on."""
        self.problem = f"the story cannot go on: {why}"
        self._beats.clear()
        self._running = None

    def hear(self, said: Utterance) -> list[str]:
        """Who drops what they are doing because of it."""
        return [p.id for p in self.people.values() if said.addressee in (None, p.id) and p.hear(said)]

    def truth(self, scene: SceneGraph) -> dict:
        """``scene``: everything, now; what people think is told as of now."""
        for person in self.people.values():
            person.look(scene)
        things = {e.id: scene.place_of(e.id) for e in scene.objects()}
        where = {e.id: [e.cls, *e.position] for e in (*scene.people(), *scene.objects(), *scene.places())}
        return {"things": things, "where": where, "people": {p: person.mind(things) for p, person in self.people.items()}, "problem": self.problem}

    def _search(self, beat: Beat, truth: SceneGraph) -> AtomicAction | None:
        person = self.people[beat.actor]
        person.look(truth)
        return person.next_action(beat.seek)

    def _close(self, stamp: float) -> None:
        """The running beat is over."""
        beat, self._running = self._running, None
        if beat.seek is not None:
            person = self.people[beat.actor]
            if person.graph.holder_of(beat.seek) == person.id:
                person.reached = stamp

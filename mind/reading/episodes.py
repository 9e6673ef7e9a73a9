"""What was read, put into the types that inference works on. The only place where the reader meets the rest of the mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from household import classes
from household.actions import Verb
from household.goals import get
from mind.episode import Episode, GoalIs, SymbolicAction, Thinks, WorldDescription
from mind.reading.types import BeliefStatement, ConductReading, GoalStatement, HomeReading, ReadAction


def world_of(home: HomeReading, conduct: ConductReading) -> WorldDescription:
    """The described home; a place about which nothing was said has unknown contents if it opens, else it is empty in plain view."""
    told = {place: dict(held) for place, held in home.contents().items()}
    openable = frozenset(p for p in home.places if classes.get(classes.class_of(p)).opens)
    contents: dict[str, Mapping[str, int] | None] = {p: told.get(p, None if p in openable else {}) for p in home.places}
    contents |= {place: held for place, held in told.items() if place not in contents}
    start = conduct.start_room
    return WorldDescription(dict(home.places), openable, contents, conduct.actor, start)


def acts_of(actions: Sequence[ReadAction], nearby: Mapping[int, Sequence[str]] | None = None) -> tuple[SymbolicAction, ...]:
    """The acts in order; a walk told last has not arrived. ``nearby``: index of an act → what a video shows within a metre."""
    out = []
    for k, a in enumerate(actions):
        going = a.verb is Verb.WALKTOWARDS and k == len(actions) - 1
        out.append(SymbolicAction(a.verb, a.target, a.place, intended=a.about_to, arrived=not going,
                                  nearby=tuple((nearby or {}).get(k, ()))))
    return tuple(out)


def episode_of(home: HomeReading, conduct: ConductReading, nearby: Mapping[int, Sequence[str]] | None = None) -> Episode:
    return Episode(world_of(home, conduct), acts_of(conduct.actions, nearby))


def predicate_of(statement: BeliefStatement | GoalStatement) -> Thinks | GoalIs:
    """Raises ValueError for a goal that is denied ("does not want"), which the model has no predicate for."""
    if isinstance(statement, BeliefStatement):
        return Thinks(statement.target, statement.place, statement.holds)
    if not statement.holds:
        raise ValueError(f"a denied goal ({statement.target}) is no hypothesis I can weigh")
    return GoalIs(get(statement.target))

"""Opening a story in a home, and printing what happens in it.

    python -m sim_bridges.embedded.story --story false_belief --home maple --seed 3
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from sim_bridges.embedded.home import home_names, load_home
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.people import Person
from sim_bridges.embedded.script import Actor, Director
from sim_bridges.embedded.staging import set_stage
from sim_bridges.embedded.story_file import Story, StoryError, load_story, story_names
from sim_bridges.embedded.world import EmbeddedWorld
from sim_bridges.embedded.yaml_source import SourceError

__all__ = ["Story", "StoryError", "load_story", "open_story", "story_names"]


def open_story(story: Story | str | Path, home: Home | str | Path | None = None, seed: int | None = None) -> EmbeddedWorld:
    """A world at time 0 with the story's cast in it; advance it until ``world.finished``.

    ``home`` and ``seed`` replace what the story says. The same three give the same world. Raises StoryError or HomeError.
    """
    story = story if isinstance(story, Story) else load_story(story)
    place = story.home if home is None else home
    if not isinstance(place, Home):
        beside = Path(story.source.file).parent / str(place)
        place = load_home(beside if home is None and str(place) not in home_names() and beside.exists() else place)
    number = story.seed if seed is None else seed
    home_now, actors, director = _staged(story, place, number)
    return EmbeddedWorld(home_now, number, actors, director, partial(_staged, story, place))


def _staged(story: Story, place: Home, seed: int) -> tuple[Home, dict[str, Actor], Director]:
    """Home, controllers and director for one seed; people know what the story says they know."""
    stage = set_stage(story, place, seed)
    director = Director(story, stage)
    at = {t.id: t.at for t in stage.home.things}
    actors = {}
    for id, part in story.cast.items():
        mind = Person(stage.home, id, seed, traits=part.traits)
        for word in part.knows:
            thing = stage.names.get(word, word)
            if thing not in at:
                part.source.fail(f"knows '{word}', which is no thing here; allowed: {', '.join(sorted(at))}")
            mind.memory.know(thing, at[thing])
        actors[id] = Actor(mind, part, stage.steps[id], stage.goals[id], director, seed)
    return stage.home, actors, director


def timeline(world: EmbeddedWorld) -> list[str]:
    """What happened so far, a line each."""
    rows = [(e.action.end if e.action.end is not None else e.action.start, 0,
             f"{e.action.actor:8} {e.action.verb.value}({', '.join(filter(None, (e.action.target, e.action.place)))})"
             f"{' …' if e.action.end is None else ''}  in {e.action.room}; seen by {', '.join(sorted(e.seen_by - {e.action.actor})) or 'nobody'}")
            for e in world.events]
    rows += [(u.stamp, 1, f'{u.speaker:8} says "{u.text}"') for u in world.utterances]
    return [f"{t:7.2f}  {text}" for t, _, text in sorted(rows)]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sim_bridges.embedded.story", description="Print what happens in a story.")
    parser.add_argument("--story", default="false_belief", help=f"name or file; shipped: {', '.join(story_names())}")
    parser.add_argument("--home", default=None, help=f"name or file; shipped: {', '.join(home_names())}")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args(argv)
    try:
        world = open_story(options.story, options.home, options.seed)
    except SourceError as problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"{world.director.story.name} in {world.home.name}, seed {world.seed}: "
          + ", ".join(f"{role} = {id}" for role, id in world.director.stage.names.items()))
    while not world.finished:
        world.advance(0.2)
    print("\n".join(timeline(world)))
    for id, actor in world.controllers.items():
        mind = actor.mind
        state = f"reached after {mind.reached_at - mind.since:.1f} s" if mind.reached_at is not None else mind.stuck or "not reached"
        print(f"{id}: {mind.goal}: {state}")
    for problem in world.director.problems:
        print(f"problem: {problem}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

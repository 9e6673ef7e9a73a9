"""Who heard it: the same room, or near enough through an opening. What a person did not hear cannot change what they believe."""

from __future__ import annotations

import math
from dataclasses import dataclass

from household.actions import Utterance
from household.scene_graph import ROBOT, SceneGraph


@dataclass(frozen=True)
class EarshotConfig:
    """``reach``: metres at which speech is understood in another room of the home (through open doorways)."""

    reach: float = 4.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.reach <= 50.0:
            raise ValueError(f"reach must be in [0, 50] m, got {self.reach}")


def audible(utterance: Utterance) -> bool:
    """Whether the robot heard it: its own words, and what it is not known to have been out of earshot of."""
    return utterance.hearers is None or ROBOT in (utterance.speaker, *utterance.hearers)


def in_earshot(scene: SceneGraph, utterance: Utterance, config: EarshotConfig = EarshotConfig()) -> tuple[str, ...]:
    """Ids of people (and the robot, when it is in the scene or the speaker is) who heard it, without the speaker, sorted.

    ``utterance.hearers`` is believed where the source knows; otherwise the scene's rooms and distances decide.
    """
    if utterance.hearers is not None:
        return tuple(sorted(set(utterance.hearers) - {utterance.speaker}))
    speaker = scene.entities.get(utterance.speaker)
    others = [e for e in (*scene.people(), *([scene.entities[ROBOT]] if ROBOT in scene.entities else [])) if e.id != utterance.speaker]
    if speaker is None:
        return tuple(sorted(e.id for e in others))
    room = scene.room_of(speaker.id)
    heard = [e.id for e in others if (room is not None and scene.room_of(e.id) == room)
             or math.dist(e.position[:2], speaker.position[:2]) <= config.reach]
    return tuple(sorted(heard))

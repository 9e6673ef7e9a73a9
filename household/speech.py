"""What an utterance does, once read: the only form in which language reaches beliefs, goals and decisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from household.actions import Verb


class ActKind(str, Enum):
    ASK_LOCATION = "ask_location"  # "where is the apple?"
    INFORM_LOCATION = "inform_location"  # "it is in the fridge"
    DENY_LOCATION = "deny_location"  # "it is not in the fridge"
    INFORM_MOVED = "inform_moved"  # "somebody moved the apple"
    REQUEST = "request"  # "could you bring me the mug?"
    STATE_NEED = "state_need"  # "my mouth is so dry"
    STATE_GOAL = "state_goal"  # "I am looking for the keys"
    CONFIRM = "confirm"
    REFUSE = "refuse"  # "no thanks", "never mind", "stop"
    OTHER = "other"


@dataclass(frozen=True)
class SpeechAct:
    """``object``: entity or class id; ``place``: entity or room id, or a class id where several places of that class fit;
    ``person``: whom it concerns (None: the speaker). ``verb``: for a REQUEST, what is asked to be done.

    ``certainty``: how sure the reader is of this reading, in [0, 1]. ``understood`` False: kept as heard, moves no belief,
    and ``reason`` says what could not be resolved.
    """

    kind: ActKind
    speaker: str
    text: str
    object: str | None = None
    place: str | None = None
    person: str | None = None
    certainty: float = 1.0
    understood: bool = True
    reason: str = ""
    verb: Verb | None = None

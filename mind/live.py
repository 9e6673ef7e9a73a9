"""The mind's step as the live stack runs it: what was said is read into speech acts, then minds are updated.

Design reason: the mind node, the replay of a recording and the scenario runner must do the same, so this is the one place where English
meets the filter. Pure: the state goes in and out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from household.ordering import StepInput
from household.speech import SpeechAct
from mind.config import MindConfig
from mind.dialogue import DialogueContext, DialogueMemory, in_earshot, interpret, remember
from mind.dialogue.embedding import NameFinder
from mind.output import Minds
from mind.step import MindInput, MindState, step
from mind.words import Heard


@dataclass(frozen=True)
class LiveState:
    mind: MindState = field(default_factory=MindState)
    talk: DialogueMemory = field(default_factory=DialogueMemory)


def live_step(state: LiveState, inp: StepInput, config: MindConfig, names: NameFinder | None = None) -> tuple[LiveState, Minds]:
    """One graph with the events and words before it. ``names``: finds classes for free object names; None: lexicon only."""
    talk, heard = state.talk, []
    acts: list[SpeechAct] = []
    for said in inp.utterances:
        read = interpret(said, DialogueContext(scene=inp.graph, memory=talk, names=names))
        talk = remember(talk, said, read, inp.graph)
        hearers = in_earshot(inp.graph, said)
        heard += [Heard(act, said.stamp, hearers) for act in read]
        acts += read
    mind, minds = step(state.mind, MindInput(inp.graph, inp.events, tuple(heard)), config)
    return LiveState(mind, talk), replace(minds, acts=tuple(acts))



"""The mind's step as the live stack runs it: what was said is read into speech acts, then minds are updated.

Design reason: the mind node, the replay of a recording and the scenario runner must do the same, so this is the one place where English
meets the filter. Pure: the state goes in and out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from household.ordering import StepInput
from household.scene_graph import ROBOT
from household.speech import SpeechAct
from mind.config import MindConfig
from mind.dialogue import DialogueContext, DialogueMemory, audible, in_earshot, interpret, remember
from mind.dialogue.embedding import NameFinder
from mind.output import Minds, PersonMind
from mind.social import SocialState, social_step, trust_in
from mind.social.step import Said
from mind.step import MindInput, MindState, step
from mind.values import replace
from mind.words import STATEMENTS, Heard


@dataclass(frozen=True)
class LiveState:
    """``people``: the minds of the last step, which is what speakers spoke from."""

    mind: MindState = field(default_factory=MindState)
    talk: DialogueMemory = field(default_factory=DialogueMemory)
    social: SocialState = field(default_factory=SocialState)
    people: Mapping[str, PersonMind] = field(default_factory=dict)


def live_step(state: LiveState, inp: StepInput, config: MindConfig, names: NameFinder | None = None) -> tuple[LiveState, Minds]:
    """One graph with the events and words before it. ``names``: finds classes for free object names; None: lexicon only."""
    if inp.graph.stamp < state.mind.stamp:  # a recording started over
        state = LiveState()
    talk, heard = state.talk, []
    acts: list[SpeechAct] = []
    words: list[Said] = []
    for said in filter(audible, inp.utterances):
        heard_here = frozenset({said.speaker})  # whoever is heard is there, seen or not
        read = interpret(said, DialogueContext(scene=inp.graph, memory=talk, names=names, present=heard_here))
        read = read if said.speaker in inp.graph.entities or said.speaker == ROBOT else tuple(map(_bodiless, read))
        talk = remember(talk, said, read, inp.graph)
        hearers = in_earshot(inp.graph, said)
        trust = {h: trust_in(state.social, h, said.speaker) for h in hearers}
        heard += [Heard(act, said.stamp, hearers, trust) for act in read]
        words += [Said(act, said.stamp, hearers, said.addressee) for act in read]
        acts += read
    mind, minds = step(state.mind, MindInput(inp.graph, inp.events, tuple(heard)), config)
    social, found = social_step(state.social, inp.graph, inp.events, words, {**minds.people, **state.people})
    people = {p: replace(m, social=found[p][0], nested=found[p][1]) for p, m in minds.people.items()}
    return LiveState(mind, talk, social, minds.people), replace(minds, people=people, acts=tuple(acts))


def _bodiless(act: SpeechAct) -> SpeechAct:
    """Said by nobody the robot has ever seen (somebody in another room, or a television): a question or a wish can be met, but a statement
    is kept as heard and convinces nobody."""
    if not act.understood or act.kind not in STATEMENTS:
        return act
    return replace(act, understood=False, certainty=0.0, reason=f"I have not seen '{act.speaker}', who says so")



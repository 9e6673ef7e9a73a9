"""What was talked about so far: the antecedents of "it" and the question that a bare "in the fridge"
or a "yes" answers.

Invariant: bounded (the last ``MENTIONS_KEPT`` mentions, one open question) and immutable; only what was understood is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from household import classes
from household.actions import Utterance
from household.scene_graph import SceneGraph
from household.speech import ActKind, SpeechAct
from mind.dialogue.embedding import NameFinder

MENTIONS_KEPT = 12
MENTION_LIFETIME_S = 180.0  # after three minutes "it" no longer reaches back


@dataclass(frozen=True)
class Mentioned:
    """``id``: entity or class id. ``kind``: the kind of thing. ``stamp``: message time, s."""

    id: str
    kind: classes.Kind
    stamp: float
    by: str


@dataclass(frozen=True)
class OpenQuestion:
    """The last question not yet answered. ``place`` None: "where is it?"; else "is it there?", which yes and no can answer."""

    asker: str
    object: str
    place: str | None
    stamp: float


@dataclass(frozen=True)
class DialogueMemory:
    """``mentions``: newest last. ``question``: the one still open, or None."""

    mentions: tuple[Mentioned, ...] = ()
    question: OpenQuestion | None = None

    def latest(self, now: float, *kinds: classes.Kind, skip: str | None = None) -> str | None:
        """The most recent mention of one of these kinds that is still alive at ``now``."""
        for mention in reversed(self.mentions):
            if mention.kind in kinds and now - mention.stamp <= MENTION_LIFETIME_S and mention.id != skip:
                return mention.id
        return None

    def open_question(self, now: float, answerer: str) -> OpenQuestion | None:
        """The question ``answerer`` may be answering now: asked by somebody else, and not long ago."""
        q = self.question
        return q if q and q.asker != answerer and now - q.stamp <= MENTION_LIFETIME_S else None


@dataclass(frozen=True)
class DialogueContext:
    """All that reading one utterance may use.

    ``scene``: the current graph (an empty one: no home known, class ids stand for places). ``names``: finds the class of a
    free name by meaning; None: lexicon only. ``present``: ids of those who could be speaking; None: people in the scene and
    the robot, and anybody at all while no person has been seen yet.
    """

    scene: SceneGraph = field(default_factory=lambda: SceneGraph(0.0))
    memory: DialogueMemory = DialogueMemory()
    names: NameFinder | None = None
    present: frozenset[str] | None = None


def kind_of(identifier: str, scene: SceneGraph) -> classes.Kind | None:
    """The kind of an entity id or class id; None: nothing known."""
    entity = scene.entities.get(identifier)
    if entity is not None:
        return entity.kind
    row = classes.CLASSES.get(classes.class_of(identifier))
    return row.kind if row else None


def remember(memory: DialogueMemory, utterance: Utterance, acts: tuple[SpeechAct, ...], scene: SceneGraph) -> DialogueMemory:
    """The memory after ``utterance`` was read as ``acts``."""
    mentions, question = list(memory.mentions), memory.question
    for act in acts:
        if not act.understood:
            continue
        for identifier in (act.place, act.object):
            kind = kind_of(identifier, scene) if identifier else None
            if kind is not None and act.kind is not ActKind.STATE_NEED:
                mentions.append(Mentioned(identifier, kind, utterance.stamp, utterance.speaker))
        if act.kind is ActKind.ASK_LOCATION and act.object:
            question = OpenQuestion(utterance.speaker, act.object, act.place, utterance.stamp)
        elif act.kind in (ActKind.INFORM_LOCATION, ActKind.REFUSE) and question and (
                act.kind is ActKind.REFUSE or classes.class_of(act.object or "") == classes.class_of(question.object)):
            question = None
    return replace(memory, mentions=tuple(mentions[-MENTIONS_KEPT:]), question=question)

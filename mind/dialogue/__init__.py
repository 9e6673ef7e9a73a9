"""What people say, read into speech acts: :func:`interpret` for the reading, :func:`remember` for the thread of talk.

Invariant: nothing that could not be resolved ever looks like a fact. Such an act keeps the words as heard, carries
``understood=False`` and a reason, and no belief, goal or decision may use it.
"""

from mind.dialogue.earshot import audible, in_earshot
from mind.dialogue.interpret import interpret
from mind.dialogue.memory import DialogueContext, DialogueMemory, remember

__all__ = ["DialogueContext", "DialogueMemory", "audible", "in_earshot", "interpret", "remember"]

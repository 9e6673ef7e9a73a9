"""What the robot's own hand holds: from its own acts, because its camera rarely sees its own gripper."""

from __future__ import annotations

from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT

_TAKES = frozenset({Verb.PICK, Verb.HOLD})
_LEAVES = frozenset({Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.PLACE, Verb.GIVE, Verb.DROP})


class OwnHands:
    """``act`` with the robot's acts as they are published; ``holding`` for ``FrameInput.robot_holds``."""

    def __init__(self) -> None:
        self._held: tuple[str, ...] = ()

    def act(self, action: HumanAction) -> None:
        if action.actor != ROBOT or action.target is None:
            return
        rest = tuple(h for h in self._held if h != action.target)
        if action.verb in _TAKES:
            self._held = (*rest, action.target)
        elif action.verb in _LEAVES:
            self._held = rest

    def holding(self) -> tuple[str, ...]:
        return self._held

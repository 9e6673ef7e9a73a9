"""What people think that others think, to any finite order, by joint witnessing.

Invariant: a chain "A thinks that B thinks that …" moves only with what everybody in it witnessed together; the robot's own
knowledge never leaks into it.
"""

from mind.nested.common_ground import CommonGround, Happening, Occurrence, believed, false_belief, told, witnessed

__all__ = ["CommonGround", "Happening", "Occurrence", "believed", "false_belief", "told", "witnessed"]

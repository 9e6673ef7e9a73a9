"""What can go wrong between the stack and a world, as types a node can tell apart. Every message says what happened, where, and what to do.

A world that lost its simulator raises ConnectionLost from every call until the simulator is back, and then sets the scene up again.
"""

from __future__ import annotations


class BridgeError(ValueError):
    """Something the bridge cannot do, with what it was given or what it found; ``str()`` is one line for people."""


class ConnectionLost(BridgeError, ConnectionError):
    """The simulator or camera does not answer (never did, or stopped). Calling again tries to reconnect. Also an OSError."""


class WrongService(BridgeError):
    """Something answers, but it is not the simulator that was expected."""


class NotSupported(BridgeError):
    """This simulator (too old, another build) does not know ``command``; the message names a way round."""

    def __init__(self, message: str, command: str = ""):
        super().__init__(message)
        self.command = command


class BadReply(BridgeError):
    """The simulator answered with something that cannot be used: not JSON, wrong sizes, missing fields."""


class UnknownName(BridgeError):
    """A character, camera, entity or scene that this world does not have; the message lists what it has."""


class Closed(BridgeError):
    """The world was closed by us; nothing can be asked of it any more."""

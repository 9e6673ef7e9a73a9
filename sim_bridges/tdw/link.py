"""The wire to a ThreeDWorld build: what ``tdw.Controller.communicate`` does, with a deadline on every wait and room for a build that comes back.

The controller is the ZMQ REP side and the *build* speaks first, once, when it connects; then every list of commands is answered by data parts and
a frame count. The package's own Controller blocks for ever when the build is gone, so its few lines are done here; add-ons, parsers and metadata
are the package's. A build's death shows as a disconnect on the socket's monitor long before any deadline; the build also reconnects by itself
when its socket stalls (it then sends ``ftre``: resend), so a disconnect counts only if nothing arrives within a grace period.
Invariant: after a loss the socket is new, so that no late answer can be taken for the answer to a newer request.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import zmq
from zmq.utils.monitor import recv_monitor_message

from sim_bridges.errors import BadReply, BridgeError, Closed, ConnectionLost

MAX_RESENDS = 5
GRACE = 1.0  # seconds after a disconnect in which the build may come back by itself


@dataclass(frozen=True)
class Limits:
    """Deadlines in seconds. ``connect``: for a build to connect; ``answer``: ordinary frames; ``load``: frames that load models.
    ``idle``: after how long without a word from us the *build* drops its socket and looks for a controller again."""

    connect: float = 10.0
    answer: float = 10.0
    load: float = 300.0
    idle: float = 3.0

    def __post_init__(self) -> None:
        for name, high in (("connect", 600.0), ("answer", 600.0), ("load", 3600.0), ("idle", 600.0)):
            if not 0.05 <= getattr(self, name) <= high:
                raise ValueError(f"{name}={getattr(self, name)} s is outside [0.05, {high}] s")


class BuildLink:
    """``communicate`` as in ``tdw.Controller``, add-ons included. Raises ConnectionLost, BadReply, BridgeError."""

    def __init__(self, port: int = 1071, limits: Limits = Limits(), context: zmq.Context | None = None):
        if not 1 <= port <= 65535:
            raise ValueError(f"port={port} is outside [1, 65535]")
        self.port, self.limits = port, limits
        self.add_ons: list = []
        self._context = context or zmq.Context.instance()
        self._socket: zmq.Socket | None = None
        self._monitor: zmq.Socket | None = None
        self._greeted = False
        self._closed = False

    def connect(self, limit: float | None = None) -> None:
        """Listen, and wait for the build's greeting. Raises ConnectionLost when none comes, BridgeError when the port is taken."""
        if self._closed:
            raise Closed("this ThreeDWorld link was closed")
        if self._socket is None:
            self._open()
        limit = self.limits.connect if limit is None else limit
        if not self._socket.poll(int(limit * 1000)):
            raise ConnectionLost(f"no ThreeDWorld build connected to port {self.port} within {limit:g} s: start one "
                                 f"(TDW.x86_64 -port {self.port}; add -address HOST when it runs on another machine)")
        self._socket.recv_multipart()
        self._greeted = True

    def communicate(self, commands: list[dict], limit: float | None = None) -> list[bytes]:
        """Send one list of commands (add-ons add theirs), return the data parts and the frame count."""
        if not self._greeted:
            self.connect()
        commands = list(commands)
        for add_on in self.add_ons:
            if not add_on.initialized:
                commands[:0] = add_on.get_early_initialization_commands()
                commands.extend(add_on.get_initialization_commands())
                add_on.initialized = True
            else:
                commands.extend(add_on.commands)
                add_on.commands.clear()
        for add_on in self.add_ons:
            add_on.before_send(commands)
        reply = self._exchange([json.dumps(commands).encode("utf-8")], self.limits.answer if limit is None else limit)
        try:
            for add_on in self.add_ons:
                add_on.on_send(reply)
        except Exception as error:  # the package's add-ons raise whatever broken data make them raise
            self.lose()
            raise BadReply(f"the ThreeDWorld build's data cannot be used ({type(error).__name__}: {error}): do the build and the tdw package have "
                           "the same version?") from None
        return reply

    def lose(self) -> None:
        """Forget the build: the next call listens on a new socket."""
        self._greeted = False
        if self._socket is not None:
            self._socket.disable_monitor()  # closes the monitor, too
            self._socket.close(linger=0)
        self._socket = self._monitor = None
        self.add_ons.clear()

    def close(self) -> None:
        """Free the port. The build is left running: after ``idle`` seconds it looks for the next controller."""
        self._closed = True
        self.lose()

    def _open(self) -> None:
        self._socket = self._context.socket(zmq.REP)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        deadline = time.monotonic() + GRACE  # a socket just closed frees its port a moment later
        while True:
            try:
                return self._socket.bind(f"tcp://*:{self.port}")
            except zmq.ZMQError as error:
                if error.errno == zmq.EADDRINUSE and time.monotonic() < deadline:
                    time.sleep(0.02)
                    continue
                self.lose()
                raise BridgeError(f"port {self.port} cannot be listened on ({error}): another controller is running? Stop it, or set another "
                                  "port here and for the build") from None

    def _exchange(self, message: list[bytes], limit: float) -> list[bytes]:
        for _ in range(MAX_RESENDS + 1):
            try:
                self._socket.send_multipart(message)
                reply = self._await(limit)
            except zmq.ZMQError as error:
                self.lose()
                raise ConnectionLost(f"the link to the ThreeDWorld build broke: {error}") from None
            kinds = [part[4:8] for part in reply[:-1]]
            if b"quit" in kinds:
                self.lose()
                raise ConnectionLost("the ThreeDWorld build quit: its Player.log says why")
            if len(reply[-1]) != 4 or any(len(part) < 8 for part in reply[:-1]):
                self.lose()
                raise BadReply(f"what answers on port {self.port} is no ThreeDWorld build: a reply of {len(reply)} parts does not end in a frame count")
            if b"ftre" not in kinds:
                return reply
        self.lose()
        raise ConnectionLost(f"the ThreeDWorld build failed to receive the same commands {MAX_RESENDS + 1} times")

    def _await(self, limit: float) -> list[bytes]:
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._monitor, zmq.POLLIN)
        deadline, gone = time.monotonic() + limit, False
        while (left := deadline - time.monotonic()) > 0:
            ready = dict(poller.poll(left * 1000))
            if self._socket in ready:
                return self._socket.recv_multipart()
            if self._monitor in ready:
                recv_monitor_message(self._monitor)
                gone, deadline = True, min(deadline, time.monotonic() + GRACE)
        self.lose()
        raise ConnectionLost(f"the ThreeDWorld build on port {self.port} "
                             + ("disconnected: has it crashed? See its Player.log" if gone else f"did not answer within {limit:g} s"))

"""Approximate synchronisation of image streams by their stamps, with the books kept: what matched, how far apart, what was dropped.

The first stream leads: each of its items gets the nearest item of every other stream, or is dropped. A match is decided as soon as no
later item can be nearer (the shortest gap seen in a stream bounds when its next one comes), so well-timed streams wait for nothing and
late depth is waited for, at most ``patience`` seconds of message time. No clock: only stamps are compared.
Invariant: every item is used at most once, matches come out in stamp order, each queue holds at most ``queue`` items.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class SyncConfig:
    """``slop``: largest stamp difference of a match, s. ``patience``: how long the leader waits for a partner, s of message time.
    ``queue``: items kept per stream. ``jump``: a stamp this much older than the newest means that time started again, s."""

    slop: float = 0.04
    patience: float = 0.25
    queue: int = 10
    jump: float = 2.0

    def __post_init__(self) -> None:
        for name, low, high in (("slop", 0.0, 1.0), ("patience", 0.0, 10.0), ("jump", 0.1, 3600.0)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name}={value} s is outside [{low}, {high}] s")
        if not 2 <= self.queue <= 1000:
            raise ValueError(f"queue={self.queue} is outside [2, 1000] items")


@dataclass(frozen=True)
class Match:
    """``stamp``: the leader's. ``items``: in the order of the streams. ``skew``: largest distance of a partner's stamp, s."""

    stamp: float
    items: tuple[Any, ...]
    skew: float


@dataclass
class SyncStats:
    """Since the start (or the last ``restart``): matches, mean and largest skew in seconds, and per stream what came and what was dropped."""

    matched: int = 0
    skew_sum: float = 0.0
    skew_max: float = 0.0
    received: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    restarts: int = 0

    @property
    def skew_mean(self) -> float:
        return self.skew_sum / self.matched if self.matched else 0.0

    def summary(self) -> str:
        drops = ", ".join(f"{name} {n}/{self.received[name]}" for name, n in self.dropped.items())
        return f"{self.matched} matched, skew mean {self.skew_mean * 1e3:.1f} ms, largest {self.skew_max * 1e3:.1f} ms, dropped {drops}"


class _Stream:
    def __init__(self, name: str, size: int):
        self.name = name
        self.items: deque[tuple[float, Any]] = deque()
        self.size = size
        self.newest = float("-inf")
        self.gaps: deque[float] = deque(maxlen=20)

    def next_not_before(self) -> float:
        """No later item can have an earlier stamp than this."""
        return self.newest + (0.9 * min(self.gaps) if self.gaps else 0.0)


class ApproximateSynchronizer:
    """``add`` items as they arrive, in any order between streams; it returns the matches that became certain."""

    def __init__(self, streams: Sequence[str], config: SyncConfig = SyncConfig()):
        if len(streams) < 2 or len(set(streams)) != len(streams):
            raise ValueError(f"two or more different streams are needed, not {list(streams)}")
        self.config = config
        self._names = tuple(streams)
        self._streams = {name: _Stream(name, config.queue) for name in streams}
        self.stats = SyncStats(received=dict.fromkeys(streams, 0), dropped=dict.fromkeys(streams, 0))

    def add(self, name: str, stamp: float, item: Any) -> list[Match]:
        """Matches, oldest first (usually none or one). Raises KeyError for an unknown stream, ValueError for a stamp that is no number."""
        if name not in self._streams:
            raise KeyError(f"unknown stream '{name}'; streams: {', '.join(self._names)}")
        if not abs(stamp) < float("inf"):
            raise ValueError(f"stream '{name}': stamp {stamp} is not a time")
        stream = self._streams[name]
        self.stats.received[name] += 1
        if stamp < stream.newest - self.config.jump:
            self.restart()
            stream = self._streams[name]
        if stamp <= stream.newest:  # repeated or out of order within one stream
            self.stats.dropped[name] += 1
            return []
        if stream.newest > float("-inf"):
            stream.gaps.append(stamp - stream.newest)
        stream.newest = stamp
        stream.items.append((stamp, item))
        matches = self._decide()
        while len(stream.items) > stream.size:
            stream.items.popleft()
            self.stats.dropped[name] += 1
        return matches

    def restart(self) -> None:
        """Forget what waits (time started again); the books go on."""
        for name, stream in self._streams.items():
            self.stats.dropped[name] += len(stream.items)
            self._streams[name] = _Stream(name, self.config.queue)
        self.stats.restarts += 1

    def _decide(self) -> list[Match]:
        leader, others = self._streams[self._names[0]], [self._streams[n] for n in self._names[1:]]
        matches = []
        while leader.items:
            stamp, item = leader.items[0]
            partners = [self._partner(stamp, stream) for stream in others]
            if any(p is _WAIT for p in partners):
                break
            leader.items.popleft()
            if any(p is None for p in partners):
                self.stats.dropped[leader.name] += 1
                continue
            matches.append(self._take(stamp, item, others, partners))
        return matches

    def _partner(self, stamp: float, stream: _Stream):
        """Index of the nearest item within slop, None if there will be none, _WAIT if it cannot be known yet."""
        best = min(range(len(stream.items)), key=lambda i: abs(stream.items[i][0] - stamp), default=None)
        distance = abs(stream.items[best][0] - stamp) if best is not None else float("inf")
        soonest = stream.next_not_before() - stamp  # of the next item, relative to the leader
        settled = soonest >= min(distance, self.config.slop)
        newest = max(s.newest for s in self._streams.values())
        if not settled and distance > 0 and newest - stamp <= self.config.patience:
            return _WAIT
        return best if distance <= self.config.slop else None

    def _take(self, stamp: float, item: Any, others: list[_Stream], partners: list[int]) -> Match:
        chosen, skew = [], 0.0
        for stream, index in zip(others, partners):
            for _ in range(index):
                stream.items.popleft()
                self.stats.dropped[stream.name] += 1
            at, partner = stream.items.popleft()
            chosen.append(partner)
            skew = max(skew, abs(at - stamp))
        self.stats.matched += 1
        self.stats.skew_sum += skew
        self.stats.skew_max = max(self.stats.skew_max, skew)
        return Match(stamp, (item, *chosen), skew)


_WAIT = object()

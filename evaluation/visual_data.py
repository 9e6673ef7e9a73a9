"""``visual_data``: what was seen in a video, every 20th frame, as the benchmark ships it and as ``heed export muma`` writes it.

One folder per episode with six JSON files, each ``{episode: {sample: ...}}``: ``boxes`` (instance → class and an axis-aligned box in
metres, in a frame of the camera of that sample: boxes of one sample compare with each other, never across samples), ``closeness``
(classes near a person), ``inside`` and ``on`` (sentences), ``hold`` (sentences), ``opened`` (classes seen opening: an event, not a
state). Boxes larger than ``MAX_SIZE`` along an axis are segmentation errors and dropped here. Exports add ``open_state`` and ``rooms``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from evaluation.choice_report import read_json
from evaluation.cli import UsageError

MAX_SIZE = 4.0  # metres
FILES = ("boxes", "closeness", "inside", "on", "hold", "opened")
CHARACTER = "character"
_INSIDE = re.compile(r"An? (.+?) is (?:inside|on) the (.+)")
_HOLD = re.compile(r"is holding an? (\w+)")


@dataclass(frozen=True)
class Box:
    """``low`` and ``high``: corners, float64 (3,), metres, in the sample's own frame."""

    cls: str
    low: np.ndarray
    high: np.ndarray

    @property
    def size(self) -> float:
        """Its longest side."""
        return float((self.high - self.low).max())

    def gap(self, other: "Box") -> float:
        """Distance between the boxes, 0 where they touch or overlap."""
        return float(np.linalg.norm(np.maximum(0.0, np.maximum(self.low - other.high, other.low - self.high))))


@dataclass(frozen=True)
class Sample:
    """One looked-at frame. ``inside`` and ``on``: (object class, place class) pairs as stated. ``held``: object classes."""

    boxes: Mapping[str, Box] = field(default_factory=dict)
    near: frozenset[str] = frozenset()
    inside: frozenset[tuple[str, str]] = frozenset()
    on: frozenset[tuple[str, str]] = frozenset()
    held: frozenset[str] = frozenset()
    opened: frozenset[str] = frozenset()

    def of_class(self, cls: str) -> list[tuple[str, Box]]:
        return [(i, b) for i, b in self.boxes.items() if b.cls == cls]


@dataclass(frozen=True)
class Video:
    """The samples of one episode in order of time."""

    samples: tuple[Sample, ...]


def read_episode(folder: str | Path, episode: str) -> Video:
    """The video of ``episode`` under ``folder``. Raises UsageError naming file and sample; an absent folder is an empty Video."""
    base = Path(folder) / episode
    if not base.is_dir():
        return Video(())
    parts = {}
    for name in FILES:
        content = read_json(base / f"{name}.json")
        if not isinstance(content, dict) or not isinstance(content.get(episode), dict):
            raise UsageError(f"'{base / name}.json': wanted {{\"{episode}\": {{sample: ...}}}}")
        parts[name] = content[episode]
    try:
        order = sorted(parts["boxes"], key=int)
    except ValueError:
        raise UsageError(f"'{base}/boxes.json': sample names must be whole numbers") from None
    return Video(tuple(_sample(base, key, parts) for key in order))


def _sample(base: Path, key: str, parts: Mapping[str, Mapping]) -> Sample:
    try:
        boxes = {}
        for instance, row in parts["boxes"][key].items():
            box = Box(str(row["class_name"]), np.array([row[f"{a}_min"] for a in "xyz"], dtype=float),
                      np.array([row[f"{a}_max"] for a in "xyz"], dtype=float))
            if np.isfinite(box.low).all() and np.isfinite(box.high).all() and box.size <= MAX_SIZE:
                boxes[str(instance)] = box
        return Sample(boxes, frozenset(parts["closeness"].get(key, ())), _pairs(parts["inside"].get(key, ())),
                      _pairs(parts["on"].get(key, ())), frozenset(m[1] for s in parts["hold"].get(key, ()) for m in _HOLD.finditer(s)),
                      frozenset(parts["opened"].get(key, ())))
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"'{base}', sample {key}: {type(error).__name__} {error}") from None


def _pairs(lines) -> frozenset[tuple[str, str]]:
    return frozenset((m[1].strip(), m[2].strip()) for m in map(_INSIDE.match, lines) if m)

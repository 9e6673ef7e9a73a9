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


def read_episode(folder: str | Path, episode: str, wrong: list[str] | None = None) -> Video:
    """The video of ``episode`` under ``folder`` (in a folder of its own, or all episodes in the same six files). An absent folder is an empty Video, what is absent or cannot be read is left out
    and named in ``wrong``."""
    wrong = [] if wrong is None else wrong
    places = (Path(folder) / episode, Path(folder) / f"episode_{episode}", Path(folder))
    base = next((p for p in places if (p / "boxes.json").is_file()), places[0])
    if not base.is_dir():
        return Video(())
    parts = {name: _part(base / f"{name}.json", episode, wrong) for name in FILES}
    numbered = [key for part in parts.values() for key in part if str(key).strip().isdigit()]
    order = sorted(set(numbered), key=int)
    if len(order) < len(parts["boxes"]):
        wrong.append(f"'{base}/boxes.json': sample names must be whole numbers")
    return Video(tuple(_sample(base, key, parts, wrong) for key in order))


def _part(path: Path, episode: str, wrong: list[str]) -> Mapping[str, object]:
    """Sample → what one file says of it."""
    if not path.is_file():
        wrong.append(f"'{path}' is missing")
        return {}
    try:
        content = read_json(path)
    except UsageError as error:
        wrong.append(str(error))
        return {}
    rows = content.get(episode, content if path.parent.name.endswith(episode) else {}) if isinstance(content, dict) else None
    if not isinstance(rows, dict):
        wrong.append(f"'{path}': wanted {{\"{episode}\": {{sample: ...}}}}")
        return {}
    return rows


def _sample(base: Path, key: str, parts: Mapping[str, Mapping[str, object]], wrong: list[str]) -> Sample:
    boxes: dict[str, Box] = {}
    rows = parts["boxes"].get(key, {})
    for instance, row in (rows.items() if isinstance(rows, dict) else ()):
        try:
            box = Box(str(row["class_name"]), np.array([row[f"{a}_min"] for a in "xyz"], dtype=float),
                      np.array([row[f"{a}_max"] for a in "xyz"], dtype=float))
        except (KeyError, TypeError, ValueError) as error:
            wrong.append(f"'{base}/boxes.json', sample {key}, {instance}: {type(error).__name__} {error}")
            continue
        if np.isfinite(box.low).all() and np.isfinite(box.high).all() and box.size <= MAX_SIZE:
            boxes[str(instance)] = box

    def listed(name: str) -> list[str]:
        value = parts[name].get(key)
        return [str(x) for x in value] if isinstance(value, (list, tuple)) else []

    return Sample(boxes, frozenset(listed("closeness")), _pairs(listed("inside")), _pairs(listed("on")),
                  frozenset(m[1] for s in listed("hold") for m in _HOLD.finditer(s)), frozenset(listed("opened")))


def _pairs(lines) -> frozenset[tuple[str, str]]:
    return frozenset((m[1].strip(), m[2].strip()) for m in map(_INSIDE.match, lines) if m)

"""A loose thing as it is known from frame to frame, and what the tracker of things has of one frame to judge it by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from household import classes
from household.scene_graph import Tracking
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import Box
from perception.handling import Traces
from perception.looks import Colour
from perception.people import PersonTrack
from perception.places import MOBILE_DEVICES, PlaceTrack
from perception.records import replace
from perception.voxels import VoxelMap

_SEEN, _GUESS = 0.95, 0.5  # confidence in what was seen; in a conclusion for which no hand was seen
AWAY = 0.15  # m from where a thing was last seen, to be somewhere else
LIES = 3  # looks at it lying still, in a row, that are no mistake of the eyes
PASSED_ON = 3  # frames that show it in another's hand before it is there: who walks past somebody hides whose hand it is in
_LIKELY = 0.3  # that there is such a thing, and under this name
_MISNAMED = 0.3  # share of that confidence that is lost under a wrong name


def is_thing(cls: str) -> bool:
    return classes.get(cls).kind in (classes.Kind.OBJECT, classes.Kind.OBSTACLE) or cls in MOBILE_DEVICES


@dataclass(frozen=True)
class ThingTrack:
    """``place``: container or surface it is in or on (``inside`` tells which), None: on the floor, in the air or not known.
    ``holder``: person id. ``offset``: from the holder's floor position to the thing, in the map's axes, when they faced ``faced`` (radians; None: not known). ``rest``: where it last lay still.
    ``seen_at``: where it was last seen (a held thing is moved along unseen).
    ``changed``: stamp at which its present place or holder began. ``guessed``: that place was concluded, not seen.
    ``sure``: of a conclusion, how surely a hand was there; ``named``: how likely its name is right. ``colour``: of its middle.
    ``carry``: its distance from the holder's middle and its height, while they walk with it. ``showed``: (who carried it last, in how many looks it showed with them).
    ``passing``: as it was in the hand that had it before, until it has shown in the present one often enough.
    ``reached``: (container, stamp) the holder had open in reach while the thing was out of sight; ``tried``: one that showed signs of it. ``stood``: place → seconds they have since stood at
    it (of what opens, with nobody seeing that it was shut), ``bare``: looks at both their hands that showed nothing in them, ``bare_since``: from when on.
    ``entered``: (container, stamp) in which, and since when, it has shown in its holder's hand, about where it did last.
    ``confidence``: that there is such a thing; it grows with every sighting, by its score. ``filled``: those of the ``missed`` looks after which depth says that something is there. ``overlooked``: looks in vain at it that a later sighting in the same place showed to be the detector's fault."""

    id: str
    cls: str
    box: Box
    tracking: Tracking
    last_seen: float
    born: float
    place: str | None = None
    inside: bool = False
    holder: str | None = None
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    faced: float | None = None
    rest: tuple[float, float, float] | None = None
    changed: float = 0.0
    guessed: bool = False
    hits: int = 1
    missed: int = 0
    overlooked: int = 0
    filled: int = 0
    taken_from: str | None = None  # the place, of what is concluded to have been taken; the container that it was seen taken out of
    still: int = 0
    still_since: float = 0.0
    confidence: float = 1.0
    visible: bool = True
    reached: tuple[str, float] | None = None
    stood: Mapping[str, float] = field(default_factory=dict)
    bare: int = 0
    bare_since: float = 0.0
    tried: str | None = None
    entered: tuple[str, float] | None = None
    seen_at: tuple[float, float, float] | None = None
    moving_since: float | None = None
    carry: tuple[float, float] | None = None
    showed: tuple[str, int] = ("", 0)
    passing: ThingTrack | None = field(default=None, compare=False)
    colour: Colour | None = None
    sure: float = 1.0
    named: float = 1.0
    names: tuple[tuple[str, float], ...] = ()  # what it may be, by all looks at it where it was last seen
    look: np.ndarray | None = field(default=None, compare=False)  # perception.appearance, of where it lay; of a hand while it has only been seen in hands
    formerly: tuple[str, ...] = ()  # ids it went by before it turned out to be something else
    visited: bool = False  # whether somebody has been near its place since it was last seen
    was: float = 0.0  # its confidence when it was given up for lost
    unwatched: float = 0.0  # s since then for which its place was not in view
    shown: float = -math.inf  # stamp at which its colours last showed in its place, though it was not detected
    gone_by: float = math.inf  # stamp of the first of the ``missed`` looks
    counted: float | None = None  # stamp of the last look that counted as one of the ``hits``; None: every one did
    largest: float = 0.0  # m across, as large as it has shown lately: a hand hides most of what it holds in one look, and little in another

    @property
    def place_confidence(self) -> float:
        """That it is where, or in whose hand, it is said to be, under this name: who misses a thing knows it again under a wrong one, too, more often
        than not."""
        return (1 - _MISNAMED * (1 - self.named)) * self._placed

    @property
    def known_confidence(self) -> float:
        """That there is such a thing, that it bears its right name, and that it is where, or in whose hand, it is said to be: all that must be true of what is told of it."""
        return self.confidence * dict(self.names).get(self.cls, 1.0) * self._placed

    @property
    def _placed(self) -> float:
        return _GUESS + (_SEEN - _GUESS) * self.sure if self.guessed else _SEEN

    @property
    def centre(self) -> np.ndarray:
        return np.asarray(self.box.centre)

    @property
    def across(self) -> float:
        """Metres from end to end, by the looks that showed most of it."""
        return max(self.largest, *self.box.size)

    @property
    def spot(self) -> Box:
        """Its box where it last lay still."""
        return self.box if self.rest is None else replace(self.box, centre=tuple(self.rest))

    @property
    def last_there(self) -> float:
        """Stamp at which it was last seen, or showed in its place."""
        return max(self.last_seen, self.shown)


@dataclass(frozen=True)
class Surroundings:
    """What the tracker of things needs to know of this frame. ``places`` and ``people`` by id, already updated."""

    frame: FrameInput
    places: Mapping[str, PlaceTrack]
    people: Mapping[str, PersonTrack]
    voxels: VoxelMap | None
    config: PerceptionConfig
    dt: float
    traces: Traces = field(default_factory=dict)

    @cached_property
    def bodies(self) -> np.ndarray:
        """bool (H, W): pixels of people, before whom nothing can be judged."""
        return self._pixels(lambda cls: cls == "person")

    @cached_property
    def loose(self) -> np.ndarray:
        """bool (H, W): pixels of loose things."""
        return self._pixels(is_thing)

    def _pixels(self, those: Callable[[str], bool]) -> np.ndarray:
        found = np.zeros((self.frame.camera.height, self.frame.camera.width), bool)
        for d in self.frame.detections:  # what comes later lies over what came before
            left, top, right, bottom = d.box
            np.copyto(found[top:bottom, left:right], those(d.cls), where=d.mask)
        return found


def lies(track: ThingTrack) -> bool:
    """Whether it lies where it was last seen, as far as is known."""
    return track.holder is None and not track.guessed and track.tracking is not Tracking.LOST


def believed_in(track: ThingTrack, config: PerceptionConfig) -> bool:
    """Whether it was seen often enough to be told of: twice as often where nobody would bet on it, or on its name."""
    unlikely = track.confidence * dict(track.names).get(track.cls, 1.0) < _LIKELY
    return track.hits >= config.confirm_frames * (2 if unlikely else 1)


def was_believed_in(track: ThingTrack, config: PerceptionConfig) -> bool:
    """The same of what is seen in this frame, before it: people have been told of it."""
    return believed_in(replace(track, hits=track.hits - (track.counted in (None, track.last_seen))), config)


def called(track: ThingTrack, cls: str, counters: Mapping[str, int]) -> tuple[ThingTrack, dict[str, int]]:
    """The same thing under another class's name, and the counters: whatever is known of it stays; a name it had before it gets back."""
    old = next((name for name in track.formerly if classes.class_of(name) == cls), None)
    number = counters.get(cls, 0) + (old is None)
    former = tuple(name for name in (*track.formerly, track.id) if name != old)
    return replace(track, id=old or f"{cls}_{number}", cls=cls, formerly=former), {**counters, cls: number}

"""``rgbd``: instances from colour and depth by one network, run by ONNX Runtime (or OpenVINO) on the CPU, by ONNX Runtime or PyTorch on CUDA.

The network (:mod:`perception.training.rgbd_model`) answers with boxes, class probabilities, masks as mixtures of prototypes, and people's joints. It looks at the
whole picture, then at enlarged parts of it where small things are or may be held (:mod:`perception.detectors.closer`).
Here answers about the same thing are brought together, and the naming network of the light detector, which sees each instance at full size beside its measures in
metres, adds its opinion and draws small outlines anew. No AGPL library is needed to run it; its weights continue YOLOv8's, which are AGPL-3.0.
What the weights expect is written inside the file and checked before the first image. Invariant: masks of one image never overlap.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors import DetectorError, closer
from perception.detectors.base import FALLIBLE, Detection, Joint, Keypoint
from perception.detectors.closer import CELL, COARSE
from perception.detectors.light import WEIGHTS as LIGHT
from perception.detectors.light import (ALTERNATIVES, NAMES_INPUTS, NAMES_OUTPUTS, Run, check_names, chosen, demand, keypoints, loader, names_path,
                                        warn_if_weak)
from perception.detectors.light_crops import SIDE, View
from perception.detectors.light_features import GEOMETRY, Floor, inputs, prepared
from perception.detectors.light_groups import group_of
from perception.detectors.light_outlines import Cut, refined, settled, tight

WEIGHTS = Path(__file__).parent / "weights" / "rgbd.onnx"
FORMAT = "heed-rgbd-1"
INPUTS, OUTPUTS = ("rgb", "geometry"), ("boxes", "names", "masks", "prototypes", "joints")
_STRIDE = 4  # of prototypes and joints
_SMALL = 48.0  # pixels of the network's input: things less wide and high than that are worth a closer look
_ALONE = 0.6  # what only an enlarged look saw, where nobody is: what it says of how likely it is to be there holds so much
_ARM = 0.15  # of the height of somebody's box that their hands, and what they hold, may show beside it


@dataclass(frozen=True)
class Header:
    """What a weights file says of itself. ``classes`` without a background; ``size`` = (width, height) of the colour input; ``any_size``: the network may be
    given other multiples of 32, too."""

    classes: tuple[str, ...]
    size: tuple[int, int]
    joints: tuple[Joint, ...]
    any_size: bool = False

    @classmethod
    def parse(cls, meta: Mapping[str, str], path: Path) -> "Header":
        """From the metadata; raises DetectorError naming the field."""
        demand(meta, path, {"format": FORMAT, "geometry": json.dumps(GEOMETRY)})
        try:
            names, size = tuple(json.loads(meta["classes"])), tuple(int(v) for v in json.loads(meta["size"]))
            joints = tuple(Joint(j) for j in json.loads(meta["joints"]))
        except (KeyError, TypeError, ValueError) as error:
            raise DetectorError(f"weights '{path}': metadata cannot be read ({type(error).__name__}: {error})") from error
        unknown = [n for n in names if n not in classes.CLASSES]
        if unknown or len(set(names)) != len(names) or not names:
            raise DetectorError(f"weights '{path}' were trained for another class list; unknown here: {', '.join(unknown) or 'nothing'}, "
                                f"{len(names)} names of which {len(set(names))} differ")
        if len(size) != 2 or any(v <= 0 or v % 32 for v in size):
            raise DetectorError(f"weights '{path}': input size {size}, wanted two multiples of 32")
        return cls(names, size, joints, meta.get("any_size") == "true")


@dataclass(frozen=True)
class RgbdConfig:
    """``score_threshold``: detections below are left out; ``faint``: the same for small things where somebody is, who may hold them (what reads the detections
    decides: perception.faint); ``overlap``: intersection over union from which two boxes of one group are of one
    thing; ``most`` detections; ``naming``: exponent of the naming network's opinion (0: it is not asked); ``looks`` at what gets a finer outline; ``closer``: what may
    be spent on looking again, more closely, as a share of the pixels of the first look (0: one look), more of larger pictures (:func:`closer.budget_of`);
    ``cell``: what the sides of such looks are multiples of, pixels."""

    score_threshold: float = 0.2
    faint: float = 0.05
    overlap: float = 0.6
    most: int = 120
    naming: float = 2.0
    looks: int = 1
    closer: float = 0.7
    cell: int = CELL

    def __post_init__(self) -> None:
        for name, low, high in (("score_threshold", 0.0, 1.0), ("faint", 0.0, 1.0), ("overlap", 0.0, 1.0), ("most", 1, 1000), ("naming", 0.0, 10.0), ("looks", 1, 5), ("closer", 0.0, 16.0)):
            if not low <= getattr(self, name) <= high:
                raise DetectorError(f"{name} {getattr(self, name)}: must be {low:g} to {high:g}")


@dataclass(frozen=True)
class Found:
    """One answer of the network: ``box`` x0 y0 x1 y1 in input pixels, ``names`` float (c,) of each class to be there, ``mask`` coefficients."""

    box: np.ndarray
    names: np.ndarray
    mask: np.ndarray

    @property
    def score(self) -> float:
        """Of the likeliest class."""
        return float(self.names.max())

    @property
    def there(self) -> float:
        """How likely it is that any class is there, the classes' answers taken as independent."""
        return float(1.0 - np.prod(1.0 - np.clip(self.names, 0.0, 1.0)))


@dataclass(frozen=True)
class Seen:
    """An answer and its cut, the cut in pixels of the whole image; ``looked``: the closer look that showed all of somebody, where it began."""

    found: Found
    cut: Cut
    looked: "tuple[closer.Region, np.ndarray] | None" = None

    @property
    def box(self) -> closer.Box:
        h, w = self.cut.mask.shape
        return float(self.cut.left), float(self.cut.top), float(self.cut.left + w), float(self.cut.top + h)

    def at(self, left: int, top: int) -> "Seen":
        """Of a part of the image whose first pixel is there."""
        return replace(self, cut=replace(self.cut, left=self.cut.left + left, top=self.cut.top + top))

    def with_names(self, names: np.ndarray) -> "Seen":
        return replace(self, found=replace(self.found, names=names))


@dataclass(frozen=True)
class Look:
    """What one run of the network found; ``joints`` float (j, h, w): its maps of people's joints."""

    seen: list[Seen]
    joints: np.ndarray


class RgbdDetector:
    """``run``: (rgb (1, 3, h, w), geometry (1, 7, h/2, w/2)) → the ``OUTPUTS``; ``second``: the naming network of the light detector, (crops,
    facts) → probabilities with the background first, outlines; or None. See :func:`create`."""

    name = "rgbd"
    tuning = FALLIBLE

    def __init__(self, header: Header, run: Run, second: Run | None = None, config: RgbdConfig = RgbdConfig(), side: int = SIDE):
        self.header, self._run, self._second, self.config, self._side = header, run, second, config, side
        self.classes = header.classes
        self._groups = np.array([group_of(c) for c in header.classes])

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        """As :class:`Detector`. ``camera_pose`` (optical → map, (4, 4)) gives height and pitch; without it the floor is looked for in depth."""
        rgb, geometry, floor = prepared(color, depth, camera, camera_pose, self.header.size)
        first = self._look(rgb, geometry, camera)
        seen = self._again(first, color, depth, camera, floor)
        if not seen:
            return ()
        cuts, likely = self._named([s.found for s in seen], [s.cut for s in seen], View(color, depth, camera, floor))
        settled_cuts = settled(cuts, [s.found.score for s in seen], [int(self._groups[s.found.names.argmax()]) for s in seen], camera.width, camera.height)
        made = (self._detection(s, c, p, camera, first.joints) for s, c, p in zip(seen, settled_cuts, likely) if c is not None)
        return tuple(d for d in made if d is not None)

    def _look(self, rgb: np.ndarray, geometry: np.ndarray, camera: CameraModel, bodies: list[np.ndarray] | None = None) -> "Look":
        """One run of the network at what ``camera`` shows. ``bodies``: where people are, boxes in pixels of the input, if that is known."""
        boxes, names, masks, prototypes, joints = (x[0] for x in self._run(rgb[None], geometry[None]))
        if len(names) != len(self.header.classes):
            raise DetectorError(f"the network gives {len(names)} classes, its class list has {len(self.header.classes)}")
        size = (rgb.shape[2], rgb.shape[1])
        seen = [Seen(f, c) for f in self._apart(boxes, names, masks, bodies) if (c := cut(f, prototypes, size, camera)) is not None]
        return Look(seen, joints)

    def _again(self, first: "Look", color: np.ndarray, depth: np.ndarray | None, camera: CameraModel, floor: Floor | None) -> list["Seen"]:
        """What the first look found, and closer looks where they help."""
        if not self.header.any_size or self.config.closer <= 0.0:
            return first.seen
        seen, scale = first.seen, np.tile((camera.width / self.header.size[0], camera.height / self.header.size[1]), 2)
        boxes = [(s.found, tuple(s.found.box * scale), self._kind(s.found.names)) for s in seen]
        bodies = [b for f, b, kind in boxes if kind is classes.Kind.PERSON and f.score >= self.config.score_threshold]
        small = [((b[0] + b[2]) / 2, (b[1] + b[3]) / 2, 1.2 - f.score) for f, b, kind in boxes if kind is classes.Kind.OBJECT and max(b[2] - b[0], b[3] - b[1]) < _SMALL * scale[0]]
        budget = closer.budget_of(self.config.closer, camera, self.header.size)
        for region in closer.regions(bodies, small, camera, self.header.size, budget, self.config.cell):
            seen = self._closer(region, seen, bodies, color, depth, camera, floor)
        return seen

    def _closer(self, region: closer.Region, seen: list["Seen"], bodies: list[tuple], color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
                floor: Floor | None) -> list["Seen"]:
        """Small things as they look enlarged, and people with this look at their joints: what both looks saw is told by the mean of both, what only this one saw is new."""
        part, own = region.part, region.camera(camera)
        kx, ky = region.size[0] / region.width, region.size[1] / region.height
        moved = [(np.array(b) - (region.left, region.top) * 2) * (kx, ky, kx, ky) for b in bodies]
        look = self._look(*inputs(np.ascontiguousarray(color[part]), None if depth is None else np.ascontiguousarray(depth[part]), own, region.size, floor), own, moved)
        now = [s.at(region.left, region.top) for s in look.seen if self._kind(s.found.names) is classes.Kind.OBJECT and region.whole(s.found.box, camera)]
        things = [k for k, s in enumerate(seen) if self._kind(s.found.names) is classes.Kind.OBJECT]
        out = [replace(s, looked=(region, look.joints)) if self._kind(s.found.names) is classes.Kind.PERSON and region.holds(s.box) else s for s in seen]
        for s, k in zip(now, closer.matched([seen[k].box for k in things], [s.box for s in now])):
            if k is None:
                out.append(s if _among(s.found.box, moved) else s.with_names(_ALONE * s.found.names))
            else:
                out[things[k]] = s.with_names((s.found.names + seen[things[k]].found.names) / 2)
        return out

    def _apart(self, boxes: np.ndarray, names: np.ndarray, masks: np.ndarray, bodies: list[np.ndarray] | None) -> list[Found]:
        """The answers worth keeping, the surest first; of several about one thing the surest (per group of classes)."""
        best, which = names.max(axis=0), names.argmax(axis=0)
        least = min(self.config.faint, self.config.score_threshold)
        kept = np.flatnonzero(best >= least)
        kept = kept[np.argsort(-best[kept])][:2000]
        corners = boxes[kept]
        rectangles = np.concatenate([corners[:, :2], corners[:, 2:] - corners[:, :2]], axis=1)
        surest = cv2.dnn.NMSBoxesBatched(rectangles.tolist(), best[kept].tolist(), self._groups[which[kept]].tolist(), least,
                                         self.config.overlap) if len(kept) else ()
        found = [Found(boxes[kept[i]], names[:, kept[i]], masks[:, kept[i]]) for i in surest]
        if bodies is None:
            bodies = [f.box for f in found if f.score >= self.config.score_threshold and self._kind(f.names) is classes.Kind.PERSON]
        return [f for f in found if f.score >= self.config.score_threshold or (self._kind(f.names) is classes.Kind.OBJECT and _among(f.box, bodies))
                ][:self.config.most]

    def _kind(self, likely: np.ndarray) -> classes.Kind:
        return classes.get(self.header.classes[int(likely.argmax())]).kind

    def _named(self, found: list[Found], cuts: list[Cut], view: View) -> tuple[list[Cut], np.ndarray]:
        """Finer cuts, and of every class how likely it is, float (n, c), any scale."""
        likely = np.stack([f.names for f in found])
        if self._second is None or self.config.naming == 0.0:
            return cuts, likely
        cuts, own, again = list(cuts), np.zeros_like(likely), list(range(len(cuts)))
        for _ in range(self.config.looks):
            pictures = [view.crop(cuts[k].mask, cuts[k].left, cuts[k].top, self._side) for k in again]
            named, outlines = self._second(np.stack([c for c, _ in pictures]), np.stack([f for _, f in pictures]))
            own[again] = named[:, 1:]
            finer = {k: refined(cuts[k], o, view.camera.width, view.camera.height) for k, o in zip(again, outlines)}
            again = [k for k in again if finer[k] is not cuts[k]]
            for k, f in finer.items():
                cuts[k] = f
            if not again:
                break
        return cuts, (likely + 1e-4) * (own + 1e-3) ** self.config.naming

    def _detection(self, seen: Seen, piece: Cut, likely: np.ndarray, camera: CameraModel, joints: np.ndarray) -> Detection | None:
        one = seen.found
        p = likely / likely.sum()
        order = [int(k) for k in np.argsort(-p)[:ALTERNATIVES]]
        name, score = self.header.classes[order[0]], min(1.0, one.there * float(p[order[0]]))
        if one.score < self.config.score_threshold:  # a surer name makes nothing surer to be there
            score = min(score, one.score)
            if score < self.config.faint or classes.get(name).kind is not classes.Kind.OBJECT:
                return None
        elif score < self.config.score_threshold:
            return None
        points = self._joints(seen, piece, camera, joints) if classes.get(name).kind is classes.Kind.PERSON else ()
        return Detection(name, score, piece.mask, (piece.left, piece.top), points, names=tuple((self.header.classes[k], float(p[k])) for k in order if p[k] >= 0.01))

    def _joints(self, seen: Seen, piece: Cut, camera: CameraModel, joints: np.ndarray) -> tuple[Keypoint, ...]:
        """Of somebody, by the closest look that showed all of them."""
        if seen.looked is None:
            return keypoints(self.header.joints, joints, piece, camera)
        region, own = seen.looked
        points = keypoints(self.header.joints, own, replace(piece, left=piece.left - region.left, top=piece.top - region.top), region.camera(camera))
        return tuple(replace(k, u=k.u + region.left, v=k.v + region.top) for k in points)


def _among(box: np.ndarray, bodies: list[np.ndarray]) -> bool:
    """Whether the middle of a box lies in one of these, or not far beside it: where arms reach."""
    u, v = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(b[0] - _ARM * (b[3] - b[1]) <= u <= b[2] + _ARM * (b[3] - b[1]) and b[1] <= v <= b[3] for b in bodies)


def cut(one: Found, prototypes: np.ndarray, size: tuple[int, int], camera: CameraModel) -> Cut | None:
    """The mask inside the box, in pixels of the image; None when nothing is left. ``prototypes`` float (m, h/4, w/4)."""
    sx, sy = camera.width / size[0], camera.height / size[1]
    x0, y0, x1, y1 = (float(v) for v in one.box)
    left, top = max(0, int(np.floor(x0 * sx))), max(0, int(np.floor(y0 * sy)))
    right, bottom = min(camera.width, int(np.ceil(x1 * sx))), min(camera.height, int(np.ceil(y1 * sy)))
    if right - left < 1 or bottom - top < 1:
        return None
    h, w = prototypes.shape[1:]
    a, b = max(0, int(x0 / _STRIDE) - 1), max(0, int(y0 / _STRIDE) - 1)
    c, d = min(w, int(np.ceil(x1 / _STRIDE)) + 1), min(h, int(np.ceil(y1 / _STRIDE)) + 1)
    if c <= a or d <= b:
        return None
    coarse = np.tensordot(one.mask, prototypes[:, b:d, a:c], axes=1).astype(np.float32)
    ux, uy = _STRIDE * sx, _STRIDE * sy  # image pixels of a cell
    warp = np.array([[ux, 0, (a + 0.5) * ux - 0.5 - left], [0, uy, (b + 0.5) * uy - 0.5 - top]])
    fine = cv2.warpAffine(coarse, warp, (right - left, bottom - top), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return tight(fine > 0.0, left, top, fine)


def create(weights: str | Path | None = None, threads: int = 1, score_threshold: float = 0.2, runtime: str = "auto", device: str = "auto",
           naming: float | None = None, closer: float | None = None) -> RgbdDetector:
    """Loads the shipped or the given weights, and the naming network beside them (:func:`light.names_path`), else the light detector's. ``naming``, ``closer``: as in
    :class:`RgbdConfig`; ``runtime``, ``device``: as in :func:`light.chosen`. Raises DetectorError."""
    path = Path(weights) if weights is not None else WEIGHTS
    if not path.is_file():
        raise DetectorError(f"weights '{path}' of the rgbd detector are missing; make them with `heed train detector --backend rgbd --output {path}`")
    runtime, device = chosen(runtime, device)
    config = RgbdConfig(score_threshold, cell=CELL if device == "cpu" else COARSE, **{k: v for k, v in (("naming", naming), ("closer", closer)) if v is not None})
    load = partial(loader(runtime, device), threads)
    meta, run = load(path, INPUTS, OUTPUTS)
    header, other, side = Header.parse(meta, path), None, SIDE
    names = names_path(path) if names_path(path).is_file() else names_path(LIGHT)
    if config.naming > 0.0 and names.is_file():
        meta, other = load(names, NAMES_INPUTS, NAMES_OUTPUTS)
        side = check_names(("background", *header.classes), meta, names)
    warn_if_weak(path)
    return RgbdDetector(header, run, other, config, side)

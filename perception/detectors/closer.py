"""Looking again, more closely: parts of the picture, enlarged, through the same network, where people are and where small things are.

A network that looks at a whole picture sees what is a dozen pixels wide in a handful of cells. People's hands hold such things, and what they do with them is what
everything later is about; so somebody across the room is looked at again at up to twice the size, with what is left of the time a part of the picture where small things
are in doubt (slicing-aided inference, Akyon et al. 2022, with slices where they matter). Pure functions; invariants: a region lies within the picture; their enlarged
pixels together never exceed the budget by more than rounding to the network's cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from household.camera import CameraModel

LARGEST = 2.0  # times the picture's size: more shows nothing new
MOST, LEAST = 3.0, 1.3  # times what the first look saw of it, which is less than there is where the picture is larger than the network's input: as much as was ever trained; less is not worth the time
CELL = 32  # both sides of what a network is given are multiples of this
COARSE = 160  # the same on a GPU, where each new size costs the first time as much as dozens of pictures: few sizes in all
_BESIDE, _ABOVE = 0.22, 0.06  # of somebody's height: how far hands, and what they hold, may be outside their box
_SPARE = 0.15  # of the first look's pixels: a budget below is not worth another look
_RIM = 3.0  # pixels of the enlarged picture: what comes so near an edge that is not the picture's own is cut off by it
_SAME = 0.45  # intersection over union from which two boxes are of one thing

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Region:
    """``left``, ``top``, ``width``, ``height`` in pixels of the image; ``size`` = (width, height) of what the network is given of it."""

    left: int
    top: int
    width: int
    height: int
    size: tuple[int, int]

    @property
    def part(self) -> tuple[slice, slice]:
        """Rows and columns."""
        return np.s_[self.top:self.top + self.height, self.left:self.left + self.width]

    def camera(self, whole: CameraModel) -> CameraModel:
        """Of this part as a picture of its own."""
        return CameraModel(self.width, self.height, whole.fx, whole.fy, whole.cx - self.left, whole.cy - self.top)

    def whole(self, box: np.ndarray, whole: CameraModel) -> bool:
        """Whether what has this box (x0 y0 x1 y1 in pixels of what the network was given) is not cut off by the region's edges."""
        w, h = self.size
        return ((box[0] > _RIM or self.left == 0) and (box[1] > _RIM or self.top == 0)
                and (box[2] < w - _RIM or self.left + self.width == whole.width) and (box[3] < h - _RIM or self.top + self.height == whole.height))

    def holds(self, box: Box) -> bool:
        """Whether a box in pixels of the image lies inside."""
        return self.left <= box[0] and self.top <= box[1] and box[2] <= self.left + self.width and box[3] <= self.top + self.height


def budget_of(share: float, camera: CameraModel, size: tuple[int, int]) -> float:
    """``share`` of the first look's pixels for a picture of the network's own ``size``; more, by the root of how many times as many pixels, for a larger picture (twice
    for one twice as wide and high): what the first look saw of that is reduced, and there is more to be seen."""
    return share * max(1.0, float(np.sqrt(camera.width * camera.height / (size[0] * size[1]))))


def regions(bodies: Sequence[Box], small: Sequence[tuple[float, float, float]], camera: CameraModel, size: tuple[int, int], budget: float,
            cell: int = CELL) -> list[Region]:
    """Where to look again. ``bodies``: people's boxes, ``small``: (u, v, how much there is to learn) of small things, both in pixels of the image; ``size`` =
    (width, height) of the first look, ``budget`` as a share of its pixels;
    sides of the enlarged parts are multiples of ``cell``."""
    most, seen = budget * size[0] * size[1], size[0] / camera.width
    largest = min(LARGEST, MOST * seen)
    made, spent = [], 0
    for scale, box in _around(bodies, camera, most, largest, LEAST * seen):
        made.append(_region(box, scale, camera, cell))
        spent += made[-1].size[0] * made[-1].size[1]
    left = most - spent
    rest = [p for p in small if not any(r.holds((p[0], p[1], p[0], p[1])) for r in made)]
    if rest and left >= _SPARE * size[0] * size[1]:
        made.append(_region(_fullest(rest, camera, left, largest), largest, camera, cell))
    return made


def _around(bodies: Sequence[Box], camera: CameraModel, most: float, largest: float, least: float) -> list[tuple[float, Box]]:
    """Boxes round people with the scale, ``largest`` at most, that fits the budget; the largest boxes are left out as long as it is below ``least``."""
    boxes = _joined([_reach(b, camera) for b in bodies])
    boxes.sort(key=_area)
    while boxes:
        scale = min(largest, float(np.sqrt(most / max(sum(map(_area, boxes)), 1.0))))
        if scale >= least:
            return [(scale, b) for b in boxes]
        boxes.pop()
    return []


def _reach(body: Box, camera: CameraModel) -> Box:
    x0, y0, x1, y1 = body
    beside, above = _BESIDE * (y1 - y0), _ABOVE * (y1 - y0)
    return max(0.0, x0 - beside), max(0.0, y0 - above), min(float(camera.width), x1 + beside), min(float(camera.height), y1 + above)


def _joined(boxes: list[Box]) -> list[Box]:
    """Boxes whose common one is hardly larger than both become one."""
    boxes = list(boxes)
    while True:
        pairs = [(i, j) for i in range(len(boxes)) for j in range(i) if _area(_both(boxes[i], boxes[j])) <= 1.15 * (_area(boxes[i]) + _area(boxes[j]))]
        if not pairs:
            return boxes
        i, j = pairs[0]
        boxes[j] = _both(boxes[i], boxes[j])
        del boxes[i]


def _fullest(points: Sequence[tuple[float, float, float]], camera: CameraModel, most: float, scale: float) -> Box:
    """A part of the picture, as wide for its height as the picture, whose pixels at this scale fit the budget, where there is most to learn."""
    share = min(1.0, float(np.sqrt(most / camera.width / camera.height)) / scale)
    w, h = share * camera.width, share * camera.height
    at = np.array(points, float)
    best: tuple[float, Box] | None = None
    for u, v, _ in points:
        x, y = min(max(0.0, u - w / 2), camera.width - w), min(max(0.0, v - h / 2), camera.height - h)
        inside = (at[:, 0] >= x) & (at[:, 0] < x + w) & (at[:, 1] >= y) & (at[:, 1] < y + h)
        worth = float(at[inside, 2].sum())
        if best is None or worth > best[0]:
            best = worth, (x, y, x + w, y + h)
    assert best is not None
    return best[1]


def _region(box: Box, scale: float, camera: CameraModel, cell: int) -> Region:
    """Round this box, its sides after enlarging whole cells: up to half of CELL may be left out."""
    sides = []
    for low, high, full in ((box[0], box[2], camera.width), (box[1], box[3], camera.height)):
        cells = max(2, int(np.ceil((high - low) * scale / cell - 0.5 * CELL / cell)))
        side = min(full, int(round(cells * cell / scale)))
        first = int(round(min(max(0.0, (low + high - side) / 2), full - side)))
        sides.append((first, side, cells * cell))
    (left, width, across), (top, height, upright) = sides
    return Region(left, top, width, height, (across, upright))


def matched(first: Sequence[Box], closer: Sequence[Box]) -> list[int | None]:
    """For each of ``closer`` which of ``first`` shows the same thing, each at most once, the best first; None where none does."""
    shares = sorted(((share, i, j) for i, b in enumerate(closer) for j, a in enumerate(first) if (share := _overlap(a, b)) >= _SAME), reverse=True)
    found: list[int | None] = [None] * len(closer)
    taken: set[int] = set()
    for _, i, j in shares:
        if found[i] is None and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _both(a: Box, b: Box) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _overlap(a: Box, b: Box) -> float:
    """Intersection over union."""
    shared = _area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))
    return shared / max(_area(a) + _area(b) - shared, 1e-9)

"""What training is fed: sample number n is a pure function of (shards, seed, n), so that a run resumes exactly where it stopped.

Images that show rare classes are drawn more often (weight: sum over their classes of 1/√frequency), and half of the crops are laid around
an instance drawn in favour of the small and the rare, or around somebody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from perception.detectors.light_features import Floor, find_floor, floor_of_pose, inputs
from perception.detectors.light_groups import GROUPS, group_of
from perception.training.augment import AugmentConfig, augmented
from perception.training.shards import CLASSES, INDEX, JOINTS, LabelledImage, ShardInfo, read_image

_JOINT_SIGMA = 1.2
_PEOPLE = 0.35  # of the crops of a picture with people: around one, as the detector looks again at what hands hold
_RARE = {"thing": 1.5, "door": 2.0}  # groups that show few pixels: what one of them counts


@dataclass(frozen=True)
class Samples:
    """Map-style data set for ``torch.utils.data.DataLoader``: item i is sample ``first + i`` of ``count``. ``size`` = (width, height); ``keep``:
    decoded images held in memory (2.8 MB each at 640×480), the first that are asked for, or all at once (:meth:`fill`)."""

    shards: Sequence[ShardInfo]
    size: tuple[int, int]
    seed: int
    first: int
    count: int
    augment: AugmentConfig | None = AugmentConfig()
    keep: int = 0
    targets: Callable[[LabelledImage, tuple[int, int]], dict[str, np.ndarray]] | None = None  # of :func:`targets` where None
    _kept: dict[tuple[Path, int], LabelledImage] = field(init=False, default_factory=dict)
    _images: tuple[tuple[Path, int], ...] = field(init=False)
    _chance: np.ndarray = field(init=False)
    _rarity: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        counts: Counter[str] = Counter()
        for s in self.shards:
            for row in s.counts:
                counts.update(row)
        rarity = {c: 1.0 / n ** 0.5 for c, n in counts.items()}
        weights = np.array([1e-6 + sum(rarity[c] for c in row) for s in self.shards for row in s.counts])
        object.__setattr__(self, "_images", tuple((s.path, k) for s in self.shards for k in range(len(s.counts))))
        object.__setattr__(self, "_rarity", rarity)
        object.__setattr__(self, "_chance", np.cumsum(weights / weights.sum()))

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, i: int) -> dict[str, np.ndarray]:
        if not 0 <= i < self.count:
            raise IndexError(i)
        rng = np.random.default_rng([self.seed, self.first + i])
        one = self.draw(rng)
        if self.augment is not None:
            one = augmented(one, rng, self.augment, self._focus(one, rng), self.size)
        rgb, geometry = inputs(one.color, one.depth, one.camera, self.size, floor_seen(one, rng))
        return {"rgb": rgb, "geometry": geometry, **(self.targets or targets)(one, self.size)}

    def draw(self, rng: np.random.Generator) -> LabelledImage:
        """One of the images, those with rare classes more often."""
        key = self._images[min(int(np.searchsorted(self._chance, rng.random())), len(self._images) - 1)]
        one = self._kept.get(key)
        if one is None:
            one = read_image(*key)
            if len(self._kept) < self.keep:
                self._kept[key] = one
        return one

    def fill(self, threads: int) -> int:
        """Decodes the first ``keep`` images now, so that processes forked from this one share them; returns how many are held."""
        missing = [key for key in self._images[:self.keep] if key not in self._kept]
        with ThreadPoolExecutor(max(1, threads)) as pool:
            self._kept.update(zip(missing, pool.map(lambda key: read_image(*key), missing)))
        return len(self._kept)

    def rarity(self, cls: str) -> float:
        """One over the square root of how often the class is seen; 1 for one that never is."""
        return self._rarity.get(cls, 1.0)

    def _focus(self, one: LabelledImage, rng: np.random.Generator) -> int | None:
        area = np.bincount(one.ids.ravel())
        present = [int(v) for v in np.flatnonzero(area) if int(v) in one.table and one.table[int(v)][1] in INDEX]
        if not present or rng.random() < 0.3:
            return None
        people = [v for v in present if one.table[v][1] == "person"]
        if people and rng.random() < _PEOPLE:
            return int(rng.choice(people))
        weights = np.array([self.rarity(one.table[v][1]) / area[v] ** 0.25 for v in present])
        return present[int(rng.choice(len(present), p=weights / weights.sum()))]


def floor_seen(one: LabelledImage, rng: np.random.Generator) -> Floor | None:
    """Half of the time as the detector finds it, else from the true pose, a little off; now and then unknown."""
    draw = rng.random()
    if draw < 0.5:
        return find_floor(one.depth, one.camera)
    if draw < 0.55:
        return None
    true = floor_of_pose(one.pose)
    up = true.up + rng.normal(0.0, 0.012, 3)
    return Floor(up / np.linalg.norm(up), true.height + float(rng.normal(0.0, 0.015)))


def targets(one: LabelledImage, size: tuple[int, int]) -> dict[str, np.ndarray]:
    """What the segmenting network should say of one image.

    At half of ``size`` = (width, height): ``group`` int64 (h, w); ``weight`` float32 (h, w), more on small instances; ``centre`` float32
    (g - 1, h, w); ``offset`` float32 (2, h, w) rows and columns to the centre; ``pull`` float32 (h, w), what a pixel of offset error counts:
    the less the larger the instance. At a quarter: ``joints`` float32 (j, h/2, w/2); at an eighth: ``name`` int64 (h/4, w/4), index into
    CLASSES. Values of ids outside the class list are background."""
    w, h = size[0] // 2, size[1] // 2
    ids = _sampled(one.ids, w, h)
    group, weight = np.zeros((h, w), np.int64), np.full((h, w), 0.7, np.float32)
    centre, offset, pull = np.zeros((len(GROUPS) - 1, h, w), np.float32), np.zeros((2, h, w), np.float32), np.zeros((h, w), np.float32)
    rows, columns = np.nonzero(ids)
    values = ids[rows, columns]
    order = np.argsort(values, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    edges = np.flatnonzero(np.diff(values)) + 1
    for r, c in zip(np.split(rows, edges), np.split(columns, edges)):
        cls = one.table.get(int(ids[r[0], c[0]]), ("", ""))[1] if len(r) else ""
        if cls not in INDEX:
            continue
        g, side = group_of(cls), len(r) ** 0.5
        group[r, c] = g
        mr, mc = r.mean(), c.mean()
        offset[0, r, c], offset[1, r, c] = mr - r, mc - c
        weight[r, c], pull[r, c] = _RARE.get(GROUPS[g], 1.0) * np.clip(24.0 / side, 0.6, 4.0), np.clip(24.0 / side, 0.15, 4.0)
        _stamp(centre[g - 1], mr, mc, float(np.clip(0.1 * side, 0.8, 5.0)))
    return {"group": group, "weight": weight, "centre": centre, "offset": offset, "pull": pull, "joints": _joint_maps(one, size),
            "name": _name_table(one)[_sampled(one.ids, w // 4, h // 4)]}


def _joint_maps(one: LabelledImage, size: tuple[int, int]) -> np.ndarray:
    """Heat-maps of people's joints, float32 (j, height / 4, width / 4)."""
    joints = np.zeros((len(JOINTS), size[1] // 4, size[0] // 4), np.float32)
    su, sv = size[0] / 4 / one.camera.width, size[1] / 4 / one.camera.height
    for row in one.joints.values():
        for j, (u, v) in row.items():
            if j in JOINTS:
                _stamp(joints[JOINTS.index(j)], v * sv, u * su, _JOINT_SIGMA)
    return joints


MOST_THINGS = 128
_LEAST_PIXELS = 8  # of the full image: what shows less is not asked for


def thing_targets(one: LabelledImage, size: tuple[int, int]) -> dict[str, np.ndarray]:
    """What the one-network detector should say of one image. ``things`` float32 (MOST_THINGS, 5): class (0 is the first after the background; -1:
    padding), middle x y and width, height as shares of the image, larger instances first; ``instances`` uint8 (height / 4, width / 4): row of
    ``things`` plus one, 0 for none; ``joints`` as :func:`targets`."""
    h, w = one.ids.shape
    grid = (size[0] // 4, size[1] // 4)
    flat = one.ids.ravel()
    order = np.argsort(flat, kind="stable")
    values, first = np.unique(flat[order], return_index=True)
    pieces = [(v, p) for v, p in zip(values, np.split(order, first[1:])) if one.table.get(int(v), ("", ""))[1] in INDEX and len(p) >= _LEAST_PIXELS]
    pieces = sorted(pieces, key=lambda vp: -len(vp[1]))[:MOST_THINGS]
    things, instances = np.full((MOST_THINGS, 5), -1.0, np.float32), np.zeros((grid[1], grid[0]), np.uint8)
    coarse = _sampled(one.ids, *grid)
    for k, (value, pixels) in enumerate(pieces):
        rows, columns = np.divmod(pixels, w)
        x0, x1, y0, y1 = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        things[k] = (INDEX[one.table[int(value)][1]] - 1, (x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h)
        own = coarse == value
        if len(pixels) < 400:  # the coarse grid misses parts of small things: every cell they touch a third of
            cells = np.bincount((rows * grid[1] // h) * grid[0] + columns * grid[0] // w, minlength=grid[0] * grid[1])
            own |= (cells >= max(1, min(h * w // (3 * grid[0] * grid[1]), int(cells.max())))).reshape(own.shape)
        instances[own] = k + 1
    return {"things": things, "instances": instances, "joints": _joint_maps(one, size)}


def _sampled(ids: np.ndarray, w: int, h: int) -> np.ndarray:
    rows, columns = ((np.arange(h) + 0.5) * ids.shape[0] / h).astype(int), ((np.arange(w) + 0.5) * ids.shape[1] / w).astype(int)
    return ids[rows[:, None], columns[None]]


def _name_table(one: LabelledImage) -> np.ndarray:
    """Value of ids → index into CLASSES, int64."""
    table = np.zeros(int(one.ids.max()) + 1, np.int64)
    for value, (_, cls) in one.table.items():
        if value < len(table):
            table[value] = INDEX.get(cls, 0)
    return table


def _stamp(canvas: np.ndarray, row: float, column: float, sigma: float) -> None:
    """The maximum of the canvas and a Gaussian whose peak, at the nearest pixel, is exactly one (Zhou et al. 2019, section 3)."""
    r, c = int(round(row)), int(round(column))
    reach = int(3 * sigma + 1)
    r0, r1, c0, c1 = max(0, r - reach), min(canvas.shape[0], r + reach + 1), max(0, c - reach), min(canvas.shape[1], c + reach + 1)
    if r0 >= r1 or c0 >= c1:
        return
    y, x = np.mgrid[r0:r1, c0:c1]
    np.maximum(canvas[r0:r1, c0:c1], np.exp(-((y - r) ** 2 + (x - c) ** 2) / (2 * sigma ** 2)), out=canvas[r0:r1, c0:c1])


def class_weights(shards: Sequence[ShardInfo], strength: float = 0.3) -> np.ndarray:
    """Loss weight per class, float32 (len(CLASSES),): (median count / count)^strength, within 0.5 to 3; background 0.7."""
    counts = Counter()
    for s in shards:
        for row in s.counts:
            counts.update(row)
    seen = np.array([max(1, counts[c]) for c in CLASSES], float)
    weights = np.clip((np.median(seen[1:]) / seen) ** strength, 0.5, 3.0)
    weights[0] = 0.7
    return weights.astype(np.float32)

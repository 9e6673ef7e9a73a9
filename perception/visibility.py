"""Who can see what: the fact that decides beliefs. One interface, two models.

``GeometricVisibility``: from the eyes, within the field of view and range, along a straight line that no wall, shut door, shut container
or solid voxel crosses. ``RoomVisibility``: VirtualHome's rule, the same room and not inside a closed container. Both are pure functions of
a :class:`Setting`, usable on any scene graph (:meth:`Setting.of_graph`), with or without a voxel map. Probabilities are per question
("does this viewer see this?"); they do not sum to one over anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Protocol

import numpy as np

from household import classes
from household.scene_graph import Entity, Openness, RelationKind, SceneGraph
from perception.blocks import Blocks, Boxes, crosses_wall
from perception.geometry import Box, lengths, wrap
from perception.home_map import HomeMap
from perception.voxels import VoxelMap

_SHELVES = frozenset({"bookshelf", "sofa", "chair", "bed"})  # things stand at heights within these, not on their top
_TRUNK = 0.32  # m across a body
_SOLID = frozenset({"fridge", "wardrobe", "kitchencabinet", "bathroomcabinet", "cabinet", "dishwasher", "stove", "drawer", "microwave", "kitchencounter",
                    "bathroomcounter", "bookshelf", "washingmachine"})
_TOPS = frozenset({"kitchentable", "diningtable", "coffeetable", "desk", "bench", "stool", "tvstand", "nightstand"})  # only their tops hide
_TOP = np.array([(x, y, 0.5) for x in np.linspace(-0.4, 0.4, 4) for y in np.linspace(-0.4, 0.4, 4)])  # where a table of edge 1 bears things
_OF_LARGE = np.array([(0, 0, 0), (0, 0, 0.5), (0.5, 0, 0), (-0.5, 0, 0), (0, 0.5, 0), (0, -0.5, 0)])  # by which a thing of edge 1 is seen, a small one by the first two
_ARM = 1.0  # m within which a thing in hand is
_BOARD = 0.06  # m that such a top is thick
_UP, _DOWN = np.radians(55), np.radians(65)  # of the field of view above the horizon and below it, where the pitch is not known: heads are level or bent
_UPRIGHT = np.radians(56)  # the same above and below where a head points
_SOFT_UPRIGHT = 0.09  # rad by which these ends are soft


@dataclass(frozen=True)
class Viewer:
    """``eye`` (3,) map; ``gaze``: yaw of the head, None: not known; ``half_angle`` of the field of view, rad; ``reach`` of sight, m.
    ``spread``: how uncertain the gaze is (standard deviation, rad). ``notice``: what is there is seen from afar, but that something is
    *missing* from a place only from this near, m from its middle beside half its width. ``belief`` (n,), sums to one: over directions of the gaze, evenly
    spaced from 0; it stands for gaze and spread where it is known. ``pitch`` of the head, rad, negative: bent; None: not known."""

    id: str
    eye: np.ndarray
    gaze: float | None
    half_angle: float = 1.05
    reach: float = 9.0
    spread: float = 0.0
    notice: float = 1.3
    belief: np.ndarray | None = None
    pitch: float | None = None


@dataclass(frozen=True)
class Piece:
    """A place as an obstacle and as a container: its box, the side it opens at (fronts.SIDES) or None, and whether it is open."""

    id: str
    cls: str
    box: Box
    openness: Openness
    front: int | None = None


@dataclass(frozen=True)
class Setting:
    """The scene as sight knows it. ``inside``: object id → container id. ``held``: object id → who has it in hand. ``bodies``: person id →
    box that hides what is behind it. ``shut_doors``: ids of doorways whose leaf is closed. ``shown``: objects the robot itself sees at this moment: a
    container of which nobody knows whether it is open does not hide them. ``on``: object → what bears it, which does not hide it."""

    home: HomeMap
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    targets: Mapping[str, Box] = field(default_factory=dict)
    inside: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    bodies: Mapping[str, Box] = field(default_factory=dict)
    shut_doors: frozenset[str] = frozenset()
    voxels: VoxelMap | None = None
    shown: frozenset[str] = frozenset()
    on: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def blocks(self) -> Blocks:
        """What hides what is behind it: solid furniture, table tops, and people."""
        solid = [(piece, box) for piece in self.pieces.values() if (box := _hides(piece)) is not None]
        others = len(self.bodies)
        return Blocks(Boxes.of([*(box for _, box in solid), *self.bodies.values()]), (*(piece.id for piece, _ in solid), *self.bodies),
                      np.array([0.02 if piece.cls in _TOPS else 0.04 for piece, _ in solid] + [0.04] * others), np.array([0.04] * len(solid) + [-np.inf] * others))

    @cached_property
    def furniture(self) -> Boxes:
        return Boxes.of([piece.box for piece in self.pieces.values()])

    @cached_property
    def samples(self) -> dict[str, np.ndarray]:
        """Of each target: points (n, 3), n ≥ 2, by which it is seen."""
        return dict(zip(self.targets, _samples(list(self.targets.values())))) | {n: _axis(body) for n, body in self.bodies.items()}

    @classmethod
    def of_graph(cls, graph: SceneGraph, home: HomeMap, voxels: VoxelMap | None = None) -> "Setting":
        pieces, targets, bodies = {}, {}, {}
        for e in graph.entities.values():
            if e.kind in (classes.Kind.ROOM, classes.Kind.DOOR):
                continue
            targets[e.id] = _box_of(e)
            if e.kind is classes.Kind.PERSON:
                bodies[e.id] = body_of(e.position, e.extents[2] or 1.7)
            if e.kind in (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.DEVICE):
                pieces[e.id] = Piece(e.id, e.cls, targets[e.id], e.openness)
        inside = {r.subject: r.object for r in graph.relations if r.kind is RelationKind.INSIDE}
        held = {r.object: r.subject for r in graph.relations if r.kind is RelationKind.HOLDS}
        shut = frozenset(e.id for e in graph.of_kind(classes.Kind.DOOR) if e.openness is Openness.CLOSED)
        on = {r.subject: r.object for r in graph.relations if r.kind is RelationKind.ON}
        return cls(home, pieces, targets, inside, held, bodies, shut, voxels, on=on)


class Visibility(Protocol):
    def sees(self, viewer: Viewer, names: Iterable[str], setting: Setting) -> dict[str, float]:
        """Target id → probability in [0, 1] that the viewer sees it now."""

    def sees_points(self, viewer: Viewer, points: np.ndarray, setting: Setting) -> np.ndarray:
        """float (N,): probability that the viewer sees something at each of ``points`` (N, 3), say a person acting there."""

    def inspects(self, viewer: Viewer, names: Iterable[str], setting: Setting) -> dict[str, float]:
        """Place id → probability that the viewer sees its contents: an object not among what it sees is then known not to be there."""

    def all_of(self, viewer: Viewer, names: Iterable[str], places: Iterable[str], points: np.ndarray, setting: Setting
               ) -> tuple[dict[str, float], dict[str, float], np.ndarray]:
        """:meth:`sees` of ``names``, :meth:`inspects` of ``places`` and :meth:`sees_points` of ``points``, asked together."""


def create(name: str) -> "Visibility":
    """'geometric' or 'room'. Raises ValueError that lists the names."""
    models = {"geometric": GeometricVisibility, "room": RoomVisibility}
    if name not in models:
        raise ValueError(f"unknown visibility model '{name}'; there are: {', '.join(models)}")
    return models[name]()


class RoomVisibility:
    """The VirtualHome rule. Certain: probabilities are 0 or 1."""

    def sees(self, viewer: Viewer, names: Iterable[str], setting: Setting) -> dict[str, float]:
        room = setting.home.room_of(viewer.eye)
        result = {}
        for name in names:
            box = setting.targets[name]
            container = setting.pieces.get(setting.inside.get(name, ""))
            shut = container is not None and container.openness is not Openness.OPEN
            result[name] = float(room is not None and setting.home.room_of(box.centre) == room and not shut)
        return result

    def sees_points(self, viewer: Viewer, points: np.ndarray, setting: Setting) -> np.ndarray:
        room = setting.home.room_of(viewer.eye)
        return np.array([float(room is not None and setting.home.room_of(p) == room) for p in np.asarray(points).reshape(-1, 3)])

    def inspects(self, viewer: Viewer, names: Iterable[str], setting: Setting) -> dict[str, float]:
        room = setting.home.room_of(viewer.eye)
        result = {}
        for name in names:
            piece = setting.pieces[name]
            shut = classes.get(piece.cls).kind is classes.Kind.CONTAINER and piece.openness is not Openness.OPEN
            result[name] = float(room is not None and setting.home.room_of(piece.box.centre) == room and not shut)
        return result

    def all_of(self, viewer: Viewer, names: Iterable[str], places: Iterable[str], points: np.ndarray, setting: Setting
               ) -> tuple[dict[str, float], dict[str, float], np.ndarray]:
        return self.sees(viewer, names, setting), self.inspects(viewer, places, setting), self.sees_points(viewer, points, setting)


class GeometricVisibility:
    """Line of sight. ``soft``: width of the field of view's edge, rad: a glance is wider than a stare."""

    def __init__(self, soft: float = 0.12):
        self.soft = soft

    def sees(self, viewer: Viewer, names: Iterable[str], setting: Setting) -> dict[str, float]:
        return self.all_of(viewer, names, (), np.zeros((0, 3)), setting)[0]

    def sees_points(self, viewer: Viewer, points: np.ndarray, setting: Setting) -> np.ndarray:
        return self.all_of(viewer, (), (), points, setting)[2]

    def inspects(self, viewer: Viewer, names: Iterable[str], setting: Setting) -> dict[str, float]:
        return self.all_of(viewer, (), names, np.zeros((0, 3)), setting)[1]

    def all_of(self, viewer: Viewer, names: Iterable[str], places: Iterable[str], points: np.ndarray, setting: Setting
               ) -> tuple[dict[str, float], dict[str, float], np.ndarray]:
        names, places = list(names), list(places)
        near = [p for p in places if self._may_inspect(viewer, setting.pieces[p])]
        groups = [*(setting.samples[n] for n in names), *(contents_grid(setting.pieces[p]) for p in near), np.asarray(points, float).reshape(-1, 3)]
        clear = self._view(viewer, groups, [*(_exempt(n, setting) for n in names), *near, ""], setting)
        starts = [0, *accumulate(map(len, groups))]
        parts = [clear[begin:end] for begin, end in zip(starts[len(names):], starts[len(names) + 1:])]
        inspected = {p: self._inspected(viewer, setting.pieces[p], grid, view) for p, grid, view in zip(near, groups[len(names):], parts)}
        best = np.maximum.reduceat(clear[:starts[len(names)]], starts[:len(names)]).tolist() if names else []
        return self._seen(viewer, dict(zip(names, best)), setting), {p: inspected.get(p, 0.0) for p in places}, parts[-1]

    def _seen(self, viewer: Viewer, best: Mapping[str, float], setting: Setting) -> dict[str, float]:
        """``best``: target → the chance that the point of it that shows most is in view."""
        found = {n: p * self._into(viewer, n, setting) if p > 0.02 else 0.0 for n, p in best.items()}
        found |= {n: 1.0 for n in best if setting.held.get(n) == viewer.id and _in_reach(viewer, setting.targets[n])}  # one's own hand is felt
        hands = {h: max(found.get(h, 0.0), found[n]) for n, h in setting.held.items() if n in found and h in found}
        return found | hands  # whoever's hand shows is seen

    @staticmethod
    def _may_inspect(viewer: Viewer, piece: Piece) -> bool:
        """Whether it is not shut, and near enough to tell what is missing from it."""
        if classes.get(piece.cls).kind is classes.Kind.CONTAINER and piece.openness is not Openness.OPEN:
            return False
        away = math.hypot(piece.box.centre[0] - viewer.eye[0], piece.box.centre[1] - viewer.eye[1])
        return away <= min(viewer.notice + min(piece.box.size[:2]) / 2, 0.8 * viewer.reach)

    @staticmethod
    def _inspected(viewer: Viewer, piece: Piece, grid: np.ndarray, view: np.ndarray) -> float:
        """``view`` (n,): the chance that each point of the ``grid`` (n, 3) of its contents is in view."""
        share = float(view.mean())
        if classes.get(piece.cls).kind is classes.Kind.CONTAINER and share > 0:
            share *= float(enters_by_opening(viewer.eye, grid, piece).mean())
        return min(max((share - 0.3) / 0.3, 0.0), 1.0)

    def _view(self, viewer: Viewer, groups: list[np.ndarray], exempt: list[str], setting: Setting) -> np.ndarray:
        """Of all points of the groups (k, 3), in their order: float (n,), the chance that each is in view. ``exempt``: the piece a group belongs to."""
        points = np.concatenate(groups)
        clear = self._in_field(viewer, points)
        ask = (clear > 0.02).nonzero()[0]
        if ask.size:
            owner_of = np.repeat(np.arange(len(groups)), [len(g) for g in groups])[ask]
            clear[ask] *= self._clear(viewer, points[ask], setting, exempt, owner_of)
        return clear

    def _in_field(self, viewer: Viewer, points: np.ndarray) -> np.ndarray:
        """Soft edge of the field of view; 0.5 everywhere when nobody knows where the viewer looks."""
        d = points - viewer.eye
        near = np.where(lengths(d) <= viewer.reach, 1.0, 0.0)
        if viewer.gaze is None:
            return 0.5 * near
        away = lengths(d[:, :2])
        rise = np.arctan2(d[:, 2], away)
        over = np.maximum(rise - _UP, -rise - _DOWN) if viewer.pitch is None else np.abs(rise - viewer.pitch) - _UPRIGHT
        upright = 1 / (1 + np.exp(np.clip(over / _SOFT_UPRIGHT, -40, 40)))
        aside = self._aside(viewer, np.arctan2(d[:, 1], d[:, 0]))
        return near * upright * np.where(away < 0.25, 1.0, aside)  # at one's own feet and hands

    def _aside(self, viewer: Viewer, bearings: np.ndarray) -> np.ndarray:
        """The chance that what lies in these directions (n,), radians, is within the field of view, its height aside."""
        if viewer.belief is None:
            off = np.abs((bearings - viewer.gaze + np.pi) % (2 * np.pi) - np.pi)
            return 1 / (1 + np.exp(np.clip((off - viewer.half_angle) / max(self.soft / 2, 0.55 * viewer.spread), -40, 40)))
        gaze = np.arange(len(viewer.belief)) * (2 * np.pi / len(viewer.belief))
        turn = bearings[:, None] - gaze[None] + np.pi  # in (−2π, 2π], so that modulo is one step
        off = np.abs(np.where(turn < 0, turn + 2 * np.pi, turn) - np.pi)
        return (1 / (1 + np.exp(np.clip((off - viewer.half_angle) / (self.soft / 2), -40, 40)))) @ viewer.belief

    def _clear(self, viewer: Viewer, points: np.ndarray, setting: Setting, exempt: Sequence[str], owner_of: np.ndarray) -> np.ndarray:
        """1.0 where the line from the eye is free, else 0.0; ``exempt``: ids of the pieces points belong to (they do not hide themselves), ``owner_of``: which
        of them each does."""
        clear = ~crosses_wall(viewer.eye, points, setting.home, setting.shut_doors)
        index = clear.nonzero()[0]
        clear[index[setting.blocks.hide(viewer.eye, points[index], exempt, owner_of[index], viewer.id, viewer.reach + 2)]] = False
        if setting.voxels is not None and clear.any():
            index = clear.nonzero()[0]
            clear[index[setting.voxels.blocked(viewer.eye, points[index], excused=lambda p: _of_a_piece(p, setting))]] = False
        return clear.astype(float)

    @staticmethod
    def _into(viewer: Viewer, name: str, setting: Setting) -> float:
        """1 unless the target is in a container: then whether that is open on this side."""
        piece = setting.pieces.get(setting.inside.get(name, ""))
        if piece is None:
            return 1.0
        if piece.openness is not Openness.OPEN and not (piece.openness is Openness.UNKNOWN and name in setting.shown):
            return 0.0
        return float(enters_by_opening(viewer.eye, np.asarray(setting.targets[name].centre)[None], piece)[0])


def _of_a_piece(points: np.ndarray, setting: Setting) -> np.ndarray:
    """bool (N,): points of known furniture, which hides things as a box does or not at all (noise makes its voxels fat)."""
    some = setting.furniture.reach_into(points.min(axis=0) - 0.12, points.max(axis=0) + 0.12).nonzero()[0]
    return setting.furniture.some(some).contain(points, 0.08).any(axis=0)


def _hides(piece: Piece) -> Box | None:
    """What of a piece nobody sees through; None: nothing."""
    if piece.cls in _SOLID:
        return piece.box
    if piece.cls not in _TOPS:
        return None
    x, y, _ = piece.box.centre
    return Box((x, y, piece.box.centre[2] + (piece.box.size[2] - _BOARD) / 2), (*piece.box.size[:2], _BOARD), piece.box.yaw)


def contents_grid(piece: Piece) -> np.ndarray:
    """Points (n, 3) where a place's contents would be: the inside of a container or shelf, just above the top of a table."""
    box = piece.box
    if classes.get(piece.cls).kind is classes.Kind.CONTAINER or piece.cls in _SHELVES:
        return box.grid(3, 0.7)
    return box.to_map(_TOP * box.size + (0.0, 0.0, 0.06))


def enters_by_opening(eye: np.ndarray, points: np.ndarray, piece: Piece) -> np.ndarray:
    """bool (N,): the line from the eye enters the container's box through the side that opens (any upright side when not known).

    Upright sides are judged on the floor plan: who looks into a low oven or a high cupboard bends or stretches.
    """
    local_eye, local = piece.box.to_local(eye[None])[0], piece.box.to_local(points)
    if piece.cls in classes.OPENS_ABOVE:
        return _side_crossed(local_eye, local, piece.box) == 4
    inside = np.asarray(piece.box.size[:2]) / 2 - np.abs(local_eye[:2])
    outside = (inside < 0).any()
    if outside:
        plan = _side_crossed(local_eye[:2], local[:, :2], piece.box)
    else:  # nobody stands in furniture: before the side that is nearest
        axis = int(inside.argmin())
        plan, outside = np.full(len(points), axis * 2 + int(local_eye[axis] < 0)), True
    if piece.front is None or piece.front >= 4:
        return np.full(len(points), bool(outside))
    if piece.cls == "drawer":  # pulled out, it is looked into from above
        return (plan == piece.front) | (_side_crossed(local_eye, local, piece.box) == 4)
    return (plan == piece.front) & bool(outside)


def _side_crossed(eye: np.ndarray, points: np.ndarray, box: Box) -> np.ndarray:
    """int (N,): the side (fronts.SIDES) of the box through which the line from the eye (d,) reaches each point (N, d) in it, box's axes."""
    half = np.asarray(box.size[:len(eye)]) / 2
    d = eye - points
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(np.abs(d) > 1e-9, (np.sign(d) * half - points) / d, np.inf)
    axis = np.where(t < 0, 0, t).argmin(axis=1)
    return axis * 2 + (np.sign(d[np.arange(len(d)), axis]) < 0)


def _samples(boxes: Sequence[Box]) -> list[np.ndarray]:
    """Of each thing, the points (n, 3) by which it is seen: its centre, its top, and the middles of its sides when it is large."""
    if not boxes:
        return []
    turns = np.array([((math.cos(b.yaw), math.sin(b.yaw), 0.0), (-math.sin(b.yaw), math.cos(b.yaw), 0.0), (0.0, 0.0, 1.0)) for b in boxes])
    points = (_OF_LARGE * (np.array([b.size for b in boxes])[:, None] + 0.02)) @ turns + np.array([b.centre for b in boxes])[:, None]
    return [those if max(b.size) > 0.3 else those[:2] for b, those in zip(boxes, points)]


def body_of(position, height: float) -> Box:
    """What a person who stands at ``position`` hides of what is behind them."""
    return Box((float(position[0]), float(position[1]), height / 2 - 0.06), (_TRUNK, _TRUNK, max(height - 0.12, 0.3)))


def _axis(body: Box) -> np.ndarray:
    """Points (3, 3) by which a person is seen: eyes, chest and hips; not by an elbow at the edge of the field of view."""
    return np.array([(*body.centre[:2], share * body.size[2]) for share in (1.0, 0.7, 0.45)])


def _in_reach(viewer: Viewer, box: Box) -> bool:
    return float(np.hypot(*np.subtract(box.centre[:2], viewer.eye[:2]))) < _ARM


def _exempt(name: str, setting: Setting) -> str:
    """What must not hide this target: itself, the container it is in (whose opening is asked separately), what bears it (whose top is taken for higher when
    things stand on it), the body that holds it."""
    if name in setting.pieces or name in setting.bodies:
        return name
    return setting.inside.get(name) or setting.held.get(name) or setting.on.get(name, "")


def _box_of(e: Entity) -> Box:
    if e.kind is classes.Kind.PERSON:
        height = e.extents[2] or 1.7
        return Box((e.position[0], e.position[1], e.position[2] + height / 2), (0.4, 0.4, height), e.yaw)
    return Box(e.position, tuple(max(x, 0.02) for x in e.extents), e.yaw)


def viewer_of(e: Entity, half_angle: float = 1.05, reach: float = 9.0) -> Viewer:
    """A person of a scene graph as a viewer."""
    eye = np.array([e.position[0], e.position[1], e.position[2] + max((e.extents[2] or 1.7) - 0.12, 0.6)])
    return Viewer(e.id, eye, wrap(e.gaze_yaw if e.gaze_yaw is not None else e.yaw), half_angle, reach)

"""People: where they are, which way body and head face, how they sit or stand, where their hands are, and who is who.

Facing is a filtered belief (perception.facing). Invariants: a recognised name is one track for ever;
an unnamed person keeps ``person_n`` through crossings and absences as long as looks and motion allow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from household.scene_graph import Posture
from perception import facing
from perception.appearance import spread
from perception.attention import Scene
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import Box, length
from perception.lifting import Lifted
from perception.order import median, medians, percentile, share
from perception.pose import Pose, estimate
from perception.records import replace
from perception.voxels import looked_through

HISTORY = 16  # positions kept per person
MOST = 40  # people remembered; the longest unseen are forgotten first
_SAME_LOOK, _OTHER_LOOK, _UNLIKE = 0.85, 0.55, 0.75  # Bhattacharyya coefficient of looks from which they are one person's; below which they are not, however near; the same after half a second out of view
_SURELY, _BY_FAR, _CHANGED = 0.95, 0.2, 6.0  # likeness to somebody who has been away, and by how much more than to who was here just now, from which they have changed places; cost of being the latter then
_LONG = 1.5  # s away after which trousers alone, which many have alike, do not tell somebody
_STOOD, _STOOD_FOR, _STAYS = 0.45, 2.5, 8.0  # m from where somebody stood, and s since then, within which they are who stands there; the same where nobody has seen that they left
_PAST, _FREE = 0.25, 0.6  # m beyond a body's surface that are seen where it has left; share of its legs where that shows
_VARIES, _STRANGE = 0.25, 20.0  # by how much the look of who is in view may change between looks; what more costs
_WALKS, _HASTE = 1.5, 2.0  # m/s at which people walk at most, as a rule; cost of each m/s more that it takes to be who was out of view for a moment
_STRANGER = 6.0  # cost of being nobody known
_DOUBT = 12.0  # cost of looking otherwise than one did, for who was out of view for a moment
_NEWCOMER, _BESIDE = 5.0, 1.5  # cost of being somebody who was not known before, while that is not sure; the same where all whom it might be instead were seen beside them, or too far away
_TINTS, _TINT_RANGE = 8, 1.6  # steps of the logarithms of red and of blue against green, which lie between ± so much: light and shade leave them
_SHADES, _SHADE = 4, 0.3  # steps of brightness, and their weight: black and white have the same tint
_IN_CHAIR, _SITS, _STANDS = 0.5, 1.4, 1.5  # m from the middle of a wheelchair, and up to the crown, within which somebody sits in it; m from which somebody stands
_MADE_SURE, _LEFT, _MOST_LOOKS = 2, 0.8, 10  # looks after which that is known; s out of view after which who sits in one and who stands are two people; looks remembered
_HALF = _TINTS ** 2 + _SHADES
_AT_ONCE = 0.8  # how surely somebody must be made out to be believed in there and then, with nobody out of view whom it may be
_NONE_OF = 0.65  # likeness of what is worn above from which somebody who is out of view may be who is made out surely at a second glance
_KEPT, _KEPT_SURELY = 1.5, 4.0  # s out of view for which who is not believed in yet is remembered; who was made out so surely
LOWER_FROM = 0.9  # m above the floor up to which a body's lower half is
_UNSEEN_TINT = 0.02  # how likely a colour is that nobody saw on them
_SLIVER = 0.15  # m from the middle of a body to what shows of it, at most, where that is a sliver
_SHOWN = 0.05  # of a look's sum, from which a half of it is shown


@dataclass(frozen=True)
class PersonTrack:
    """``position`` (x, y) on the floor; ``height`` of the crown when standing; ``crown``: now. ``yaw`` of the body, ``head_yaw``, radians in
    map, None: never made out. ``hands``: map points. ``points`` float64 (n, 3): its surface in the last frame it was seen.
    ``area``: square metres of it in view when seen well. ``belief``: over directions. ``path``: (stamp, x, y), oldest first. ``look``: colour histogram, sums to one.
    ``pitch`` of the head, radians, negative: bent; None: never made out. ``rides``: looks that showed them sitting in a wheelchair, less those that showed them standing.
    ``left``: where they stood has been seen empty since. ``denied``: looks at which what was seen of them showed unchanged and was taken for nobody (:mod:`perception.nobody`)."""

    id: str
    named: bool
    position: tuple[float, float]
    height: float
    crown: float
    yaw: float | None
    head_yaw: float | None
    yaw_certainty: float
    posture: Posture
    hands: tuple[tuple[float, float, float], ...]
    points: np.ndarray
    path: tuple[tuple[float, float, float], ...]
    look: np.ndarray
    last_seen: float
    hits: int = 1
    visible: bool = True
    confidence: float = 1.0
    posture_pending: int = 0
    area: float = 0.0
    belief: np.ndarray = field(default_factory=facing.uniform)
    head_belief: np.ndarray = field(default_factory=facing.uniform)
    pitch: float | None = None
    rides: int = 0
    denied: int = 0
    left: bool = False
    measured: bool = False  # whether the crown has ever been in the picture: before that the height is no more than what was seen of them

    @property
    def eye(self) -> np.ndarray:
        """(3,) between the eyes, map."""
        return np.array([*self.position, max(self.crown - 0.12, 0.6)])

    @property
    def gaze(self) -> float | None:
        return self.yaw if self.head_yaw is None else self.head_yaw

    @property
    def gaze_spread(self) -> float:
        """Standard deviation of where the head may face, radians, at most 0.35."""
        return facing.spread(self.head_belief)

    def velocity(self, window: float = 0.7) -> np.ndarray:
        """(2,) m/s over the last ``window`` seconds it was seen; zeros when it was seen only once in it."""
        recent = [p for p in self.path if self.path[-1][0] - p[0] <= window]
        if len(recent) < 2 or recent[-1][0] <= recent[0][0]:
            return np.zeros(2)
        a, b = recent[0], recent[-1]
        return np.array([b[1] - a[1], b[2] - a[2]]) / (b[0] - a[0])


@dataclass(frozen=True)
class PeopleUpdate:
    tracks: tuple[PersonTrack, ...]
    counters: Mapping[str, int]
    seen: Mapping[str, Lifted]


def update(tracks: Sequence[PersonTrack], lifted: Sequence[Lifted], frame: FrameInput, counters: Mapping[str, int],
           seats: Sequence[Box], config: PerceptionConfig, scene: Scene = Scene(), wheelchairs: Sequence[tuple[float, float]] = ()) -> PeopleUpdate:
    """``seats``: boxes of what can be sat on (a low head elsewhere is somebody bending down); ``scene``: what there is to look at; ``wheelchairs``: where some
    were a moment ago (x, y), besides those of this frame."""
    found = [x for x in lifted if x.cls == "person" and len(x.points) >= 20]
    counters, current, seen = dict(counters), {t.id: replace(t, visible=False) for t in tracks}, {}
    looks = [look_of(x, frame) for x in found]
    chairs = [np.asarray(x.box.centre[:2]) for x in lifted if x.cls == "wheelchair"] + [np.asarray(at) for at in wheelchairs]
    rides = [_rides(x, chairs) for x in found]
    names = _match(list(tracks), found, looks, frame.stamp, config, rides)
    missing = [t for t in tracks if t.hits >= config.confirm_frames and t.id not in names.values()]
    for i, one in enumerate(found):
        name = names.get(i)
        if name is None:
            name = one.detection.identity
            if name is None:
                counters["person"] = counters.get("person", 0) + 1
                name = f"person_{counters['person']}"
        old = current.get(name)
        away = frame.stamp - old.last_seen if old is not None else 0.0
        belief, heads = (old.belief, old.head_belief) if old is not None else (facing.uniform(), facing.uniform())
        pose = estimate(one, frame, belief, heads, _velocity_with(old, one, frame), old.height if old else None, away,
                        scene.around(name, tuple(medians(one.points[:, :2])), _others(name, current, frame.stamp)))
        if pose.posture is Posture.SITTING and not any(b.footprint_distance(pose.position) < 0.2 for b in seats):
            pose = replace(pose, posture=Posture.UNKNOWN)
        now = _born(name, one, pose, looks[i], frame) if old is None else _moved(old, one, pose, looks[i], frame, config)
        plainly = one.detection.score >= _AT_ONCE and (not missing or now.hits > 1 and _none_of(looks[i], missing))  # who looks away from a first glance misses what they do
        at_once = one.detection.identity is not None or plainly
        if at_once and now.hits < config.confirm_frames:
            now = replace(now, hits=config.confirm_frames)
        low = rides[i] == 0 and one.detection.box[1] > 1 and _crown(one) < _SITS and length(now.velocity()) > config.walk_speed
        current[name] = replace(now, rides=max(-_MOST_LOOKS, min(_MOST_LOOKS, now.rides + (1 if low else rides[i]))))  # who goes so low goes on wheels
        seen[name] = one
    current |= {k: replace(t, left=True) for k, t in current.items() if not t.visible and not t.left and _has_left(t, frame)}
    kept = {k: t for k, t in current.items() if t.hits >= config.confirm_frames or frame.stamp - t.last_seen < (_KEPT_SURELY if t.confidence >= _AT_ONCE else _KEPT)}
    if len(kept) > MOST:
        kept = dict(sorted(kept.items(), key=lambda item: -item[1].last_seen)[:MOST])
    return PeopleUpdate(tuple(kept.values()), counters, {k: v for k, v in seen.items() if k in kept})


def _has_left(track: PersonTrack, frame: FrameInput) -> bool:
    """Whether what is behind them shows where their legs were: who bends down leaves only the upper half of where they stood."""
    legs = track.points[track.points[:, 2] <= LOWER_FROM]
    if frame.depth is None or not len(legs):
        return False
    return share(looked_through(legs, frame.depth, frame.camera, frame.camera_pose, _PAST)) >= _FREE


def _none_of(look: np.ndarray, missing: Sequence[PersonTrack]) -> bool:
    """Whether somebody who looks so is plainly none of those ``missing``, by what they wear above."""
    return all(_upper_shown(look, t.look) and _upper_alike(look, t.look) < _NONE_OF for t in missing)


def _others(name: str, current: Mapping[str, PersonTrack], stamp: float) -> list[tuple[float, float]]:
    return [t.position for t in current.values() if t.id != name and stamp - t.last_seen < 1.0]


def _match(tracks: list[PersonTrack], found: Sequence[Lifted], looks: list[np.ndarray], stamp: float,
           config: PerceptionConfig, rides: Sequence[int]) -> dict[int, str]:
    """Index in ``found`` → track id. Names first; then motion and looks together; then looks alone for those who were away. ``rides``: for each found, 1: sits in a
    wheelchair, −1: stands; who does the one does not do the other soon after, and what shows of who sits in one is mostly wheelchair."""
    pairs: dict[int, str] = {}
    for i, one in enumerate(found):
        if one.detection.identity is not None:
            pairs[i] = one.detection.identity
    open_tracks = [t for t in tracks if t.id not in pairs.values()]
    rest = [i for i in range(len(found)) if i not in pairs]
    if not rest or not open_tracks:
        return pairs
    cost = np.full((len(rest), len(open_tracks)), 1e3)
    for a, i in enumerate(rest):
        centre = found[i].points[:, :2].mean(axis=0)
        known = max((alike(looks[i], t.look) for t in open_tracks if stamp - t.last_seen >= 0.5 and t.hits >= config.confirm_frames
                     and length(centre - t.position) < 1.0 + config.person_speed * (stamp - t.last_seen)), default=0.0)
        for b, t in enumerate(open_tracks):
            away = stamp - t.last_seen
            predicted = np.asarray(t.position) + t.velocity() * min(away, 0.5)
            distance = length(centre - predicted)
            unlike = 1 - alike(looks[i], t.look)
            if abs(t.rides) >= _MADE_SURE and rides[i] * t.rides < 0 and away >= _LEFT:
                continue
            if t.rides >= _MADE_SURE and rides[i] > 0:
                unlike = min(unlike, 0.9 * (1 - _SAME_LOOK))
            another = known >= _SURELY and known - (1 - unlike) > _BY_FAR  # who has been away looks just like this: two have changed places
            if away < (_STOOD_FOR if t.left else _STAYS) and distance < _STOOD and unlike < 1 - _OTHER_LOOK and length(t.velocity()) < config.walk_speed:
                cost[a, b] = distance / 0.5 + 6 * unlike + _CHANGED * another  # who stood there stands there still, however they look as they bend
            elif away < 1.5 and distance < 0.5 + config.person_speed * away and unlike < 1 - (_OTHER_LOOK if away < 0.5 else _UNLIKE):
                doubt = max(0.0, unlike - (1 - _SAME_LOOK)) if away >= 0.5 else 0.0  # somebody else may come out of the door they went in by
                haste = max(0.0, length(centre - t.position) / away - _WALKS) if away >= 0.5 else 0.0
                cost[a, b] = distance / 0.5 + 6 * unlike + _STRANGE * max(0.0, unlike - _VARIES) + _DOUBT * doubt + _CHANGED * another + _HASTE * haste
            elif away >= 0.5 and (away < _LONG or _upper_shown(looks[i], t.look)) and min(1 - unlike, _upper_alike(looks[i], t.look)) > _SAME_LOOK \
                    and distance < 1.0 + config.person_speed * away:
                cost[a, b] = 4 + 4 * unlike
    for b, t in enumerate(open_tracks):
        if t.hits < config.confirm_frames and not t.named:  # whom the first glance did not know again may be known by the second
            others = [c for c, o in enumerate(open_tracks) if o.hits >= config.confirm_frames and o.last_seen < t.last_seen and not _elsewhere(o, t, config)]
            cost[:, b] += np.where((cost[:, others] < 1e3).any(axis=1), _NEWCOMER, _BESIDE)
    strangers = np.where(np.eye(len(rest), dtype=bool), _STRANGER, 1e3)
    for a, b in zip(*linear_sum_assignment(np.concatenate([np.minimum(cost, 1e3), strangers], axis=1))):
        if b < len(open_tracks) and cost[a, b] < 1e3:
            pairs[rest[a]] = open_tracks[b].id
    left = [a for a, i in enumerate(rest) if i not in pairs]  # the same stranger as a moment ago, before yet another one
    young = [b for b, t in enumerate(open_tracks) if t.hits < config.confirm_frames and not t.named and t.id not in pairs.values()]
    for a, b in zip(*linear_sum_assignment(np.minimum(cost[np.ix_(left, young)], 1e3))):
        if cost[left[a], young[b]] < 1e3:
            pairs[rest[left[a]]] = open_tracks[young[b]].id
    return pairs


def _rides(one: Lifted, chairs: Sequence[np.ndarray]) -> int:
    """1: sits in a wheelchair (``chairs``: where they are, (x, y)), −1: stands, 0: not made out."""
    if (crown := _crown(one)) > _STANDS:
        return -1
    at = medians(one.points[:, :2])
    return int(crown < _SITS and any(length(at - c) < _IN_CHAIR for c in chairs))


def _crown(one: Lifted) -> float:
    """m above the floor that they reach, as far as they are in the picture."""
    return percentile(one.points[:, 2], 98)


def _elsewhere(known: PersonTrack, young: PersonTrack, config: PerceptionConfig) -> bool:
    """Whether somebody was too far from where a newcomer was first seen to have been them."""
    began, x, y = young.path[0]
    away = float(np.hypot(known.position[0] - x, known.position[1] - y))
    return began > known.last_seen and away > 1.0 + config.person_speed * (began - known.last_seen)


def look_of(one: Lifted, frame: FrameInput) -> np.ndarray:
    """As :func:`look_at`, of what was lifted of somebody."""
    return look_at(frame.color[one.rows, one.columns], one.points[:, 2] <= LOWER_FROM)


def look_at(colour: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """Histogram of tints and shades of the upper and the ``lower`` half, float64 (2·_HALF,), sums to one. ``colour``: RGB (n, 3); ``lower``: bool (n,)."""
    return look_by(tints(colour), lower)


def look_by(tinted: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """As :func:`look_at`, of :func:`tints`."""
    histogram = []
    for half in (~lower, lower):
        some = tinted.compress(half, axis=1)
        histogram += [spread(some[:2], (_TINTS, _TINTS)), _SHADE * spread(some[2:], (_SHADES,))]
    histogram = np.concatenate(histogram)
    return histogram / max(histogram.sum(), 1.0)


def tints(colour: np.ndarray) -> np.ndarray:
    """Of RGB (n, 3): both tints and the shade, (3, n), in [0, 1] but for what is more colourful."""
    red, green, blue = np.array(colour.T, np.float64, order="C") + 8.0
    found = np.log(np.array((red / green, blue / green, (red + green + blue) / 3 / 8.0)))
    found[:2] /= 2 * _TINT_RANGE
    found[:2] += 0.5
    found[2] /= np.log(263.0 / 8.0)
    return found


def likelihoods(tinted: np.ndarray, lower: np.ndarray, looks: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Of each of ``looks``, logarithms, (n,), of how likely these colours, as :func:`tints` has them, are on who looks so; 0 where that half of them was never seen.
    ``lower``: bool (n,)."""
    (red, blue), bright = np.rint(np.clip(tinted[:2], 0, 1) * (_TINTS - 1)).astype(int), np.rint(np.clip(tinted[2], 0, 1) * (_SHADES - 1)).astype(int)
    tone, upper, results = red + _TINTS * blue, ~lower, []
    for look in looks:
        result = np.zeros(len(lower))
        for half, part in ((upper, look[:_HALF]), (lower, look[_HALF:])):
            if part.sum() > _SHOWN:
                tones, shades = np.log(part[:_TINTS ** 2] / part[:_TINTS ** 2].sum() + _UNSEEN_TINT), np.log(part[_TINTS ** 2:] / part[_TINTS ** 2:].sum() + _UNSEEN_TINT)
                result[half] = tones[tone[half]] + _SHADE * shades[bright[half]]
        results.append(result)
    return results


def alike(a: np.ndarray, b: np.ndarray) -> float:
    """Bhattacharyya coefficient of two looks, in [0, 1]; halves that either does not show are left out."""
    halves = [(a[:_HALF], b[:_HALF]), (a[_HALF:], b[_HALF:])]
    shown = [(x / x.sum(), y / y.sum()) for x, y in halves if x.sum() > _SHOWN and y.sum() > _SHOWN]
    return float(np.mean([np.sqrt(x * y).sum() for x, y in shown])) if shown else 0.0


def _upper_shown(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether both looks show what is worn above."""
    return bool(a[:_HALF].sum() > _SHOWN and b[:_HALF].sum() > _SHOWN)


def _upper_alike(a: np.ndarray, b: np.ndarray) -> float:
    """As :func:`alike`, of what is worn above alone: dark trousers, which many have, make up for no other shirt. 1.0 where either does not show it."""
    return alike(*(np.concatenate([x[:_HALF], np.zeros_like(x[_HALF:])]) for x in (a, b))) if _upper_shown(a, b) else 1.0


def _born(name: str, one: Lifted, pose: Pose, look: np.ndarray, frame: FrameInput) -> PersonTrack:
    return PersonTrack(
        name, one.detection.identity is not None, pose.position, max(pose.crown, 1.1), pose.crown, pose.yaw, pose.head_yaw,
        pose.certainty, pose.posture, pose.hands, _thin(one.points), ((frame.stamp, *pose.position),), look, frame.stamp,
        confidence=one.detection.score, belief=pose.belief, head_belief=pose.head_belief, pitch=pose.pitch, measured=pose.crown_seen)


def _moved(old: PersonTrack, one: Lifted, pose: Pose, look: np.ndarray, frame: FrameInput, config: PerceptionConfig) -> PersonTrack:
    away = frame.stamp - old.last_seen
    position = pose.position
    area, width = _area(one, frame)
    if away < 0.8 and width < 0.27 and area < 0.5 * old.area:  # a sliver beside a door frame says little about where the body is: it goes on as it went
        position = _no_farther(np.asarray(old.position) + old.velocity() * away, pose.position)
    path = (*(old.path if away < 2.0 else ()), (frame.stamp, *position))[-HISTORY:]
    posture, pending = old.posture, 0
    if pose.posture is not Posture.UNKNOWN and pose.posture is not old.posture:
        pending = old.posture_pending + 1
        if pending >= max(3, config.relation_frames + 1) or old.posture is Posture.UNKNOWN:
            posture, pending = pose.posture, 0
    walking = length(old.velocity()) > config.walk_speed  # with the hands down: what is highest is the head
    plausible = pose.crown_seen and (walking or not old.measured or pose.crown < old.height + 0.12)
    height = max(old.height, pose.crown) if plausible else max(old.height, 1.1)
    return replace(
        old, position=position, height=height, crown=pose.crown, yaw=pose.yaw,
        head_yaw=pose.head_yaw, yaw_certainty=pose.certainty, posture=posture, posture_pending=pending, hands=pose.hands,
        points=_thin(one.points) if position is pose.position else old.points, path=path, area=max(0.95 * old.area, area), look=0.9 * old.look + 0.1 * look, last_seen=frame.stamp, hits=old.hits + 1,
        visible=True, confidence=0.9 * old.confidence + 0.1 * one.detection.score, left=False, named=old.named or one.detection.identity is not None,
        belief=pose.belief, head_belief=pose.head_belief, pitch=_smooth(old.pitch, pose.pitch), measured=old.measured or pose.crown_seen)


def _no_farther(expected: np.ndarray, shown: Sequence[float]) -> tuple[float, float]:
    """Where a body is of which a sliver shows: where it is expected, (2,), but no farther from what is ``shown`` of it than the middle of a body can be."""
    off = expected - np.asarray(shown)
    far = length(off)
    return tuple(float(x) for x in np.asarray(shown) + off * min(1.0, _SLIVER / max(far, 1e-6)))


def _smooth(before: float | None, now: float | None) -> float | None:
    return before if now is None else now if before is None else 0.4 * before + 0.6 * now


def _area(one: Lifted, frame: FrameInput) -> tuple[float, float]:
    """(square metres, metres of width) of what is in view of somebody."""
    eye = frame.camera_pose[:3, 3]
    scale = float(median((one.points - eye) @ frame.camera_pose[:3, 2])) / frame.camera.fx
    return one.pixels * scale ** 2, one.detection.mask.shape[1] * scale


def _velocity_with(old: PersonTrack | None, one: Lifted, frame: FrameInput) -> np.ndarray:
    """(2,) m/s up to this very frame, by the shift of the visible surface; zeros for who has just appeared."""
    if old is None or frame.stamp - old.last_seen > 1.0:
        return np.zeros(2)
    shift = medians(one.points[:, :2]) - medians(old.points[:, :2])
    return 0.5 * shift / max(frame.stamp - old.last_seen, 1e-3) + 0.5 * old.velocity()


def _thin(points: np.ndarray, most: int = 400) -> np.ndarray:
    return points[:: max(1, len(points) // most)]

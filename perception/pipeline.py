"""The whole of perception as one pure step: a frame with its detections in, the scene graph and the new human actions out.

Order: check the frame; settle names; lift masks to 3D; furniture, then people, then loose things (each needs the one before); voxels; relations; who sees
what; events and their witnesses. Invariant: a frame that cannot be looked at changes nothing but ``could_not_see``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from household import classes
from household.actions import HumanAction
from household.scene_graph import ROBOT, Openness, SceneGraph
from perception import attention, bends, bodies, devices, events, faint, handling, lifting, merged, monocular, naming, nobody, openness, people, places, recent, relations, riders, sight, taps, things, witness
from perception import rooms as rooms_of
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.frame import FrameInput, problems
from perception.geometry import Box, length
from perception.graph import assemble
from perception.home_map import DOORWAY_HEIGHT, HomeMap
from perception.lifting import Lifted
from perception.moment import Moment
from perception.records import replace, under_new_names
from perception.thing_track import Surroundings, ThingTrack, called, is_thing, lies
from perception.visibility import create
from perception.voxels import VoxelMap

RENAMED_FOR = 3.0  # s for which it is said that a thing goes by another id now
RESTART = 1.0  # s by which a stamp must lie before the last one
_BESIDE = 2  # pixels
_RIM = np.ones((2 * _BESIDE + 1,) * 2, np.uint8)
_ROOMLESS_REACH = 6.0  # without a map of the home the voxels cover this around the first camera pose, m
_ELSEWHERE = 0.5  # m from where it lay
_NAME_PLACES = ("things", "memory", "relations", "bends", "moment", "views")  # what is remembered that mentions furniture by its id
_TOO_WIDE = 1.8  # times as wide as its kind is


@dataclass(frozen=True)
class PerceptionState:
    """All that is remembered between frames. ``doors``: the map's doorways with a leaf, by id. ``moment``: what events compare with."""

    home: HomeMap
    names: tuple[naming.Opinion, ...] = ()
    wheelchairs: tuple[riders.Wheelchair, ...] = ()
    places: tuple[places.PlaceTrack, ...] = ()
    doors: Mapping[str, places.PlaceTrack] = field(default_factory=dict)
    things: tuple[ThingTrack, ...] = ()
    people: tuple[people.PersonTrack, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    renamed: Mapping[str, tuple[str, float]] = field(default_factory=dict)  # former id of a thing → its id now, and since when
    traces: handling.Traces = field(default_factory=dict)
    voxels: VoxelMap | None = None
    relations: relations.RelationMemory = field(default_factory=relations.RelationMemory)
    bends: Mapping[str, bends.Bend] = field(default_factory=dict)
    rooms: rooms_of.Rooms = field(default_factory=rooms_of.Rooms)
    memory: events.EventMemory = field(default_factory=events.EventMemory)
    moment: Moment | None = None
    views: tuple[witness.View, ...] = ()
    recent: tuple[recent.PastView, ...] = ()
    light: devices.Light | None = None
    nobody: tuple[np.ndarray, ...] = ()  # what was taken for somebody and is nobody: points as in PersonTrack.points
    event_count: int = 0
    stamp: float | None = None
    started: float | None = None
    camera_pose: np.ndarray | None = None
    graph: SceneGraph | None = None


def initial_state(home: HomeMap | None = None) -> PerceptionState:
    """A robot that knows the rooms and the furniture of ``home`` (None: not even those) and has seen nothing yet."""
    home = home or HomeMap()
    doors = {d.id: places.PlaceTrack(
        d.id, "door", Cells(), Box((*d.centre, DOORWAY_HEIGHT / 2), (d.width, 0.1, DOORWAY_HEIGHT), d.yaw + np.pi / 2), 0.0, hits=4,
        visible=False, openness=Openness.UNKNOWN) for d in home.doorways if d.leaf}
    furniture = tuple(places.remembered(piece) for piece in home.furniture)
    counters = {cls: max(classes.number_of(f.id) for f in furniture if f.cls == cls) for cls in {f.cls for f in furniture}}
    return PerceptionState(home, places=furniture, doors=doors, counters=counters)


def restarted(state: PerceptionState, stamp: float) -> bool:
    """Whether time began again: a simulator was reset, a recording looped. What was remembered is then of another run."""
    return state.stamp is not None and stamp < state.stamp - RESTART


def step(state: PerceptionState, frame: FrameInput, config: PerceptionConfig, trace: Callable[[str], None] = lambda stage: None
         ) -> tuple[PerceptionState, SceneGraph, tuple[HumanAction, ...]]:
    """One frame. Returns the new state, the graph at ``frame.stamp``, and the actions that became certain with it.

    A stamp that lies far before the last one begins anew (:func:`restarted`). ``trace`` is called with the name of every stage as it
    begins (a benchmark reads its clock there); it must not change anything.
    """
    trace("check")
    if restarted(state, frame.stamp):
        state = replace(initial_state(state.home), event_count=state.event_count)
    reasons = problems(frame, state.stamp, state.camera_pose, config)
    if reasons:
        return _blind(state, frame, reasons)
    trace("lift")
    wheelchairs, seen = riders.seated(state.wheelchairs, bodies.complete(faint.without_strays(frame.detections, frame, config), frame.depth, frame.camera.fx), frame)
    state, frame = replace(state, wheelchairs=wheelchairs), replace(frame, detections=seen)
    settled = naming.settle(state.names, frame, faint.wrists_of(seen, frame, config))
    known = faint.of_known_things(settled.detections, frame, config, [(t.cls, t.centre) for t in state.things if lies(t)])
    apart = merged.parted(bodies.whole(known, frame.depth), state.people, frame, config)
    state, frame = _corrected(state, settled, frame.stamp), replace(frame, detections=apart)
    frame = replace(frame, robot_holds=_as_called(frame.robot_holds, state.things))
    lifted = lifting.lift(frame, config, state.home.wall_yaws) if frame.depth is not None else monocular.lift(frame, config)
    now = _track(state, frame, lifted, config, trace)
    trace("events")
    rooms, moment = _moment(now, frame, config)
    memory, found = events.update(events.renamed(now.memory, {k: v for k, (v, _) in now.renamed.items()}), now.moment or moment, moment, now.home, config)
    found = tuple(e for e in found if e.actor != ROBOT)  # what the robot did is told by its own body
    trace("relations")
    related, edges = relations.update(now.relations, now.places, now.things, now.people, moment.rooms, now.home, config)
    trace("visibility")
    views = witness.remember(now.views, now.people, moment.rooms, frame.stamp, moment.robot, config, now.things)
    shut = sight.shut_doors(now.doors)
    setting = sight.setting_of(now.places, now.things, now.people, shut, now.home, now.voxels, frame.stamp)
    model = create(config.visibility.value)
    believed = frozenset(p.id for p in _sure(now.people, config))
    found = witness.attach_each(found, views, setting, model, believed)
    sees, inspected = sight.everybody(setting, now.people, model, frame.stamp, config, now.traces)
    sees = sight.made_sure_of(sees, now.things, views, setting, model, config)
    trace("graph")
    count = state.event_count + len(found)
    graph = assemble(now, frame, edges, sees, inspected, count, config)
    now = replace(now, relations=related, memory=memory, rooms=rooms, moment=moment, views=views, event_count=count, stamp=frame.stamp,
                  started=now.started if now.started is not None else frame.stamp,
                  camera_pose=np.array(frame.camera_pose, float), graph=graph)
    trace("end")
    return now, graph, found


def _blind(state: PerceptionState, frame: FrameInput, reasons: tuple[str, ...]
           ) -> tuple[PerceptionState, SceneGraph, tuple[HumanAction, ...]]:
    old = state.graph or SceneGraph(frame.stamp)
    return state, blind(old, max(frame.stamp, old.stamp), reasons), ()


def blind(graph: SceneGraph, stamp: float, reasons: tuple[str, ...]) -> SceneGraph:
    """What was known before, nothing of it marked as seen now, with the reasons why."""
    entities = {k: dataclasses.replace(e, visible=False) for k, e in graph.entities.items()}
    return dataclasses.replace(graph, stamp=stamp, entities=entities, sees={}, inspected={}, could_not_see=tuple(reasons))


def _corrected(state: PerceptionState, settled: naming.Settled, stamp: float) -> PerceptionState:
    """A thing, or a piece of furniture, that is not what it was called goes on under its new name; furniture that was only ever a wrong name is not remembered."""
    def mistake(track) -> naming.Mistake | None:
        box = track.body if isinstance(track, places.PlaceTrack) else track.box
        found = next((m for m in settled.mistakes if m.concerns(track.cls, box.centre)), None)
        if found is None:
            return None
        others = [t.box.centre for t in state.things if t.cls == track.cls and t is not track]
        return None if naming.vouched(settled.memory, found, box.centre, others) else found

    kept, counters, renamed = [], dict(state.counters), {k: v for k, v in state.renamed.items() if stamp - v[1] < RENAMED_FOR}

    def goes_by(former: str, now: str) -> None:
        nonlocal renamed
        renamed = {k: (now, stamp) if v[0] == former else v for k, v in renamed.items() if k != now} | {former: (now, stamp)}

    for track in state.things:
        wrong = mistake(track) if track.holder != ROBOT else None  # what the robot's own body carries is what it was told to take
        if wrong is None:
            kept.append(track)
        elif is_thing(wrong.now) and not any(t.cls == wrong.now and wrong.concerns(wrong.cls, t.box.centre) for t in state.things):
            now, counters = called(track, wrong.now, counters)
            goes_by(track.id, now.id)
            kept.append(now)
    state = replace(state, names=settled.memory, things=tuple(kept))
    for track in state.places:
        if (wrong := mistake(track)) is None:
            continue
        now, counters = places.called(track, wrong.now, state.places, counters)
        others = tuple(p for p in state.places if p is not track)
        if now is None:
            state = replace(state, places=others)
            continue
        goes_by(track.id, now.id)
        state = replace(state, places=(*others, now), **{k: under_new_names(getattr(state, k), {track.id: now.id}) for k in _NAME_PLACES})
    return replace(state, counters=counters, renamed=renamed)


def _as_called(ids: Sequence[str], tracks: Sequence[ThingTrack]) -> tuple[str, ...]:
    """These things by their ids now: the robot's body goes on calling what it took as it was told to take it."""
    now = {old: t.id for t in tracks for old in t.formerly}
    return tuple(now.get(name, name) for name in ids)


def _track(state: PerceptionState, frame: FrameInput, lifted: tuple[Lifted, ...], config: PerceptionConfig,
           trace: Callable[[str], None]) -> PerceptionState:
    dt = frame.stamp - state.stamp if state.stamp is not None else 0.1
    trace("places")
    furniture = places.update(state.places, lifted, frame, state.counters, state.home.wall_yaws, config, state.recent)
    trace("openness")
    bare = replace(frame, passing=_passing(lifted, frame))
    tracks = openness.update(furniture.tracks, dict(furniture.seen), bare, state.home, config, state.traces, state.recent, lifted)
    lit = devices.light(state.light, frame)
    tracks = devices.darkened(devices.update(tracks, furniture.seen, frame), lit, state.home)
    tracks = taps.update(tracks, furniture.seen, frame)
    trace("people")
    crowd = people.update(state.people, nobody.without(lifted, state.nobody, frame, config), frame, furniture.counters, _seats(tracks, state.things), config,
                          attention.Scene(_sure(tracks, config), _sure(state.things, config), [d.centre for d in state.home.doorways]),
                          [w.at for w in state.wheelchairs if frame.stamp - w.stamp < riders.LATELY])
    somebody, nobodies = nobody.parted(nobody.denied(crowd.tracks, frame, config), state.nobody)
    trace("things")
    traces = handling.remember(state.traces, somebody, frame.stamp)
    bent, tracks = bends.follow(state.bends, tracks, somebody, traces, frame.stamp)
    around = Surroundings(frame, {t.id: t for t in tracks}, {t.id: t for t in somebody}, state.voxels, config, dt, traces)
    loose = things.update(state.things, bodies.without_bodies(lifted, somebody, state.things, frame.stamp), around, crowd.counters)
    names = state.names
    for centre, likely, looks, called in loose.pooled:
        names = naming.pooled(names, centre, likely, looks, called)
    for gone in _gone(state.things, loose.tracks):
        names = naming.left(names, gone.cls, gone.centre, frame.stamp)
    renamed = {k: (loose.renamed.get(v, v), frame.stamp if v in loose.renamed else since) for k, (v, since) in state.renamed.items()
               if loose.renamed.get(v, v) != k} | {k: (v, frame.stamp) for k, v in loose.renamed.items()}  # what got its name back goes by no other
    doors = {d.id: _door(state.doors[d.id], openness.look_at_doorway(d, bare), frame.stamp, config)
             for d in state.home.doorways if d.id in state.doors}
    trace("voxels")
    return replace(state, places=tracks, doors=doors, people=somebody, nobody=nobodies, bends=bent, things=loose.tracks, names=names, renamed=renamed, counters=loose.counters, traces=traces, light=lit,
                   recent=recent.remember(state.recent, frame), voxels=_mapped(state, bare, config))


def _gone(before: Sequence[ThingTrack], now: Sequence[ThingTrack]) -> list[ThingTrack]:
    """Things as they lay, that somebody has now or that now lie elsewhere."""
    known = {t.id: t for t in now}
    pairs = [(t, known[t.id]) for t in before if t.holder is None and t.id in known]
    return [t for t, n in pairs if n.holder is not None or length(n.centre - t.centre) > _ELSEWHERE]


_SEATS = frozenset({"sofa", "bed", "chair", "bench", "stool", "toilet", "wheelchair"})


def _sure(tracks, config: PerceptionConfig) -> list:
    return [t for t in tracks if t.hits >= config.confirm_frames]


def _seats(furniture: tuple[places.PlaceTrack, ...], loose: tuple[ThingTrack, ...]) -> list[Box]:
    """Boxes of what can be sat on; what is called a chair and is as wide as two tells of nowhere to sit."""
    found = [(p.cls, p.body) for p in furniture if p.cls in _SEATS] + [(t.cls, t.box) for t in loose if t.cls in _SEATS]
    return [box for cls, box in found if max(box.size[:2]) < _TOO_WIDE * max(classes.get(cls).size[:2])]


def _door(door: places.PlaceTrack, sign: Openness | None, stamp: float, config: PerceptionConfig) -> places.PlaceTrack:
    seen = sign is not None
    door = openness.settle(door, sign, stamp, config)
    return replace(door, visible=seen, last_seen=stamp if seen else door.last_seen)


def _mapped(state: PerceptionState, frame: FrameInput, config: PerceptionConfig) -> VoxelMap | None:
    if frame.depth is None:
        return state.voxels
    voxels = state.voxels
    if voxels is None:
        eye = frame.camera_pose[:2, 3]
        low, high = state.home.bounds() or (eye - _ROOMLESS_REACH, eye + _ROOMLESS_REACH)
        voxels = VoxelMap.over(low, high, config)
    return voxels.updated(frame.depth, frame.passing, frame.camera, frame.camera_pose, config)


def _passing(lifted: tuple[Lifted, ...], frame: FrameInput) -> np.ndarray | None:
    """bool (H, W): pixels of people and loose things, and two around them: mixed pixels at a rim belong to nobody. None without depth."""
    if frame.depth is None:
        return None
    passing, found = np.zeros(frame.depth.shape, np.uint8), [one.detection for one in lifted if one.cls == "person" or is_thing(one.cls)]
    for d in found:
        left, top, right, bottom = d.box
        passing[top:bottom, left:right] |= d.mask
    if found:
        left, top, right, bottom = zip(*(d.box for d in found))
        part = passing[max(0, min(top) - _BESIDE):max(bottom) + _BESIDE, max(0, min(left) - _BESIDE):max(right) + _BESIDE]
        part[:] = cv2.dilate(part, _RIM)
    return passing.view(bool)


def _moment(state: PerceptionState, frame: FrameInput, config: PerceptionConfig) -> tuple[rooms_of.Rooms, Moment]:
    old = state.rooms
    started = state.started if state.started is not None else frame.stamp
    rooms = rooms_of.settle(old, state.people, frame.stamp, started, state.home, config, state.recent, sight.shut_doors(state.doors),
                            [p.body for p in state.places if p.openness is Openness.OPEN])
    robot = None if frame.robot_pose is None else (float(frame.robot_pose[0, 3]), float(frame.robot_pose[1, 3]))
    return rooms, Moment(frame.stamp, {p.id: p for p in (*state.places, *state.doors.values())}, {t.id: t for t in state.things},
                         {p.id: p for p in state.people}, rooms.of, robot, rooms.crossed, state.traces, state.recent)

"""Does the stack's memory stay flat? A home whose people live on, small pictures at a low rate, and the sizes of what is remembered.

One process holds the world, perception, mind and planner; the sizes are counts of tracks, map cells and bytes, so that growth has a name.
Invariant: nothing here changes what is measured; frames are dropped as soon as they were looked at.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass

from evaluation.stack import Stack
from household.ordering import StepInput
from perception import detectors, home_map
from perception.config import PerceptionConfig
from perception.detectors.simulator import keypoints_of
from perception.frame import FrameInput
from perception.pipeline import PerceptionState, initial_state, step
from sim_bridges.worlds import open_world

WARM_UP = 5.0  # minutes after which memory is to stay flat


@dataclass(frozen=True)
class Row:
    """At ``minute`` of message time: resident MiB of the process; tracked things, places, people; cells of all places; MiB of voxels;
    moments of views, opinions on names; people the mind keeps."""

    minute: float
    rss_mib: float
    things: int
    places: int
    people: int
    cells: int
    voxels_mib: float
    views: int
    names: int
    minds: int


def measure(minutes: float = 30.0, every: float = 5.0, *, home: str | None = None, seed: int = 0, width: int = 160, height: int = 120,
            rate: float = 2.0, tell: Callable[[Row], None] = lambda row: None) -> list[Row]:
    """A row every ``every`` minutes of message time. ``home`` None: the first shipped one; its people live on their own."""
    sim = open_world("embedded", home=home, seed=seed, width=width, height=height, noise=True)
    plan = sim.world.home
    state, stack = initial_state(home_map.from_rooms(plan.rooms, plan.doorways, plan.wall_height)), Stack()
    detector, rows, config = detectors.create("simulator"), [], PerceptionConfig()
    frames = round(minutes * 60 * rate)
    for i in range(1, frames + 1):
        sim.advance(1.0 / rate)
        frame = sim.frame()
        detector.see(frame.ids, {k: (v.entity, v.cls) for k, v in frame.instances.items()}, keypoints_of(frame.keypoints))
        found = tuple(detector.detect(frame.color, frame.depth, frame.camera))
        given = FrameInput(frame.stamp, frame.color, frame.depth, frame.camera, frame.camera_pose, frame.robot_pose, found)
        state, graph, events = step(state, given, config)
        moment = stack.run(StepInput(graph, events, tuple(sim.heard())))
        if moment.out.gaze is not None:
            sim.look_at(moment.out.gaze)
        sim.stand_at(moment.out.stand)
        if i % round(every * 60 * rate) == 0 or i == frames:
            rows.append(_row(i / rate / 60, state, len(moment.minds.people)))
            tell(rows[-1])
    return rows


def _row(minute: float, state: PerceptionState, minds: int) -> Row:
    import psutil

    gc.collect()
    voxels = 0.0 if state.voxels is None else state.voxels.evidence.nbytes / 2**20
    return Row(round(minute, 2), round(psutil.Process().memory_info().rss / 2**20, 1), len(state.things), len(state.places), len(state.people),
               sum(len(p.cells) for p in state.places), round(voxels, 2), len(state.views), len(state.names), minds)


def growth(rows: list[Row]) -> float | None:
    """MiB a minute between the first row past the warm-up and the last; None when there is no such span."""
    late = [r for r in rows if r.minute >= WARM_UP]
    if len(late) < 2:
        return None
    return (late[-1].rss_mib - late[0].rss_mib) / (late[-1].minute - late[0].minute)

"""Measures the renderer: ``python -m sim_bridges.embedded.render_bench --home maple``. CPU time of this process, so
that a busy machine matters less.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from sim_bridges.contract import CameraModel
from sim_bridges.embedded.assets import PRIMITIVES
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.model import RobotSpec, RobotState
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld

VIEWS = 12


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", default="maple", help="a shipped home's name, or a YAML file")
    parser.add_argument("--primitives", action="store_true", help="plain shapes only")
    args = parser.parse_args()
    home = load_home(args.home)
    state = EmbeddedWorld(home).state
    begin = time.process_time()
    renderer = Renderer(home, assets=PRIMITIVES if args.primitives else None)
    print(f"{home.name}: start-up {time.process_time() - begin:.1f} s CPU")
    print("| image | camera turns, ms CPU | camera still, ms CPU |\n|---|---|---|")
    walker = state.people[home.people[0].id] if home.people else None
    room = home.rooms[0]
    middle = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
    for width, height in ((640, 480), (320, 240)):
        camera, first, again = CameraModel.from_fov(width, height, home.robot.horizontal_fov_deg), [], []
        for k in range(VIEWS):
            pose = camera_pose_of(RobotState(middle, 2 * math.pi * k / VIEWS, 0.0, home.robot.camera_pitch),
                                  RobotSpec(middle, 0.0))
            for times in (first, again):
                if walker is not None:
                    walker.walking, walker.gait = True, walker.gait + 0.4  # somebody is always on the move
                begin = time.process_time()
                renderer.render(state, camera, pose)
                times.append(1000 * (time.process_time() - begin))
        print(f"| {width}×{height} | {np.median(first):.0f} (worst {max(first):.0f}) | {np.median(again):.0f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Stand-ins for the simulators, as programs: to try the bridges without Unity. Their pictures show a furnished home, or with --boxes plain boxes.

    .venv/bin/python -m tests.sim_bridges.doubles.serve virtualhome --port 8080
    .venv/bin/python -m tests.sim_bridges.doubles.serve tdw --port 1071
"""

from __future__ import annotations

import argparse
import threading
from dataclasses import replace

from tests.sim_bridges.doubles.stage import Stage, apartment


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", choices=("virtualhome", "tdw"))
    parser.add_argument("--port", type=int, default=0, help="8080 or 1071 when left out")
    parser.add_argument("--boxes", action="store_true", help="draw everything as boxes")
    parser.add_argument("--large", action="store_true", help="virtualhome: a graph as long as a real apartment's")
    options = parser.parse_args()
    if options.simulator == "virtualhome":
        from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble

        double = VirtualHomeDouble(Stage(apartment()), furnished=not options.boxes, large=options.large)
        double.port = options.port or 8080
    else:
        from sim_bridges.tdw import building
        from sim_bridges.tdw.config import TdwScene
        from tests.sim_bridges.doubles.tdw_build import TdwBuildDouble

        scene = TdwScene()
        home = replace(apartment(), things=tuple(t for t in apartment().things if t.id in {o.id for o in scene.objects}))
        double = TdwBuildDouble(options.port or 1071, [(r.low, r.high) for r in scene.rooms], [d.centre for d in scene.doorways],
                                building.frames_of(scene).origin, home=None if options.boxes else home)
    with double:
        print(f"{options.simulator} double on port {double.port}; stop with Ctrl-C", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()

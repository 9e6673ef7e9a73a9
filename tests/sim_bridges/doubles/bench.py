"""What bridging costs per 640×480 frame, as process CPU time; the doubles' own share (rendering, encoding) is measured apart and not in it.

    .venv/bin/python -m tests.sim_bridges.doubles.bench
"""

from __future__ import annotations

import base64
import itertools
import json
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np

from household.actions import parse
from household.camera import CameraModel
from household.images import decode_color, decode_depth
from household.registration import register_depth
from sim_bridges import conformance
from sim_bridges.colors import InstanceColors
from sim_bridges.errors import ConnectionLost
from sim_bridges.symbolic import ViewState, view
from sim_bridges.tdw import snapshot
from sim_bridges.virtualhome import graph
from sim_bridges.virtualhome.pixels import decode_depth as decode_exr
from sim_bridges.virtualhome.pixels import decode_png
from sim_bridges.virtualhome.world import VirtualHomeWorld
from tests.sim_bridges.doubles.camera_driver import CameraDriver, Quirks
from tests.sim_bridges.doubles.known import known_scene
from tests.sim_bridges.doubles.large import grown
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.tdw_wire import images
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble

WIDTH, HEIGHT = 640, 480


class Cost(float):
    """The median of several runs, milliseconds of this process's CPU time; ``least``: of the quickest."""

    least: float


def cost(call, runs: int = 15) -> Cost:
    times = []
    for _ in range(runs):
        began = time.process_time()
        call()
        times.append((time.process_time() - began) * 1e3)
    found = Cost(np.median(times))
    found.least = min(times)
    return found


def config(sim, **more):
    from tests.sim_bridges.virtualhome.test_virtualhome_conformance import config_for

    return config_for(sim.port, width=WIDTH, height=HEIGHT, **more)


def over_the_wire(out) -> None:
    """Whole frames from doubles in processes of their own, whose time is not counted."""
    from sim_bridges.tdw.config import TdwConfig
    from sim_bridges.tdw.world import TdwWorld
    from tests.sim_bridges.virtualhome.test_virtualhome_conformance import config_for

    for name, port, *more in (("virtualhome", 18180), ("virtualhome", 18181, "--large"), ("tdw", 18171)):
        serve = [sys.executable, "-m", "tests.sim_bridges.doubles.serve", name, "--port", str(port), *more]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE)
        try:
            server.stdout.readline()
            if name == "virtualhome":
                world = VirtualHomeWorld(config_for(port, width=WIDTH, height=HEIGHT))

                def fetch():
                    world._frame = world._scene = None
                    world.frame()

                out(f"VirtualHome: a whole frame and its {'long ' if more else ''}graph over HTTP", cost(fetch))
            else:
                world = TdwWorld(TdwConfig(port=port, width=WIDTH, height=HEIGHT))
                out("ThreeDWorld: a whole frame over ZMQ", cost(lambda: world.advance(0.02)))
            world.close()
        finally:
            server.terminate()
            server.wait()


def virtualhome(out) -> None:
    with VirtualHomeDouble(Stage(apartment())) as sim:
        world = VirtualHomeWorld(config(sim))
        world.frame()
        normal, depth, seg = (base64.b64encode(sim.picture(world._camera, m, WIDTH, HEIGHT)).decode() for m in ("normal", "depth", "seg_inst"))
        image = decode_png(seg, WIDTH, HEIGHT, "seg_inst")
        out("VirtualHome: colour PNG", cost(lambda: decode_png(normal, WIDTH, HEIGHT, "normal")))
        out("VirtualHome: instance PNG", cost(lambda: decode_png(seg, WIDTH, HEIGHT, "seg_inst")))
        out("VirtualHome: instance colours to ids", cost(lambda: world.colors.ids(image)))
        out("VirtualHome: depth EXR, on its own", cost(lambda: decode_exr(depth, WIDTH, HEIGHT)))
        raw = world.client.environment_graph()
        out("VirtualHome: graph to scene graph", cost(lambda: graph.scene_graph(raw, world.names, 0.0)))
        large, read, turn = grown(raw), graph.Reader(world.names), itertools.count()

        def one_moved():
            large["nodes"][0]["obj_transform"]["position"][0] = 0.001 * next(turn)
            return read(large, 0.0)

        home = one_moved()
        text = json.dumps(large)
        out("VirtualHome: a real apartment's graph, JSON", cost(lambda: json.loads(text)))
        out("VirtualHome: that to scene graph, one person moved", cost(one_moved))
        out("robot's view of that", cost(lambda: view(ViewState(), replace(home))))
        scene = world.scene()
        out("robot's view of a graph", cost(lambda: view(ViewState(), scene)))
        subject = conformance.Subject(open=lambda: world, scene=known_scene(Stage(apartment()), WIDTH, HEIGHT))
        f = world.frame()
        worst = 0.0
        for mark in subject.scene.landmarks:
            value = next(v for v, info in f.instances.items() if info.entity == mark.entity)
            worst = max(worst, float(mark.distance(conformance.back_project(f, f.ids == value)).max()))
        out("VirtualHome: largest error of a seen point, mm", worst * 1e3)
        sim.fault["render_script"] = ("slow", 30.0)
        world.begin("alice", parse("walk(fridge_1)"))
        killed = [0.0]

        def kill():
            killed[0] = time.monotonic()
            sim.stop()

        threading.Timer(0.3, kill).start()
        try:
            world.advance(1.0)
        except ConnectionLost:
            out("VirtualHome: death in a script until reported, wall ms", (time.monotonic() - killed[0]) * 1e3)


def tdw(out) -> None:
    rng = np.random.default_rng(0)
    import cv2

    picture = np.kron(rng.integers(0, 255, (HEIGHT // 8, WIDTH // 8, 3), dtype=np.uint8), np.ones((8, 8, 1), np.uint8))
    png = cv2.imencode(".png", picture)[1].tobytes()
    part = images("heed", WIDTH, HEIGHT, [(1, png), (2, png), (16, rng.integers(0, 255, WIDTH * HEIGHT * 3, dtype=np.uint8).tobytes())])
    out("ThreeDWorld: one reply with colour, ids and depth", cost(lambda: snapshot.read([part, b"\0\0\0\0"], "heed", WIDTH, HEIGHT)))
    colors = InstanceColors({i + 1: tuple(int(c) for c in rng.integers(0, 250, 3)) for i in range(200)})
    out("ThreeDWorld: instance colours to ids", cost(lambda: colors.ids(picture)))


def camera(out) -> None:
    model = CameraModel.from_fov(WIDTH, HEIGHT, 80.0)
    for label, quirks in (("camera: bgra8 and 16UC1, aligned", Quirks(color="bgra8")), ("camera: depth registered from its own frame", Quirks(baseline=0.05))):
        driver = CameraDriver(Stage(apartment()), model, quirks)
        messages = driver.messages(1)
        raw_color = next(m[2] for m in messages if m[0] == "image" and m[1] == "color")
        raw_depth = next(m[2] for m in messages if m[0] == "image" and m[1] == "depth")
        shift = np.eye(4)
        shift[0, 3] = quirks.baseline

        def once():
            decode_color(raw_color.encoding, HEIGHT, WIDTH, raw_color.step, False, raw_color.data)
            depth = decode_depth(raw_depth.encoding, raw_depth.height, raw_depth.width, raw_depth.step, False, raw_depth.data)
            if quirks.baseline:
                register_depth(depth, driver.depth_camera, model, shift)

        out(label, cost(once))


def main() -> None:
    print(f"{'per 640x480 frame, CPU ms (15 runs)':58s} {'median':>8s} {'least':>8s}")

    def out(name: str, value: float) -> None:
        least = f" {value.least:8.2f}" if isinstance(value, Cost) else ""
        print(f"{name:58s} {value:8.2f}{least}", flush=True)

    over_the_wire(out)
    virtualhome(out)
    tdw(out)
    camera(out)


if __name__ == "__main__":
    main()

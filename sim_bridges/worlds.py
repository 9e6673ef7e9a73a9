"""The worlds by name: the one place where a bridge is chosen. A bridge is imported only when it is asked for."""

from __future__ import annotations

import importlib

from sim_bridges.contract import Simulator


class WorldError(ValueError):
    """A world that cannot be opened; the message says which, why, and what to do."""


# name → (module, factory). A factory takes the keyword options of :func:`open_world` that it knows.
WORLDS: dict[str, tuple[str, str]] = {
    "embedded": ("sim_bridges.embedded.simulator", "open_simulator"),
    "virtualhome": ("sim_bridges.virtualhome", "open_simulator"),
    "tdw": ("sim_bridges.tdw", "open_simulator"),
    "realsense": ("sim_bridges.camera", "open_simulator"),
}


def open_world(name: str, **options) -> Simulator:
    """``options``: home, story, seed, width, height, rate, noise, host, port; a world ignores what it has no use for."""
    if name == "camera":
        raise WorldError("world 'camera' is a real camera: start its ROS driver; no world node is needed (docs/robot.md)")
    if name not in WORLDS:
        raise WorldError(f"unknown world '{name}'; there are: {', '.join([*WORLDS, 'camera'])}")
    module, factory = WORLDS[name]
    return getattr(importlib.import_module(module), factory)(**options)


def check_world(name: str, **options) -> None:
    """Raise now what opening the world would raise later: a wrong home or story, a simulator that does not answer or whose frames are of no use."""
    if name == "embedded":
        from sim_bridges.embedded.simulator import load_home_of

        load_home_of(options.get("home"), options.get("story"), options.get("seed", 0))
    else:
        world = open_world(name, **options)
        try:
            world.frame()
        finally:
            world.close()

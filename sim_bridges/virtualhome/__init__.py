"""VirtualHome over its HTTP protocol: client, graph, cameras, images, scripts, and the World and Body made of them."""

from __future__ import annotations

import logging
from dataclasses import replace

from sim_bridges.contract import Simulator
from sim_bridges.errors import NotSupported

DEFAULT_PORT = 8080


def open_simulator(*, home: str | None = None, story: str | None = None, seed: int = 0, width: int = 640, height: int = 480,
                   host: str = "127.0.0.1", port: int | None = None, **_) -> Simulator:
    """``home``: number of an apartment; ``story``: one of ``scripted.STORIES`` or a file of beats.

    A build that cannot move cameras gets one that is bolted to the robot's character.
    Raises BridgeError (nobody answers: how to start one), ValueError (an option that cannot be).
    """
    from sim_bridges.scripted import story_of
    from sim_bridges.virtualhome.config import CameraMount, VirtualHomeConfig
    from sim_bridges.virtualhome.world import VirtualHomeWorld

    if home and not str(home).isdigit():
        raise ValueError(f"home '{home}': for VirtualHome the number of an apartment is due (0 to 49)")
    config = VirtualHomeConfig(host=host, port=port or DEFAULT_PORT, environment=int(home) if home else 0, story=story_of(story),
                               width=width, height=height, prefetch=True)
    try:
        return VirtualHomeWorld(config, seed=seed)
    except NotSupported as error:
        if error.command not in ("add_camera", "update_camera"):
            raise
        logging.getLogger(__name__).warning("this VirtualHome does not know '%s': the robot's neck cannot turn, its camera is bolted to the character",
                                            error.command)
        return VirtualHomeWorld(replace(config, mount=CameraMount.CHARACTER), seed=seed)


def home_map(*, home: str | None = None, host: str = "127.0.0.1", port: int | None = None, **_) -> dict:
    """Rooms and doorways of an apartment as a ``home_map`` file holds them, asked of the simulator. Raises BridgeError."""
    from sim_bridges.virtualhome import graph
    from sim_bridges.virtualhome.client import VirtualHomeClient
    from sim_bridges.virtualhome.names import NameMap

    client = VirtualHomeClient(host, port or DEFAULT_PORT)
    client.ping()
    client.reset(int(home) if home else 0)
    raw, names = client.environment_graph(), NameMap()
    names.learn(raw["nodes"])
    return graph.home_map(raw, names)

"""ThreeDWorld through the ``tdw`` package: link to the build, scene, snapshots, Replicants, and the World and Body made of them."""

from __future__ import annotations

from sim_bridges.contract import Simulator

DEFAULT_PORT = 1071


def open_simulator(*, home: str | None = None, story: str | None = None, seed: int = 0, width: int = 640, height: int = 480,
                   port: int | None = None, **_) -> Simulator:
    """``home``: a scene file (docs/bridges.md), else the built-in two rooms; ``story``: one of ``scripted.STORIES`` or a file of beats.

    Raises BridgeError (no build connects: how to start one), SceneError, ValueError.
    """
    from sim_bridges.scripted import story_of
    from sim_bridges.tdw.config import TdwConfig, TdwScene, read_scene
    from sim_bridges.tdw.world import TdwWorld

    scene = read_scene(home) if home else TdwScene()
    return TdwWorld(TdwConfig(port=port or DEFAULT_PORT, scene=scene, story=story_of(story), width=width, height=height), seed=seed)


def home_map(*, home: str | None = None, **_) -> dict:
    """Rooms and doorways of a scene as a ``home_map`` file holds them; needs no build. Raises SceneError."""
    from sim_bridges.tdw.config import TdwScene, read_scene

    return (read_scene(home) if home else TdwScene()).home_map()

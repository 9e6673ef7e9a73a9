"""Open a world by name. The one place that knows which worlds there are; each is imported only when it is asked for.

Invariant: a world that cannot be opened raises one line that says why and what to do, and leaves nothing running.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sim_bridges.contract import Simulator, World
from sim_bridges.errors import UnknownName
from sim_bridges.scripted import STORIES, Beat, read_story

WORLDS = ("embedded", "virtualhome", "tdw", "camera")
DEFAULT_PORTS = {"virtualhome": 8080, "tdw": 1071}


def open_world(name: str, *, home: str | None = None, story: str | None = None, seed: int = 0, width: int = 640, height: int = 480,
               noise: bool = False, rate: float = 5.0, host: str = "127.0.0.1", port: int | None = None) -> Simulator | World:
    """``home``: an embedded home (name or file), a VirtualHome environment number, or a ThreeDWorld scene file. ``story``: name or file.

    Raises BridgeError (no simulator answers: how to start one), ValueError (an option that cannot be).
    """
    if name not in WORLDS:
        raise UnknownName(f"no world '{name}'; there are: {', '.join(WORLDS)}")
    options = {"home": home, "story": story, "seed": seed, "width": width, "height": height}
    if name == "embedded":
        return _embedded(**options, noise=noise, rate=rate)
    if name == "virtualhome":
        return _virtualhome(**options, host=host, port=port or DEFAULT_PORTS[name])
    if name == "tdw":
        return _tdw(**options, port=port or DEFAULT_PORTS[name])
    from sim_bridges.camera.realsense import RealSenseConfig, RealSenseWorld

    return RealSenseWorld(RealSenseConfig(width=width, height=height, rate=int(rate) if rate >= 6 else 15))


def story_of(story: str | None) -> tuple[Beat, ...] | str:
    """A story's name as it is, or the beats of a file. Raises UnknownName, ActionError with the line."""
    if not story:
        return ()
    if story in STORIES:
        return story
    path = Path(story)
    if not path.is_file():
        raise UnknownName(f"no story '{story}'; there are: {', '.join(STORIES)}, or a file with one 'person: verb(argument)' a line")
    return read_story(path.read_text(encoding="utf-8").splitlines())


def _embedded(**options) -> Simulator:
    from sim_bridges.embedded import open_embedded

    return open_embedded(**options)


def _virtualhome(home, story, seed, width, height, host, port) -> Simulator:
    from sim_bridges.virtualhome.config import VirtualHomeConfig
    from sim_bridges.virtualhome.world import VirtualHomeWorld

    if home and not str(home).isdigit():
        raise ValueError(f"home='{home}': for VirtualHome the number of an environment is due (0 to 49)")
    config = VirtualHomeConfig(host=host, port=port, environment=int(home) if home else 0, story=story_of(story), width=width, height=height)
    return VirtualHomeWorld(config, seed=seed)


def _tdw(home, story, seed, width, height, port) -> Simulator:
    from sim_bridges.tdw.config import TdwConfig, read_scene
    from sim_bridges.tdw.world import TdwWorld

    scene = read_scene(home) if home else None
    return TdwWorld(TdwConfig(port=port, scene=scene or TdwConfig().scene, story=story_of(story), width=width, height=height), seed=seed)

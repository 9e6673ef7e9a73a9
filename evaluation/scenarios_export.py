"""A scenario as files that other commands play: the home as a home file, the story as a story file that names it.

Invariant: the home file reads back as the very home the scenario is played in (to the millimetre and the hundredth of a degree).
"""

from __future__ import annotations

import math
from pathlib import Path

import yaml

from household import classes
from household.scene_graph import Posture
from sim_bridges.embedded import fittings
from sim_bridges.embedded.model import Furniture, Home, Person

from evaluation.scenarios import Scenario
from evaluation.scenarios_build import Pair


def export(pair: Pair, folder: Path) -> None:
    """Two stories and their homes into ``folder``: ``NAME.yaml`` and ``NAME.home.yaml``."""
    folder.mkdir(exist_ok=True)
    for scenario in (pair.scenario, pair.control):
        write(scenario, folder)


def write(scenario: Scenario, folder: Path) -> tuple[Path, Path]:
    """The story file and the home file it names."""
    home, story = folder / f"{scenario.name}.home.yaml", folder / f"{scenario.name}.yaml"
    _save(home, home_data(scenario.home))
    _save(story, {**scenario.story, "home": home.name, "seed": scenario.seed})
    return story, home


def _save(path: Path, data: dict) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(yaml.safe_dump(data, sort_keys=False, width=140), encoding="utf-8")
    part.replace(path)


def home_data(home: Home) -> dict:
    """The plain data of a home file."""
    rooms = {}
    for room in home.rooms:
        row: dict = {} if room.id == room.cls else {"class": room.cls}
        pieces = {f.id: _piece(f) for f in home.furniture if f.room == room.id}
        rooms[room.id] = {**row, "from": _numbers(room.low), "to": _numbers(room.high), **({"furniture": pieces} if pieces else {})}
    doors = {d.id: {"between": list(d.rooms), "at": _numbers(d.center), "width": round(d.width, 4),
                    **({"leaf": True, "open": d.open} if d.leaf else {})} for d in home.doorways}
    things = {t.id: {"at": t.at, **({"position": _numbers(t.position)} if t.position is not None else {}),
                     **({"facing": _facing(t.yaw)} if t.yaw else {}), **({"model": t.model} if t.model else {}),
                     **({"size": _numbers(t.size)} if t.size else {})} for t in home.things}
    robot = home.robot
    return {"name": home.name, "style": home.style, "wall_height": home.wall_height, "light": home.light, "rooms": rooms, "doors": doors,
            "things": things, "people": {p.id: _person(p) for p in home.people},
            "robot": {"at": _numbers(robot.position), "facing": _facing(robot.yaw), "camera_height": robot.camera_height,
                      "camera_pitch": round(math.degrees(robot.camera_pitch), 4), "fov": robot.horizontal_fov_deg, "arm": robot.arm}}


def _piece(f: Furniture) -> dict:
    row = {"at": _numbers(f.position[:2]), "facing": _facing(f.yaw), "size": _numbers(f.size), "height": round(f.position[2], 4)}
    if f.heights and f.heights != fittings.levels(f.cls, f.size[2]):
        row["levels"] = _numbers(f.heights)
    if f.open:
        row["open"] = True
    if f.on and classes.get(f.cls).switchable:
        row["switched_on"] = True
    if f.model:
        row["model"] = f.model
    return row


def _person(p: Person) -> dict:
    row = {"at": _numbers(p.position), "facing": _facing(p.yaw), "name": p.name, "height": p.height, "reach": p.reach, "stride": p.stride}
    if p.posture in (Posture.SITTING, Posture.WHEELCHAIR):
        row["posture"] = p.posture.value
    return {**row, **({"model": p.model} if p.model else {}), **({"goal": str(p.goal)} if p.goal else {})}


def _numbers(values) -> list[float]:
    return [round(float(v), 4) for v in values]


def _facing(radians: float) -> float:
    return round(math.degrees(radians) % 360.0, 4) % 360.0

"""The nodes of the stack, their parameters, and the processes they run in.

One list serves three users: ``heed up`` and ``heed demo`` start the processes here, ``launch/heed.launch.py`` declares the same
options and starts the same executables, and the tests start it to kill a node in the middle. No rclpy here: nodes are processes.
Invariant: whatever ends :class:`Graph`, no process of it is left behind.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from household import environment
from perception.detectors import DEFAULT


@dataclass(frozen=True)
class Option:
    """One option of the whole graph: ``default`` as launch sees it, ``to``: node → parameter it sets."""

    default: object
    doc: str
    to: tuple[tuple[str, str], ...] = ()
    choices: tuple[str, ...] = ()


def _to(*pairs: str) -> tuple[tuple[str, str], ...]:
    return tuple(tuple(p.split(".", 1)) for p in pairs)


WORLDS = ("embedded", "virtualhome", "tdw", "camera", "realsense")
REAL = ("camera", "realsense")  # worlds nobody simulates: no labels, no graph of their own, a map that somebody has to write
PERCEPTION = ("simulator", "detector", "symbolic")

OPTIONS: dict[str, Option] = {
    "world": Option("embedded", "where the frames come from", _to("world.world"), WORLDS),
    "home": Option("", "home: a name, number or file, as the world has it; of a RealSense: the file that says where it is; empty: the story's", _to("world.home")),
    "story": Option("", "story people follow: a name or a file; empty: they live on their own", _to("world.story")),
    "seed": Option(0, "seed of the world", _to("world.seed")),
    "host": Option("127.0.0.1", "host of an external simulator", _to("world.host")),
    "port": Option(0, "its port; 0: that simulator's usual one", _to("world.port")),
    "width": Option(640, "image width, pixels", _to("world.width")),
    "height": Option(480, "image height, pixels", _to("world.height")),
    "rate": Option(5.0, "frames per second of world time", _to("world.rate")),
    "noise": Option(False, "add the depth sensor's noise to simulated frames", _to("world.noise")),
    "lockstep": Option(False, "the world waits for each decision", _to("world.lockstep", "perception.reliable", "recorder.reliable")),
    "perception": Option("detector", "detector; the simulator's own segmentation; or symbolic: the simulator's own graph, no pictures read", (), PERCEPTION),
    "backend": Option("", "detector backend: light, ultralytics, open_vocabulary; empty: the one that ships"),
    "weights": Option("", "weights of the detector; empty: those that ship", _to("perception.weights")),
    "device": Option("auto", "auto, cpu or cuda", _to("perception.device")),
    "home_map": Option("", "YAML with rooms and doorways; empty: the embedded home's own", _to("perception.home_map")),
    "camera": Option("", "a camera driver's topics: a parameter file, or the name of one of config/cameras"),
    "muted": Option(False, "the robot never speaks", _to("planner.muted")),
    "arm": Option(True, "the robot can grasp, open and push", _to("planner.has_arm")),
    "speech_folder": Option("", "folder for spoken sentences as WAV files; empty: say them aloud where there is a sound device"),
    "record": Option("", "folder of a new rosbag2 recording; empty: do not record", _to("recorder.output")),
    "record_images": Option("compressed", "compressed, raw or none", _to("recorder.images"), ("compressed", "raw", "none")),
    "use_sim_time": Option(True, "take the time from /clock"),
}

EXECUTABLES: dict[str, str] = {
    "world": "sim_bridges.node", "perception": "perception.node", "mind": "mind.node", "planner": "planner.node",
    "voice": "planner.ros", "recorder": "evaluation.ros",
}

LOCKSTEP_PATIENCE = 10.0  # s of wall time: a simulator that is waited for may take its time over a frame
LOCKSTEP_SILENCE = 25.0  # s of wall time without a picture that is no fault: a world without an answer sends its frame again after its ``lockstep_timeout``


@dataclass(frozen=True)
class NodeSpec:
    """``executable`` as ``ros2 run heed`` names it; ``module`` with a main(); ``parameters`` and extra parameter files."""

    name: str
    executable: str
    module: str
    parameters: dict = field(default_factory=dict)
    files: tuple[str, ...] = ()


class OptionError(ValueError):
    """An option the graph does not have, or a value it cannot take."""


def resolve(given: dict) -> dict:
    """Options with defaults filled in and values checked. Raises OptionError naming option, value and what is allowed."""
    unknown = set(given) - set(OPTIONS)
    if unknown:
        raise OptionError(f"unknown option {', '.join(sorted(unknown))}; there are: {', '.join(OPTIONS)}")
    values = {}
    for name, option in OPTIONS.items():
        value = given.get(name)
        value = option.default if value is None else _converted(name, value, option.default)
        if option.choices and value not in option.choices:
            raise OptionError(f"{name}: '{value}' is none of {', '.join(option.choices)}")
        values[name] = value
    if values["world"] in REAL and values["perception"] != "detector":
        raise OptionError(f"perception: '{values['perception']}' reads what only a simulator knows; with world '{values['world']}' take detector")
    values["camera"] = _camera_file(values["camera"])
    return values


def _camera_file(given: str) -> str:
    """A parameter file, by its path or by the name of one that ships."""
    shipped = environment.share("config") / "cameras"
    if not given or Path(given).is_file():
        return given
    if (shipped / f"{given}.yaml").is_file():
        return str(shipped / f"{given}.yaml")
    raise OptionError(f"camera: no file '{given}', nor one of {', '.join(sorted(p.stem for p in shipped.glob('*.yaml')))}")


def _converted(name: str, value, default):
    if isinstance(default, bool):
        if str(value).lower() in ("true", "1", "yes", "on"):
            return True
        if str(value).lower() in ("false", "0", "no", "off"):
            return False
        raise OptionError(f"{name}: '{value}' is neither true nor false")
    try:
        return type(default)(value)
    except (TypeError, ValueError):
        raise OptionError(f"{name}: '{value}' is not a {type(default).__name__}") from None


def node_specs(options: dict) -> list[NodeSpec]:
    """Which nodes to start, with which parameters. ``options`` as from :func:`resolve`."""
    parameters: dict[str, dict] = {name: {"use_sim_time": options["use_sim_time"] and options["world"] != "camera"} for name in EXECUTABLES}
    for name, option in OPTIONS.items():
        for node, parameter in option.to:
            parameters[node][parameter] = options[name]
    parameters["perception"]["segmentation"] = "simulator" if options["perception"] == "simulator" else (options["backend"] or DEFAULT)
    if options["lockstep"]:
        parameters["perception"].update(image_timeout=LOCKSTEP_SILENCE, transform_patience=LOCKSTEP_PATIENCE)
    if options["speech_folder"]:
        parameters["voice"].update(output="file", folder=options["speech_folder"])
    wanted = ["world", "perception", "mind", "planner", "voice"]
    if options["perception"] == "symbolic":
        wanted.remove("perception")
        parameters["world"]["symbolic"] = True
    if options["world"] == "camera":
        wanted.remove("world")
    if options["record"]:
        wanted.insert(0, "recorder")
        parameters["world"]["recorded"] = True
    files = {name: (str(path),) for name in wanted if (path := environment.share("config") / f"{name}.yaml").exists()}
    if options["camera"]:
        files["perception"] = (*files.get("perception", ()), options["camera"])
    return [NodeSpec(n, f"{n}_node", EXECUTABLES[n], parameters[n], files.get(n, ())) for n in wanted]


def write_home_map(options: dict, folder: Path) -> dict:
    """The rooms of a simulated home as the map file perception is given. Returns the options with it filled in."""
    if options["home_map"] or options["world"] in REAL:
        return options
    if options["world"] == "embedded":
        from perception import home_map
        from sim_bridges.embedded.simulator import load_home_of

        home = load_home_of(options["home"] or None, options["story"] or None, options["seed"])
        data = home_map.from_rooms(home.rooms, home.doorways, home.wall_height).to_dict()
    else:
        bridge = importlib.import_module(f"sim_bridges.{options['world']}")
        data = bridge.home_map(home=options["home"] or None, host=options["host"], port=options["port"] or None)
    path = folder / "home_map.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    return {**options, "home_map": str(path)}


class Graph:
    """The running processes. A context manager: leaving it stops them all."""

    def __init__(self, specs: list[NodeSpec], *, logs: Path | None = None, domain: int | None = None):
        self.specs = {s.name: s for s in specs}
        self.logs = logs
        path = os.pathsep.join(p for p in (str(environment.ROOT), os.environ.get("PYTHONPATH", "")) if p)
        self.env = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path, "HEED_PARENT": str(os.getpid())}
        if domain is not None:
            self.env["ROS_DOMAIN_ID"] = str(domain)
        self.processes: dict[str, subprocess.Popen] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="heed_")

    def __enter__(self) -> "Graph":
        for name in self.specs:
            self.start(name)
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def start(self, name: str) -> None:
        """Start one node (again)."""
        spec = self.specs[name]
        path = Path(self._folder.name) / f"{name}.yaml"
        path.write_text(yaml.safe_dump({"/**": {"ros__parameters": spec.parameters}}))
        arguments = ["--ros-args"]
        for file in (*spec.files, str(path)):
            arguments += ["--params-file", file]
        if self.logs is not None:
            self.logs.mkdir(parents=True, exist_ok=True)
            out = open(self.logs / f"{name}.log", "ab")
        else:
            out = None
        self.processes[name] = subprocess.Popen(
            [sys.executable, "-m", spec.module, *arguments], env=self.env, stdin=subprocess.DEVNULL, stdout=out,
            stderr=subprocess.STDOUT if out else None, start_new_session=True)
        if out:
            out.close()

    def dead(self) -> dict[str, int]:
        """Nodes that ended, with their exit codes."""
        return {n: p.returncode for n, p in self.processes.items() if p.poll() is not None}

    def kill(self, name: str) -> None:
        """SIGKILL: as a crash would."""
        self.processes[name].kill()
        self.processes[name].wait(timeout=10)

    def log_tail(self, name: str, lines: int = 12) -> str:
        path = (self.logs or Path("/nonexistent")) / f"{name}.log"
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:]) if path.exists() else ""

    def stop(self, timeout: float = 8.0) -> None:
        """SIGINT to all (the recorder closes its bag), then SIGTERM, then SIGKILL."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            alive = [p for p in self.processes.values() if p.poll() is None]
            for process in alive:
                process.send_signal(number)
            deadline = time.monotonic() + timeout
            for process in alive:
                try:
                    process.wait(timeout=max(0.05, deadline - time.monotonic()))
                except subprocess.TimeoutExpired:
                    continue
        self._folder.cleanup()

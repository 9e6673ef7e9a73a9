"""Runs one story through the real graph of nodes and leaves a folder: bag, timeline, storyboard, decisions, verdict.

Invariant: the folder appears under its final name only when it is complete; an interrupted run leaves nothing there.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evaluation.demo import recording, storyboard, verdict
from evaluation.demo.timeline import Line, Timeline
from evaluation.graph import Graph, node_specs, write_home_map


class RunError(RuntimeError):
    """The story could not be run to its end; the message says which node, and what its log ends with."""


@dataclass(frozen=True)
class Outcome:
    """``folder``: where everything lies. ``verdict``: judged against the simulator's truth. ``seconds``: wall time of the story."""

    folder: Path
    verdict: verdict.Verdict
    seconds: float
    simulated: float
    lines: tuple[Line, ...]


@contextmanager
def own_domain() -> Iterator[int]:
    """A ROS domain of our own (1 to 99) until the block ends, unless the user has chosen one: two runs on one machine must not hear
    each other. A locked file in the temporary folder keeps it ours; the lock goes with the process, whatever ends it. Raises RunError
    when other runs hold all of them, or when the lock files cannot be opened."""
    import fcntl

    chosen = os.environ.get("ROS_DOMAIN_ID")
    if chosen and chosen.isdigit():
        yield int(chosen)
        return
    for k in range(99):
        domain = 1 + (os.getpid() * 7 + k) % 99
        path = Path(tempfile.gettempdir()) / f"heed_domain_{domain}.lock"
        try:
            lock = open(path, "a")  # noqa: SIM115 - closed below, where the block ends
        except PermissionError:  # another user's
            continue
        except OSError as error:
            raise RunError(f"{path}: cannot be opened ({error.strerror}); a run locks it to keep its ROS domain to itself. Or set ROS_DOMAIN_ID") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # another run's
                continue
            yield domain
            return
    raise RunError("no ROS domain is free: other runs hold all of 1 to 99; set ROS_DOMAIN_ID")


def run(options: dict, output: Path, *, title: str, on_line: Callable[[Line], None], progress: Callable[[float], None] = lambda t: None,
        on_error: Callable[[str], None] = lambda text: None, limit: float = 1800.0, pictures: bool = True) -> Outcome:
    """``options``: as from ``evaluation.graph.resolve``. ``limit``: wall seconds. Raises RunError, or what setting up raises."""
    from evaluation.demo.ros import Watcher

    output = output.absolute()
    output.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{output.name}_", dir=output.parent))
    try:
        options = {**options, "record": str(work / "bag"), "lockstep": True, "use_sim_time": True,
                   "speech_folder": options["speech_folder"] or str(work / "voice")}
        options = write_home_map(options, work)
        started = time.monotonic()
        with (own_domain() as domain, Watcher(domain, on_line, on_error) as watcher,
              Graph(node_specs(options), logs=work / "logs", domain=domain) as graph):
            while not watcher.finished:
                watcher.spin(0.2)
                progress(watcher.now)
                _check(graph, watcher, time.monotonic() - started, limit)
            watcher.spin(0.5)
            simulated = watcher.now
        seconds = time.monotonic() - started
        return _finish(recording.load(work / "bag"), work, output, options, title, seconds, simulated, pictures)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def run_in_process(options: dict, output: Path, *, title: str, on_line: Callable[[Line], None] = lambda line: None,
                   progress: Callable[[float], None] = lambda t: None, pictures: bool = True) -> Outcome:
    """The same without ROS and without a bag: every stage in this process, in the same order. The embedded world only. Raises what setting up
    raises."""
    from evaluation.demo import in_process
    from planner.config import PlannerConfig
    from sim_bridges.worlds import open_world

    output = output.absolute()
    output.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{output.name}_", dir=output.parent))
    try:
        world = open_world("embedded", home=options["home"] or None, story=options["story"] or None, seed=options["seed"], width=options["width"],
                           height=options["height"], noise=options["noise"])
        given = {k: options[k] for k in ("weights", "device") if options[k] and options["perception"] == "detector"}
        look, config = in_process.look_with(options["perception"], options["backend"], **given)
        started, teller = time.monotonic(), Timeline()
        rec = in_process.play(world, look, config, rate=options["rate"], planner=PlannerConfig(has_arm=options["arm"]), progress=progress,
                              on_item=lambda item: [on_line(line) for line in teller.add(item)])
        return _finish(rec, work, output, options, title, time.monotonic() - started, rec.graphs[-1].stamp if rec.graphs else 0.0, pictures)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def _finish(rec: recording.Recording, work: Path, output: Path, options: dict, title: str, seconds: float, simulated: float, pictures: bool) -> Outcome:
    """Writes what is told of the recording, judges it, and gives the folder its name."""
    lines = _write(rec, work, options, title, pictures)
    judged = verdict.judge(rec)
    (work / "verdict.json").write_text(json.dumps(judged.to_dict(), indent=1))
    if output.exists():
        shutil.rmtree(output)
    work.rename(output)
    return Outcome(output, judged, seconds, simulated, tuple(lines))


def _check(graph: Graph, watcher, elapsed: float, limit: float) -> None:
    for name, code in graph.dead().items():
        raise RunError(f"the {name} node ended with code {code}:\n{graph.log_tail(name)}")
    if elapsed > limit:
        raise RunError(f"the story did not end within {limit:.0f} s (message time {watcher.now:.1f} s)")
    if watcher.now == 0.0 and elapsed > 90.0:
        tail = graph.log_tail("world")
        raise RunError(f"no frame came within 90 s; the world's log ends with:\n{tail}")


def _write(rec: recording.Recording, folder: Path, options: dict, title: str, pictures: bool) -> list[Line]:
    teller = Timeline()
    for item in rec.stream:
        teller.add(item)
    (folder / "timeline.txt").write_text("\n".join(map(str, teller.lines)) + "\n", encoding="utf-8")
    (folder / "decisions.json").write_text(json.dumps([d.to_dict() for d in rec.decisions], indent=1), encoding="utf-8")
    if pictures:
        subtitle = (f"home {options['home'] or 'of the story'}, seed {options['seed']}, perception: {options['perception']}, "
                    f"{options['width']}x{options['height']} at {options['rate']:g} Hz")
        storyboard.draw(rec, folder / "storyboard.png", title=title, subtitle=subtitle)
    return teller.lines

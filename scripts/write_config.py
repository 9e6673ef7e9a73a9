"""Write config/<node>.yaml from the config dataclasses: every parameter with its default, range and meaning.

The dataclasses are the one source; ``--check`` (used by a test) fails when a file is not what they say.
"""

from __future__ import annotations

import dataclasses
import sys
import textwrap
from enum import Enum
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def sources() -> dict[str, list[type]]:
    from household import environment

    environment.prepare()
    import evaluation.ros
    import mind.node
    import perception.node
    import planner.node
    import planner.ros
    import sim_bridges.node
    from mind.config import MindConfig
    from perception.config import PerceptionConfig
    from planner.config import PlannerConfig

    return {"world": [sim_bridges.node.WorldConfig], "perception": [perception.node.NodeConfig, PerceptionConfig],
            "mind": [mind.node.NodeConfig, MindConfig], "planner": [planner.node.NodeConfig, PlannerConfig],
            "voice": [planner.ros.VoiceConfig], "recorder": [evaluation.ros.RecorderConfig]}


def _yaml(value) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    return repr(value)


def text(node: str, classes: list[type]) -> str:
    lines = [f"# Parameters of the {node} node: defaults, allowed ranges, meaning. Written by scripts/write_config.py.", "/**:",
             "  ros__parameters:"]
    for cls in classes:
        for f in dataclasses.fields(cls):
            doc = f.metadata.get("doc", "")
            if "low" in f.metadata and not isinstance(f.metadata["low"], bool):
                doc += f" [{f.metadata['low']} to {f.metadata['high']}]"
            default = f.default if f.default is not dataclasses.MISSING else f.default_factory()
            if isinstance(default, Enum):
                doc += f" ({', '.join(e.value for e in type(default))})"
            lines += [f"    # {row}" for row in textwrap.wrap(doc, 110)]
            lines.append(f"    {f.name}: {_yaml(default)}")
    return "\n".join(lines) + "\n"


def main(check: bool) -> int:
    stale = []
    for node, classes in sources().items():
        path, wanted = ROOT / "config" / f"{node}.yaml", text(node, classes)
        if not path.exists() or path.read_text() != wanted:
            stale.append(path.name)
            if not check:
                path.write_text(wanted)
    print(("out of date: " if check else "written: ") + (", ".join(stale) or "none"))
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))

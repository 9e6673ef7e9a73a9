"""Make an editable install visible to ROS: usage ament_register.py ROOT VENV.

pip puts console scripts in bin/; ``ros2 run`` and launch's ``Node()`` look in ``lib/<package>/``, and find a package through
``share/ament_index``. An editable pip install writes neither, so this links them.
"""

import sys
from pathlib import Path

EXECUTABLES = ("world_node", "perception_node", "mind_node", "planner_node", "voice_node", "recorder_node", "heed")


def link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or path.exists():
        path.unlink()
    path.symlink_to(target)


def main(root: Path, venv: Path) -> int:
    marker = venv / "share/ament_index/resource_index/packages/heed"
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.write_text("")
    for name in EXECUTABLES:
        link(venv / "lib/heed" / name, venv / "bin" / name)
    link(venv / "share/heed/package.xml", root / "package.xml")
    for folder in ("launch", "config"):  # real folders with linked files: ros2 launch does not follow linked folders
        there = venv / "share/heed" / folder
        if there.is_symlink():
            there.unlink()
        for path in (root / folder).rglob("*"):
            if path.is_file() and path.suffix in (".py", ".yaml", ".xml"):
                link(there / path.relative_to(root / folder), path)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute()))

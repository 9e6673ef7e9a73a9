"""Make ROS 2 usable from a plain ``.venv/bin/heed``: the environment variables that sourcing a setup file would set.

Called at the very start of every entry point, before numpy and rclpy are imported. Variables the user has set are kept, except that the
virtual environment is appended to ``AMENT_PREFIX_PATH`` when it is missing there (a default would lose it once a workspace
is sourced). No rclpy here.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def share(name: str) -> Path:
    """A folder the package ships (``config``, ``launch``): of the source tree, or of the installed share directory."""
    here = ROOT / name
    return here if here.is_dir() else Path(sys.prefix) / "share" / "heed" / name


def prepare() -> None:
    """Idempotent."""
    prefix = sys.prefix
    paths = [p for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
    if prefix not in paths and (Path(prefix) / "share" / "ament_index").is_dir():
        os.environ["AMENT_PREFIX_PATH"] = os.pathsep.join([*paths, prefix])
    profile = share("config") / "fastdds.xml"
    if profile.exists():
        os.environ.setdefault("FASTDDS_DEFAULT_PROFILES_FILE", str(profile))
        if os.environ.get("ROS_DISTRO") in ("humble", "jazzy"):  # the older name of the same variable
            os.environ.setdefault("FASTRTPS_DEFAULT_PROFILES_FILE", str(profile))
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # small arrays: one thread is faster than a pool
    os.environ.setdefault("RCUTILS_COLORIZED_OUTPUT", "0")
    for name, value in (("YOLO_OFFLINE", "true"), ("YOLO_AUTOINSTALL", "false"), ("HF_HUB_OFFLINE", "1")):
        os.environ.setdefault(name, value)  # nothing is downloaded at run time

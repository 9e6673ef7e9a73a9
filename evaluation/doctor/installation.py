"""What has to be on the machine."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from evaluation.doctor import Finding, Level
from household import environment


def python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < (3, 11):
        return Finding("Python", Level.FAIL, version, "install Python 3.11 or newer and run make demo again")
    return Finding("Python", Level.OK, version)


def _module(name: str, package: str, why: str, needed: bool = True) -> Callable[[], Finding]:
    def check() -> Finding:
        bad = Level.FAIL if needed else Level.WARN
        if importlib.util.find_spec(name) is None:
            return Finding(package, bad, f"not installed ({why})", "run: bash scripts/setup.sh")
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - any failure to import is the finding
            return Finding(package, bad, f"does not load: {str(error).splitlines()[0][:120]}", f"run: bash scripts/setup.sh ({why})")
        try:
            return Finding(package, Level.OK, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            return Finding(package, Level.OK, "loads")

    return check


def cuda() -> Finding:
    try:
        import torch
    except ImportError:
        return Finding("CUDA", Level.WARN, "torch is missing", "run: bash scripts/setup.sh")
    if torch.cuda.is_available():
        from perception.detectors.light import chosen

        runtime, where = chosen("auto", "auto")
        return Finding("CUDA", Level.OK, f"{torch.cuda.get_device_name(0)}; the detector runs on {where} by {runtime}")
    if shutil.which("nvidia-smi"):
        return Finding("CUDA", Level.WARN, "there is an NVIDIA driver, but torch is a CPU build", "install a CUDA build of torch into .venv")
    return Finding("CUDA", Level.OK, "none; the detector runs on the CPU")


def ros_messages() -> Finding:
    try:
        for name in ("heed_msgs.msg", "tf2_msgs.msg"):
            importlib.import_module(name)
    except Exception as error:  # noqa: BLE001
        return Finding("heed_msgs", Level.FAIL, str(error).splitlines()[0][:120],
                       "run: bash scripts/setup.sh (or: cd ros2_ws && colcon build, then source install/setup.bash)")
    return Finding("heed_msgs", Level.OK, "messages load")


def dds_profile() -> Finding:
    path = os.environ.get("FASTDDS_DEFAULT_PROFILES_FILE")
    if path and Path(path).is_file():
        return Finding("Fast DDS profile", Level.OK, path)
    return Finding("Fast DDS profile", Level.WARN, "not set: large images may be lost",
                   f"export FASTDDS_DEFAULT_PROFILES_FILE={environment.share('config') / 'fastdds.xml'}")


def furniture() -> Finding:
    from sim_bridges.embedded import assets

    if assets.installed() is not assets.PRIMITIVES:
        return Finding("Sweet Home 3D models", Level.OK, "installed")
    return Finding("Sweet Home 3D models", Level.WARN, "not installed: homes are drawn with plain shapes",
                   "apt-get install sweethome3d-furniture")


def speech() -> Finding:
    if shutil.which("espeak-ng") is None:
        return Finding("speech", Level.WARN, "espeak-ng is missing: the robot only writes what it says", "apt-get install espeak-ng")
    return Finding("speech", Level.OK, "espeak-ng")


def weights() -> Finding:
    from perception.detectors import BACKENDS

    folder = environment.ROOT / "perception" / "detectors" / "weights"
    found = sorted(p.name for p in folder.glob("*") if p.suffix in (".safetensors", ".onnx", ".pt")) if folder.is_dir() else []
    if found:
        return Finding("detector weights", Level.OK, ", ".join(found))
    return Finding("detector weights", Level.WARN, f"none ship with this version (backends: {', '.join(BACKENDS)})",
                   "use --perception simulator, or train: heed train detector")


CHECKS: tuple[Callable[[], Finding], ...] = (
    python, _module("numpy", "numpy", "arrays"), _module("scipy", "scipy", "tracking"), _module("networkx", "networkx", "scene graph"),
    _module("cv2", "opencv-python", "images"), _module("embreex", "embreex", "rendering"), _module("torch", "torch", "detector"),
    _module("torchvision", "torchvision", "detector training", False), _module("ultralytics", "ultralytics", "YOLO backend", False),
    _module("transformers", "transformers", "language models", False), _module("open3d", "open3d", "point clouds", False),
    _module("pyttsx3", "pyttsx3", "speech", False), _module("rosbags", "rosbags", "recordings"), _module("rclpy", "ros-rclpy", "ROS 2"),
    ros_messages, dds_profile, cuda, furniture, speech, weights,
)

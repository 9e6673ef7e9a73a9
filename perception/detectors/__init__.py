"""The detectors by name. A backend is imported only when it is asked for: its libraries may be heavy or absent."""

from __future__ import annotations

import importlib
import os

from perception.detectors.base import Detection, Detector, Joint, Keypoint

__all__ = ["BACKENDS", "DEFAULT", "Detection", "Detector", "DetectorError", "Joint", "Keypoint", "create", "threading"]


class DetectorError(ValueError):
    """A detector that cannot be had; the message says which, why, and what would be right."""


# name → (module, factory, what it is). A factory takes keyword options and returns a Detector.
BACKENDS: dict[str, tuple[str, str, str]] = {
    "simulator": ("perception.detectors.simulator", "SimulatorDetector", "the simulator's own instance image, as segmentation"),
    "ultralytics": ("perception.detectors.ultralytics", "create", "YOLO segmentation (.pt, ONNX, OpenVINO); AGPL-3.0 library"),
    "rgbd": ("perception.detectors.rgbd", "create", "YOLOv8n on colour and depth, ONNX Runtime on the CPU, that or PyTorch on CUDA; weights AGPL-3.0"),
    "light": ("perception.detectors.light", "create", "panoptic network on colour and depth, ONNX Runtime on the CPU, that or PyTorch on CUDA"),
    "open_vocabulary": ("perception.detectors.open_vocabulary", "create", "OWLv2, Grounding DINO or YOLOE with weights of the user's"),
}


DEFAULT = "rgbd"  # the better of the two whose weights ship
_THREADED, _MOST_THREADS = frozenset({"ultralytics", "rgbd", "light"}), 4  # whose factories take ``threads``


def threading(name: str, threads: int = 0) -> dict[str, int]:
    """The option of ``create`` for so many CPU threads; 0: all the cores this process may use, at most four. None for backends that have no such choice. Raises
    DetectorError."""
    if not 0 <= threads <= 64:
        raise DetectorError(f"threads {threads}: must be 1 to 64, or 0 for all cores")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {"threads": threads or min(_MOST_THREADS, cores)} if name in _THREADED else {}


def create(name: str, **options) -> Detector:
    """The detector called ``name``. Raises DetectorError that lists the names there are."""
    if name not in BACKENDS:
        raise DetectorError(f"unknown detector '{name}'; there are: {', '.join(sorted(BACKENDS))}")
    module_name, factory, _ = BACKENDS[name]
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise DetectorError(f"detector '{name}' cannot be loaded: {error}") from error
    return getattr(module, factory)(**options)

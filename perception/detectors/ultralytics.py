"""``ultralytics``: YOLO segmentation weights (.pt, ONNX, OpenVINO folder) behind the detector interface. The library is AGPL-3.0.

Any segmentation weights will do: each of their class names is mapped to a household class by the given class map, else by what people
call it ("couch" → sofa); names that mean nothing in a home are dropped. Invariant: never downloads, never installs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors import DetectorError
from perception.detectors.base import FALLIBLE, Detection, Joint, Keypoint

SUFFIXES = (".pt", ".onnx")
_COCO = tuple(Joint)  # the order of COCO's seventeen is the order of the enum
_JOINT_SCORE = 0.3


def offline() -> None:
    """Tells the libraries not to look for anything on a network; must come before they are imported."""
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false", HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")


def household_names(names: Mapping[int, str], class_map: Mapping[str, str] | None, path: Path) -> dict[int, str]:
    """Number of the weights' class → household class. Raises DetectorError when a mapped class is unknown or nothing is left."""
    for source, target in (class_map or {}).items():
        if target not in classes.CLASSES:
            raise DetectorError(f"class map: '{source}' → '{target}' is no class of the household; see household/classes.py")
        if source not in names.values():
            raise DetectorError(f"class map: weights '{path}' have no class '{source}'; they have {', '.join(list(names.values())[:12])}, …")
    found = {}
    for number, name in names.items():
        row = classes.get(class_map[name]) if class_map and name in class_map else classes.class_for_word(name.replace("_", " "))
        if row is not None:
            found[int(number)] = row.id
    if not found:
        raise DetectorError(f"weights '{path}': none of their classes ({', '.join(list(names.values())[:8])}, …) is one of a household; "
                            "give a class map {\"their name\": \"household class\"}")
    return found


def read_class_map(source: Mapping[str, str] | str | Path | None) -> dict[str, str] | None:
    """A mapping, or the path of a JSON object of text to text."""
    if source is None or isinstance(source, Mapping):
        return None if source is None else dict(source)
    try:
        content = json.loads(Path(source).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DetectorError(f"class map '{source}' cannot be read: {error}") from error
    if not isinstance(content, dict) or not all(isinstance(v, str) for v in content.values()):
        raise DetectorError(f"class map '{source}': wanted an object {{\"their name\": \"household class\"}}")
    return content


class UltralyticsDetector:
    """``model``: a loaded ``ultralytics.YOLO``; ``names``: its class number → household class."""

    name = "ultralytics"
    tuning = FALLIBLE

    def __init__(self, model, names: Mapping[int, str], size: int, score_threshold: float, device: str):
        self._model, self._names, self._size, self._least, self._device = model, dict(names), size, score_threshold, device
        self.classes = tuple(dict.fromkeys(self._names.values()))

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        """As :class:`Detector`; depth is not looked at."""
        if color.shape != (camera.height, camera.width, 3) or color.dtype != np.uint8:
            raise ValueError(f"color is {color.dtype} {color.shape}, wanted uint8 {(camera.height, camera.width, 3)}")
        result = self._model.predict(np.ascontiguousarray(color[..., ::-1]), imgsz=self._size, conf=self._least, device=self._device,
                                     verbose=False, retina_masks=True)[0]
        if result.masks is None:
            return ()
        masks, points = result.masks.data.cpu().numpy(), getattr(result, "keypoints", None)
        joints = None if points is None or points.data is None else points.data.cpu().numpy()
        found = []
        for i, (number, score) in enumerate(zip(result.boxes.cls.tolist(), result.boxes.conf.tolist())):
            cls = self._names.get(int(number))
            if cls is None:
                continue
            mask = masks[i] > 0.5
            if mask.shape != (camera.height, camera.width):
                mask = cv2.resize(mask.astype(np.uint8), (camera.width, camera.height), interpolation=cv2.INTER_NEAREST).astype(bool)
            one = Detection.from_full_mask(cls, min(1.0, max(0.0, float(score))), mask, keypoints=_keypoints(joints, i))
            if one is not None:
                found.append(one)
        return tuple(found)


def _keypoints(joints: np.ndarray | None, i: int) -> tuple[Keypoint, ...]:
    if joints is None or joints.shape[1] != len(_COCO):
        return ()
    return tuple(Keypoint(j, float(u), float(v), float(min(1.0, s))) for j, (u, v, s) in zip(_COCO, joints[i]) if s >= _JOINT_SCORE)


def create(weights: str | Path | None = None, class_map: Mapping[str, str] | str | Path | None = None, size: int = 640,
           score_threshold: float = 0.25, device: str = "auto", threads: int = 1) -> UltralyticsDetector:
    """Loads the given weights. ``device``: auto, cpu or cuda. Raises DetectorError."""
    path = checked(weights, "ultralytics")
    if not 32 <= size <= 4096 or size % 32:
        raise DetectorError(f"size {size}: must be a multiple of 32, 32 to 4096")
    if not 0.0 < score_threshold < 1.0:
        raise DetectorError(f"score_threshold {score_threshold}: must lie between 0 and 1")
    offline()
    import torch
    from ultralytics import YOLO

    torch.set_num_threads(threads)
    try:
        model = YOLO(str(path), task="segment")
        names = dict(model.names)
    except Exception as error:  # the library raises many types for a damaged file
        raise DetectorError(f"weights '{path}' cannot be loaded, the file is corrupt or of another kind: {type(error).__name__}: "
                            f"{str(error).splitlines()[0][:120] if str(error) else ''}") from error
    return UltralyticsDetector(model, household_names(names, read_class_map(class_map), path), size, score_threshold, chosen_device(device))


def checked(weights: str | Path | None, backend: str) -> Path:
    """The path of weights that the user has to supply. Raises DetectorError."""
    if weights is None:
        raise DetectorError(f"detector '{backend}' comes without weights: give --weights FILE (or make some with "
                            f"`heed train detector --backend ultralytics`)")
    path = Path(weights)
    if not path.exists():
        raise DetectorError(f"weights '{path}' are missing")
    return path


def chosen_device(device: str) -> str:
    """``cpu`` or ``cuda``. Raises DetectorError."""
    import torch

    if device not in ("auto", "cpu", "cuda"):
        raise DetectorError(f"device '{device}': must be auto, cpu or cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise DetectorError("device 'cuda': this PyTorch sees no CUDA device")
    return "cuda" if device != "cpu" and torch.cuda.is_available() else "cpu"

"""``light``: panoptic segmentation of colour and depth by a small network, on the CPU, without AGPL parts.

The network (:mod:`perception.training.model`) labels every pixel, marks instance centres and points each pixel at its own; grouping is
:mod:`light_grouping`. ONNX Runtime runs it, OpenVINO where that is absent. What the weights expect (classes, input size, joints) is written
inside the file and checked before the first image.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors import DetectorError
from perception.detectors.base import Detection, Joint, Keypoint
from perception.detectors.light_features import GEOMETRY, find_floor, floor_of_pose, inputs
from perception.detectors.light_grouping import GroupingConfig, Instance, group

WEIGHTS = Path(__file__).parent / "weights" / "light.onnx"
FORMAT = "heed-light-1"
OUTPUTS = ("likelihood", "total", "centre", "offset", "joints")
_JOINT_THRESHOLD = 0.2


@dataclass(frozen=True)
class Header:
    """What a weights file says of itself. ``classes[0]`` is the background; ``size`` = (width, height) of the colour input."""

    classes: tuple[str, ...]
    size: tuple[int, int]
    joints: tuple[Joint, ...]

    @classmethod
    def parse(cls, meta: dict[str, str], path: Path) -> "Header":
        """From the file's metadata; raises DetectorError naming the field."""
        if meta.get("format") != FORMAT:
            raise DetectorError(f"weights '{path}': format is {meta.get('format')!r}, wanted '{FORMAT}' (made by `heed train detector`)")
        try:
            names, size = tuple(json.loads(meta["classes"])), tuple(int(v) for v in json.loads(meta["size"]))
            joints = tuple(Joint(j) for j in json.loads(meta["joints"]))
        except (KeyError, TypeError, ValueError) as error:
            raise DetectorError(f"weights '{path}': metadata cannot be read ({type(error).__name__}: {error})") from error
        unknown = [n for n in names[1:] if n not in classes.CLASSES]
        if unknown or len(set(names)) != len(names) or len(names) < 2:
            raise DetectorError(f"weights '{path}' were trained for another class list; unknown here: {', '.join(unknown) or 'nothing'}, "
                                f"{len(names)} names of which {len(set(names))} differ")
        if len(size) != 2 or any(v <= 0 or v % 32 for v in size):
            raise DetectorError(f"weights '{path}': input size {size}, wanted two multiples of 32")
        if meta.get("geometry") != json.dumps(GEOMETRY):
            raise DetectorError(f"weights '{path}': expect the channels {meta.get('geometry')}, this version gives {json.dumps(GEOMETRY)}")
        return cls(names, size, joints)


class LightDetector:
    """``run``: (rgb (1, 3, h, w), geometry (1, 7, h/2, w/2)) → the five ``OUTPUTS``. See :func:`create`."""

    name = "light"

    def __init__(self, header: Header, run, score_threshold: float = 0.2, grouping: GroupingConfig = GroupingConfig()):
        if not 0.0 <= score_threshold <= 1.0:
            raise DetectorError(f"score_threshold {score_threshold}: must be 0 to 1")
        self.header, self._run, self.score_threshold, self.grouping = header, run, score_threshold, grouping
        self.classes = header.classes[1:]

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        """As :class:`Detector`. ``camera_pose`` (optical → map, (4, 4)) gives height and pitch; without it the floor is looked for in depth."""
        if color.shape != (camera.height, camera.width, 3) or color.dtype != np.uint8:
            raise ValueError(f"color is {color.dtype} {color.shape}, wanted uint8 {(camera.height, camera.width, 3)}")
        if depth is not None and depth.shape != (camera.height, camera.width):
            raise ValueError(f"depth is {depth.shape}, wanted {(camera.height, camera.width)}")
        floor = floor_of_pose(camera_pose) if camera_pose is not None else None if depth is None else find_floor(depth, camera)
        rgb, geometry = inputs(color, depth, camera, self.header.size, floor)
        likelihood, total, centre, offset, joints = self._run(rgb[None], geometry[None])
        if likelihood.shape[1] != len(self.header.classes):
            raise DetectorError(f"the light network gives {likelihood.shape[1]} classes, its class list has {len(self.header.classes)}")
        label, best = _most_likely(likelihood[0])
        z = None if depth is None else cv2.resize(np.nan_to_num(depth, nan=0.0, posinf=0.0), label.shape[::-1],
                                                  interpolation=cv2.INTER_NEAREST)
        found = group(label, best / total[0], centre[0], offset[0], self.header.classes, z, self.grouping)
        kept = [self._detection(i, label.shape, camera, joints[0]) for i in found if i.score >= self.score_threshold]
        return tuple(d for d in kept if d is not None)

    def _detection(self, one: Instance, grid: tuple[int, int], camera: CameraModel, joints: np.ndarray) -> Detection | None:
        """In pixels of the full image."""
        sx, sy = camera.width / grid[1], camera.height / grid[0]
        left, right = int(round(one.left * sx)), int(round((one.left + one.mask.shape[1]) * sx))
        top, bottom = int(round(one.top * sy)), int(round((one.top + one.mask.shape[0]) * sy))
        if right <= left or bottom <= top:
            return None
        mask = cv2.resize(one.mask.astype(np.uint8), (right - left, bottom - top), interpolation=cv2.INTER_NEAREST).astype(bool)
        name = self.header.classes[one.cls]
        if not mask.any():
            return None
        points = self._keypoints(mask, left, top, camera, joints) if classes.get(name).kind is classes.Kind.PERSON else ()
        return Detection(name, one.score, mask, (left, top), points)

    def _keypoints(self, mask: np.ndarray, left: int, top: int, camera: CameraModel, joints: np.ndarray) -> tuple[Keypoint, ...]:
        """The best place of every joint on this person's own pixels."""
        h, w = joints.shape[1:]
        v, u = np.nonzero(mask)
        r = np.minimum(((v + top) * h / camera.height).astype(int), h - 1)
        c = np.minimum(((u + left) * w / camera.width).astype(int), w - 1)
        made = []
        for joint, heat in zip(self.header.joints, joints):
            value = heat[r, c]
            best = float(value.max())
            if best >= _JOINT_THRESHOLD:
                near = value >= best - 1e-6
                made.append(Keypoint(joint, float(u[near].mean() + left), float(v[near].mean() + top), min(1.0, best)))
        return tuple(made)


def _most_likely(likelihood: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Index (int64) and value of the largest along axis 0; plane by plane, which is several times faster than argmax there."""
    best, label = likelihood[0].copy(), np.zeros(likelihood.shape[1:], np.int64)
    for k in range(1, len(likelihood)):
        label[likelihood[k] > best] = k
        np.maximum(best, likelihood[k], out=best)
    return label, best


def create(weights: str | Path | None = None, threads: int = 1, score_threshold: float = 0.2, runtime: str = "auto",
           centre_threshold: float = 0.15) -> LightDetector:
    """Loads the shipped or the given weights. ``runtime``: auto, onnxruntime or openvino. Raises DetectorError."""
    path = Path(weights) if weights is not None else WEIGHTS
    if not path.is_file():
        raise DetectorError(f"weights '{path}' of the light detector are missing; make them with `heed train detector --output {path}`")
    if not 1 <= threads <= 64:
        raise DetectorError(f"threads {threads}: must be 1 to 64")
    loaders = {"onnxruntime": _onnxruntime, "openvino": _openvino}
    if runtime not in ("auto", *loaders):
        raise DetectorError(f"runtime '{runtime}': must be auto, onnxruntime or openvino")
    absent = []
    for name in loaders if runtime == "auto" else (runtime,):
        try:
            meta, run = loaders[name](path, threads)
        except ImportError as error:
            absent.append(f"{name} ({error})")
            continue
        try:
            grouping = GroupingConfig(centre_threshold=centre_threshold)
        except ValueError as error:
            raise DetectorError(f"light detector: {error}") from error
        header = Header.parse(meta, path)
        _warn_if_weak(path)
        return LightDetector(header, run, score_threshold, grouping)
    raise DetectorError(f"the light detector needs onnxruntime or openvino; not installed: {', '.join(absent)}")


def _warn_if_weak(path: Path) -> None:
    """Says so when the model card beside the weights admits that they miss their targets; without a card nothing is known."""
    try:
        card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        weak, scores = card["meets_target"] is False, card["scores"] or {}
    except (OSError, ValueError, KeyError, TypeError):
        return
    if weak:
        warnings.warn(f"weights '{path.name}' miss their targets (mask mAP50 {scores.get('mask_map50')}, see {path.with_suffix('.md').name}); "
                      "train longer with `heed train detector`", stacklevel=3)


def _onnxruntime(path: Path, threads: int):
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    chosen = [p for p in ("CUDAExecutionProvider", "CPUExecutionProvider") if p in ort.get_available_providers()]
    try:
        session = ort.InferenceSession(str(path), options, providers=chosen)
    except Exception as error:  # the runtime raises its own unrelated types for a file it cannot parse
        raise DetectorError(f"weights '{path}' cannot be loaded, the file is corrupt or no ONNX model: {_first_line(error)}") from error
    _check_outputs(path, [o.name for o in session.get_outputs()])
    return (dict(session.get_modelmeta().custom_metadata_map),
            lambda rgb, geometry: session.run(list(OUTPUTS), {"rgb": rgb, "geometry": geometry}))


def _openvino(path: Path, threads: int):
    import onnx
    import openvino as ov

    try:
        described = onnx.load(str(path))
        core = ov.Core()
        model = core.compile_model(core.read_model(str(path)), "CPU", {"INFERENCE_NUM_THREADS": threads})
    except Exception as error:  # protobuf and OpenVINO raise their own types
        raise DetectorError(f"weights '{path}' cannot be loaded, the file is corrupt or no ONNX model: {_first_line(error)}") from error
    _check_outputs(path, [o.name for o in described.graph.output])

    def run(rgb: np.ndarray, geometry: np.ndarray) -> Sequence[np.ndarray]:
        result = model({"rgb": rgb, "geometry": geometry})
        return [result[name] for name in OUTPUTS]

    return {p.key: p.value for p in described.metadata_props}, run


def _check_outputs(path: Path, names: Sequence[str]) -> None:
    missing = [n for n in OUTPUTS if n not in names]
    if missing:
        raise DetectorError(f"weights '{path}' are of another network: outputs {', '.join(missing)} are missing (there: {', '.join(names)})")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]

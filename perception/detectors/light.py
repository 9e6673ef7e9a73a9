"""``light``: instances from colour and depth by two small networks, on the CPU, without AGPL parts.

The first (:mod:`perception.training.model`) says which pixels belong together and to which of a few groups; :mod:`light_grouping` makes
instances of that. The second (:mod:`perception.training.crop_model`) names each instance from its picture and its metric size, and draws the
outline of small ones anew (:mod:`light_outlines`); what the first
one thinks of the names, at coarse resolution but with the whole room in view, is weighed in. ONNX Runtime runs both, OpenVINO where that is
absent; on a GPU ONNX Runtime or PyTorch (:func:`chosen`). What the weights expect is written inside the files and checked before the first image.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors import DetectorError
from perception.detectors.base import FALLIBLE, Detection, Joint, Keypoint
from perception.detectors.light_crops import CHANNELS, FACTS, SIDE, SIDES, View
from perception.detectors.light_features import GEOMETRY, prepared
from perception.detectors.light_grouping import GroupingConfig, Instance, group
from perception.detectors.light_groups import GROUPS, group_of
from perception.detectors.light_outlines import Cut, refined, settled, tight

WEIGHTS = Path(__file__).parent / "weights" / "light.onnx"
FORMAT, NAMES_FORMAT = "heed-light-2", "heed-light-names-2"
INPUTS, OUTPUTS = ("rgb", "geometry"), ("groups", "centres", "offset", "joints", "names")
NAMES_INPUTS, NAMES_OUTPUTS = ("crops", "facts"), ("names", "outlines")
RUNTIMES = ("onnxruntime", "openvino", "torch")
ALTERNATIVES = 5  # names that a detection carries at most
_JOINT_THRESHOLD, _WRIST_THRESHOLD = 0.3, 0.2  # what hands hold hides them: where a hand may be is worth knowing
_PAIRS = ((Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW), (Joint.LEFT_WRIST, Joint.RIGHT_WRIST))
_APART = 0.08  # of somebody's height in the picture: two of a pair that are nearer to each other are one joint, told twice

Run = Callable[..., Sequence[np.ndarray]]


def names_path(weights: Path) -> Path:
    """Where the naming network of these weights lies: ``light.onnx`` → ``light_names.onnx``."""
    return weights.with_name(f"{weights.stem}_names{weights.suffix}")


@dataclass(frozen=True)
class Header:
    """What a pair of weights files says of itself. ``classes[0]`` is the background; ``size`` = (width, height) of the colour input."""

    classes: tuple[str, ...]
    size: tuple[int, int]
    joints: tuple[Joint, ...]

    @classmethod
    def parse(cls, meta: Mapping[str, str], path: Path) -> "Header":
        """From the metadata of the segmenting network's file; raises DetectorError naming the field."""
        demand(meta, path, {"format": FORMAT, "geometry": json.dumps(GEOMETRY), "groups": json.dumps(GROUPS)})
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
        return cls(names, size, joints)


def check_names(names: Sequence[str], meta: Mapping[str, str], path: Path) -> int:
    """That the naming network's file knows these classes, the background first; the side of the pictures it wants. Raises DetectorError naming the field."""
    demand(meta, path, {"format": NAMES_FORMAT, "facts": json.dumps(FACTS), "classes": json.dumps(tuple(names))})
    for side in SIDES:
        if meta.get("crop") == json.dumps([CHANNELS, side]):
            return side
    raise DetectorError(f"weights '{path}': crop is {meta.get('crop')!r}, wanted {' or '.join(repr(json.dumps([CHANNELS, s])) for s in SIDES)} (made by `heed train detector`)")


def demand(meta: Mapping[str, str], path: Path, wanted: Mapping[str, str]) -> None:
    """That a weights file says these things of itself; raises DetectorError naming the field."""
    for key, value in wanted.items():
        if meta.get(key) != value:
            raise DetectorError(f"weights '{path}': {key} is {str(meta.get(key))[:80]!r}, wanted {value[:80]!r} (made by `heed train detector`)")


@dataclass(frozen=True)
class LightConfig:
    """``score_threshold``: detections below are left out; ``context``: exponent of the segmenting network's opinion of the name;
    ``foreign``: factor on classes of another group than the instance's; ``looks`` at what gets a finer outline."""

    score_threshold: float = 0.2
    context: float = 0.35
    foreign: float = 0.2
    looks: int = 2
    grouping: GroupingConfig = GroupingConfig()

    def __post_init__(self) -> None:
        if not 1 <= self.looks <= 5:
            raise DetectorError(f"looks {self.looks}: must be 1 to 5")
        for name, high in (("score_threshold", 1.0), ("context", 10.0), ("foreign", 1.0)):
            if not 0.0 <= getattr(self, name) <= high:
                raise DetectorError(f"{name} {getattr(self, name)}: must be 0 to {high:g}")


class LightDetector:
    """``segment``: (rgb (1, 3, h, w), geometry (1, 7, h/2, w/2)) → the ``OUTPUTS``; ``names``: (crops (n, CHANNELS, side, side), facts
    (n, len(FACTS))) → probabilities (n, c) and outlines (n, SIDE, SIDE). See :func:`create`."""

    name = "light"
    tuning = FALLIBLE

    def __init__(self, header: Header, segment: Run, names: Run, config: LightConfig = LightConfig(), side: int = SIDE):
        self.header, self._segment, self._names, self.config, self._side = header, segment, names, config, side
        self.classes = header.classes[1:]
        groups = np.array([group_of(c) for c in header.classes])
        self._prior = np.where(groups[None] == np.arange(len(GROUPS))[:, None], 1.0, config.foreign)  # (g, c)
        self._prior[:, 0] = 1.0  # "nothing" can be any group's
        self._alone = {g: int(np.flatnonzero(groups == g)[0]) for g in range(1, len(GROUPS)) if (groups == g).sum() == 1}
        for g, k in self._alone.items():  # a person or a door: found by the segmenting network, confirmed or not by the naming one
            self._prior[np.arange(len(GROUPS)) != g, k] = 0.0

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        """As :class:`Detector`. ``camera_pose`` (optical → map, (4, 4)) gives height and pitch; without it the floor is looked for in depth."""
        rgb, geometry, floor = prepared(color, depth, camera, camera_pose, self.header.size)
        groups, centres, offset, joints, names = (x[0] for x in self._segment(rgb[None], geometry[None]))
        if len(names) != len(self.header.classes):
            raise DetectorError(f"the light network gives {len(names)} classes, its class list has {len(self.header.classes)}")
        h, w = groups.shape[1:]
        z = None if depth is None else cv2.resize(np.nan_to_num(depth, nan=0.0, posinf=0.0), (w, h), interpolation=cv2.INTER_NEAREST)
        found = [i for i in group(groups, centres, offset, z, self.config.grouping) if i.score >= self.config.score_threshold]
        pairs = [(i, c) for i in found if (c := _full(i, (h, w), camera)) is not None]
        if not pairs:
            return ()
        view = View(color, depth, camera, floor)
        cuts, own = self._looked_at([c for _, c in pairs], view)
        cuts = settled(cuts, [i.score for i, _ in pairs], [i.group for i, _ in pairs], camera.width, camera.height)
        made = (self._detection(i, c, p * _pooled(i, names, (h, w)) ** self.config.context, camera, joints)
                for (i, _), c, p in zip(pairs, cuts, own) if c is not None)
        return tuple(d for d in made if d is not None)

    def _looked_at(self, cuts: list[Cut], view: View) -> tuple[list[Cut], np.ndarray]:
        """Finer cuts, and probabilities of the names (n, c): what got another outline is looked at again inside it."""
        cuts, own = list(cuts), np.zeros((len(cuts), len(self.header.classes)), np.float32)
        again = list(range(len(cuts)))
        for _ in range(self.config.looks):
            if not again:
                break
            pictures = [view.crop(cuts[k].mask, cuts[k].left, cuts[k].top, self._side) for k in again]
            names, outlines = self._names(np.stack([c for c, _ in pictures]), np.stack([f for _, f in pictures]))
            own[again] = names
            finer = [refined(cuts[k], o, view.camera.width, view.camera.height) for k, o in zip(again, outlines)]
            again, before = [k for k, f in zip(again, finer) if f is not cuts[k]], again
            for k, f in zip(before, finer):
                cuts[k] = f
        return cuts, own

    def _detection(self, one: Instance, cut: Cut, likelihood: np.ndarray, camera: CameraModel,
                   joints: np.ndarray) -> Detection | None:
        """``likelihood`` float (c,), of each class, any scale."""
        p = likelihood * self._prior[one.group]
        p = p / max(float(p.sum()), 1e-12)
        mask, left, top = cut.mask, cut.left, cut.top
        order = [self._alone[one.group]] if one.group in self._alone else [int(k) for k in np.argsort(-p[1:])[:ALTERNATIVES] + 1]
        name, score = self.header.classes[order[0]], one.score * float(p[order[0]])
        if score < self.config.score_threshold or p[0] > p[order[0]]:
            return None
        points = keypoints(self.header.joints, joints, cut, camera) if classes.get(name).kind is classes.Kind.PERSON else ()
        return Detection(name, min(1.0, score), mask, (left, top), points,
                         names=tuple((self.header.classes[k], float(p[k])) for k in order if p[k] >= 0.01))


def keypoints(names: Sequence[Joint], joints: np.ndarray, cut: Cut, camera: CameraModel) -> tuple[Keypoint, ...]:
    """The best place of every joint on this person's own pixels; ``joints`` float (j, h, w), maps of the whole image. Left and right are alike from some sides, and the maps
    of both then have their peak at one hand: the less likely of the two goes to the best place away from there, if there is one, and is left out if there is none."""
    h, w = joints.shape[1:]
    v, u = np.nonzero(cut.mask)
    r = np.minimum(((v + cut.top) * h / camera.height).astype(int), h - 1)
    c = np.minimum(((u + cut.left) * w / camera.width).astype(int), w - 1)
    values = {joint: heat[r, c] for joint, heat in zip(names, joints)}
    made = {joint: k for joint, value in values.items() if (k := _peak(joint, value, u + cut.left, v + cut.top)) is not None}
    apart = _APART * cut.mask.shape[0]
    for pair in _PAIRS:
        one, other = sorted(pair, key=lambda j: -made[j].score if j in made else 0.0)
        if other in made and np.hypot(made[one].u - made[other].u, made[one].v - made[other].v) < apart:
            away = np.hypot(u + cut.left - made[one].u, v + cut.top - made[one].v) >= apart
            both = np.maximum(values[one], values[other])
            again = _peak(other, both[away], (u + cut.left)[away], (v + cut.top)[away]) if away.any() else None
            made = {j: k for j, k in made.items() if j is not other} | ({other: again} if again is not None else {})
    return tuple(made[j] for j in names if j in made)


def _peak(joint: Joint, value: np.ndarray, u: np.ndarray, v: np.ndarray) -> Keypoint | None:
    best = float(value.max())
    if best < (_WRIST_THRESHOLD if joint in _PAIRS[1] else _JOINT_THRESHOLD):
        return None
    near = value >= best - 1e-6
    return Keypoint(joint, float(u[near].mean()), float(v[near].mean()), min(1.0, best))


def _full(one: Instance, grid: tuple[int, int], camera: CameraModel) -> Cut | None:
    """In pixels of the full image; edges are smoothed, not stepped."""
    sx, sy = camera.width / grid[1], camera.height / grid[0]
    h, w = one.mask.shape
    left, right = int(np.floor((one.left - 1) * sx)), int(np.ceil((one.left + w + 1) * sx))
    top, bottom = int(np.floor((one.top - 1) * sy)), int(np.ceil((one.top + h + 1) * sy))
    warp = np.array([[sx, 0, (one.left + 0.5) * sx - 0.5 - left], [0, sy, (one.top + 0.5) * sy - 0.5 - top]])
    soft = cv2.warpAffine(one.mask.astype(np.float32), warp, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    mask = soft[max(0, -top):camera.height - top, max(0, -left):camera.width - left] >= 0.5
    return tight(mask, max(0, left), max(0, top))


def _pooled(one: Instance, names: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """Mean probability of every class, float (c,), over the instance; ``names`` float (c, h/4, w/4) where the grid is (h, w)."""
    share = names.shape[1] / grid[0]
    rows, columns = np.nonzero(one.mask)
    step = max(1, len(rows) // 400)
    r = np.minimum(((rows[::step] + one.top + 0.5) * share).astype(int), names.shape[1] - 1)
    c = np.minimum(((columns[::step] + one.left + 0.5) * share).astype(int), names.shape[2] - 1)
    return names[:, r, c].mean(axis=1) + 1e-3


def create(weights: str | Path | None = None, threads: int = 1, score_threshold: float = 0.2, runtime: str = "auto",
           centre_threshold: float = 0.15, device: str = "auto") -> LightDetector:
    """Loads the shipped or the given weights; the naming network lies beside (:func:`names_path`). ``runtime``,
    ``device``: as in :func:`chosen`. Raises DetectorError."""
    path = Path(weights) if weights is not None else WEIGHTS
    for each in (path, names_path(path)):
        if not each.is_file():
            raise DetectorError(f"weights '{each}' of the light detector are missing; make them with `heed train detector --output {path}`")
    if not 1 <= threads <= 64:
        raise DetectorError(f"threads {threads}: must be 1 to 64")
    try:
        config = LightConfig(score_threshold, grouping=GroupingConfig(centre_threshold=centre_threshold))
    except ValueError as error:
        raise DetectorError(f"light detector: {error}") from error
    load = partial(loader(runtime, device), threads)
    meta, segment = load(path, INPUTS, OUTPUTS)
    header = Header.parse(meta, path)
    meta, names = load(names_path(path), NAMES_INPUTS, NAMES_OUTPUTS)
    side = check_names(header.classes, meta, names_path(path))
    warn_if_weak(path)
    return LightDetector(header, segment, names, config, side)


def loader(runtime: str, device: str):
    """(threads, path, inputs, outputs) → metadata and a callable on arrays. ``runtime``, ``device``: as in :func:`chosen`. Raises DetectorError."""
    runtime, device = chosen(runtime, device)
    return partial({"onnxruntime": _onnxruntime, "openvino": _openvino, "torch": _torch}[runtime], device)


def chosen(runtime: str, device: str) -> tuple[str, str]:
    """What runs the networks where: (one of ``RUNTIMES``, cpu or cuda). ``runtime``: one of them or auto; ``device``: auto, cpu or cuda. On a GPU auto is ONNX Runtime where
    it has its CUDA provider, else PyTorch; on the CPU it is ONNX Runtime, else OpenVINO. Raises DetectorError when there is none."""
    if runtime not in ("auto", *RUNTIMES):
        raise DetectorError(f"runtime '{runtime}': must be auto, {', '.join(RUNTIMES[:-1])} or {RUNTIMES[-1]}")
    if device not in ("auto", "cpu", "cuda"):
        raise DetectorError(f"device '{device}': must be auto, cpu or cuda")
    if device == "cuda" and runtime == "openvino":
        raise DetectorError("device 'cuda': OpenVINO runs on the CPU here; use runtime auto, onnxruntime or torch, or device cpu")
    if device != "cpu":
        for name, sees in (("onnxruntime", _onnxruntime_sees_cuda), ("torch", _torch_sees_cuda)):
            if runtime in ("auto", name) and sees():
                return name, "cuda"
    if device == "cuda":
        lacks = {"onnxruntime": "no ONNX Runtime with a CUDA provider is here", "torch": "no PyTorch that sees a CUDA device is here"}
        raise DetectorError(f"device 'cuda': {' and '.join(lacks.values()) if runtime == 'auto' else lacks[runtime]}; install onnxruntime-gpu and use runtime onnxruntime, or "
                            "a CUDA build of torch and NVIDIA's driver and use runtime torch, or use device cpu")
    absent = []
    for name in ("onnxruntime", "openvino") if runtime == "auto" else (runtime,):
        try:
            importlib.import_module(name)
            return name, "cpu"
        except ImportError as error:
            absent.append(f"{name} ({error})")
    raise DetectorError(f"this detector needs onnxruntime, openvino or torch; not installed: {', '.join(absent)}")


def _onnxruntime_sees_cuda() -> bool:
    try:
        import onnxruntime as ort
    except ImportError:
        return False
    return "CUDAExecutionProvider" in ort.get_available_providers()


def _torch_sees_cuda() -> bool:
    """PyTorch is imported only where NVIDIA's driver is: it is large, and on the CPU nothing else here needs it."""
    try:
        ctypes.CDLL("libcuda.so.1")
        import torch
    except (ImportError, OSError):
        return False
    return torch.cuda.is_available()


def warn_if_weak(path: Path) -> None:
    """Says so when the model card beside the weights admits that they miss their targets; without a card nothing is known."""
    try:
        card = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        weak, scores = card["meets_target"] is False, card["scores"] or {}
    except (OSError, ValueError, KeyError, TypeError):
        return
    if weak:
        warnings.warn(f"weights '{path.name}' miss their targets (mask mAP50 {scores.get('mask_map50')}, see {path.with_suffix('.md').name}); "
                      "train longer with `heed train detector`", stacklevel=3)


def _onnxruntime(device: str, threads: int, path: Path, given: Sequence[str], wanted: Sequence[str]) -> tuple[dict[str, str], Run]:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the cores to the other nodes
    providers = ["CPUExecutionProvider"] if device == "cpu" else ["CUDAExecutionProvider", "CPUExecutionProvider"]
    try:
        session = ort.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # the runtime raises its own unrelated types for a file it cannot parse
        raise DetectorError(f"weights '{path}' cannot be loaded, the file is corrupt or no ONNX model: {_first_line(error)}") from error
    _check_outputs(path, [o.name for o in session.get_outputs()], wanted)
    return dict(session.get_modelmeta().custom_metadata_map), lambda *arrays: session.run(list(wanted), dict(zip(given, arrays)))


def _openvino(device: str, threads: int, path: Path, given: Sequence[str], wanted: Sequence[str]) -> tuple[dict[str, str], Run]:
    import onnx
    import openvino as ov

    try:
        described = onnx.load(str(path))
        core = ov.Core()
        model = core.compile_model(core.read_model(str(path)), "CPU", {"INFERENCE_NUM_THREADS": threads})
    except Exception as error:  # protobuf and OpenVINO raise their own types
        raise DetectorError(f"weights '{path}' cannot be loaded, the file is corrupt or no ONNX model: {_first_line(error)}") from error
    _check_outputs(path, [o.name for o in described.graph.output], wanted)

    def run(*arrays: np.ndarray) -> Sequence[np.ndarray]:
        result = model(dict(zip(given, arrays)))
        return [result[name] for name in wanted]

    return {p.key: p.value for p in described.metadata_props}, run


def _torch(device: str, threads: int, path: Path, given: Sequence[str], wanted: Sequence[str]) -> tuple[dict[str, str], Run]:
    import onnx

    from perception.detectors.onnx_torch import Network

    try:
        model = onnx.load(str(path))
    except Exception as error:  # protobuf raises its own types
        raise DetectorError(f"weights '{path}' cannot be loaded, the file is corrupt or no ONNX model: {_first_line(error)}") from error
    _check_outputs(path, [o.name for o in model.graph.output], wanted)
    return {p.key: p.value for p in model.metadata_props}, Network(model, path, device, threads, given, wanted)


def _check_outputs(path: Path, names: Sequence[str], wanted: Sequence[str]) -> None:
    missing = [n for n in wanted if n not in names]
    if missing:
        raise DetectorError(f"weights '{path}' are of another network: outputs {', '.join(missing)} are missing (there: {', '.join(names)})")


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]

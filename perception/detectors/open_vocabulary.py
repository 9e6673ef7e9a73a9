"""``open_vocabulary``: detectors that are told in words what to look for: OWLv2 and Grounding DINO (transformers), YOLOE (ultralytics).

Weights are the user's, a local folder or file; nothing is downloaded. The words are those of the household's class table, so no class map
is needed. Boxes become masks by depth: what lies within the class's size of the surface in the middle of the box.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors import DetectorError
from perception.detectors.base import FALLIBLE, Detection
from perception.detectors.ultralytics import checked, chosen_device, offline

_KINDS = (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.OBJECT, classes.Kind.DEVICE, classes.Kind.OBSTACLE, classes.Kind.PERSON)
_OVERLAP = 0.6  # two boxes of different classes that overlap more are one thing: the surer word stays


@dataclass(frozen=True)
class Proposal:
    """``box``: left, top, right, bottom, pixels. ``mask``: bool (H, W) where the model gives one."""

    cls: str
    score: float
    box: tuple[float, float, float, float]
    mask: np.ndarray | None = None


Propose = Callable[[np.ndarray], Sequence[Proposal]]


class OpenVocabularyDetector:
    """``propose``: colour image uint8 (H, W, 3) → proposals."""

    name = "open_vocabulary"
    tuning = FALLIBLE

    def __init__(self, propose: Propose, class_ids: Sequence[str]):
        self._propose, self.classes = propose, tuple(class_ids)

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        """As :class:`Detector`."""
        if color.shape != (camera.height, camera.width, 3) or color.dtype != np.uint8:
            raise ValueError(f"color is {color.dtype} {color.shape}, wanted uint8 {(camera.height, camera.width, 3)}")
        found = []
        for p in one_word_each(self._propose(color)):
            mask = p.mask if p.mask is not None else mask_in_box(depth, p.box, p.cls, camera)
            one = Detection.from_full_mask(p.cls, min(1.0, max(0.0, p.score)), mask)
            if one is not None:
                found.append(one)
        return tuple(found)


def one_word_each(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Best first, without those that a better one covers."""
    kept: list[Proposal] = []
    for p in sorted(proposals, key=lambda p: -p.score):
        if all(_iou(p.box, k.box) < _OVERLAP for k in kept):
            kept.append(p)
    return kept


def _iou(a: Sequence[float], b: Sequence[float]) -> float:
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)


def mask_in_box(depth: np.ndarray | None, box: Sequence[float], cls: str, camera: CameraModel) -> np.ndarray:
    """Bool (H, W). The whole box where there is no depth."""
    full = np.zeros((camera.height, camera.width), bool)
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    right, bottom = min(camera.width, int(np.ceil(box[2]))), min(camera.height, int(np.ceil(box[3])))
    if right <= left or bottom <= top:
        return full
    full[top:bottom, left:right] = True
    if depth is None:
        return full
    dx, dy = (right - left) // 4, (bottom - top) // 4
    middle = depth[top + dy:bottom - dy, left + dx:right - dx]
    middle = middle[np.isfinite(middle) & (middle > 0)]
    if not middle.size:
        return full
    front = float(np.percentile(middle, 30))
    reach = max(classes.get(cls).size) + 0.02 * front
    inside = np.nan_to_num(depth, nan=0.0, posinf=0.0)
    return full & (inside > front - reach) & (inside < front + reach)


def create(weights: str | Path | None = None, class_ids: Sequence[str] | None = None, score_threshold: float = 0.25,
           device: str = "auto") -> OpenVocabularyDetector:
    """``weights``: a transformers folder (its config.json says which model) or a YOLOE/YOLO-World .pt. Raises DetectorError."""
    path = checked(weights, "open_vocabulary")
    ids = tuple(class_ids) if class_ids is not None else classes.of_kind(*_KINDS)
    unknown = [c for c in ids if c not in classes.CLASSES]
    if unknown or not ids:
        raise DetectorError(f"class_ids: {', '.join(unknown) or 'empty'}; allowed are the ids of household/classes.py")
    if not 0.0 < score_threshold < 1.0:
        raise DetectorError(f"score_threshold {score_threshold}: must lie between 0 and 1")
    offline()
    loader = _transformers if path.is_dir() else _yolo
    try:
        return OpenVocabularyDetector(loader(path, ids, score_threshold, chosen_device(device)), ids)
    except DetectorError:
        raise
    except ImportError as error:
        raise DetectorError(f"open-vocabulary weights '{path}' need a library that is absent: {error}") from error
    except Exception as error:  # these libraries raise many types for a damaged file
        raise DetectorError(f"open-vocabulary weights '{path}' cannot be loaded: {type(error).__name__}: {str(error)[:160]}") from error


def _transformers(path: Path, ids: Sequence[str], least: float, device: str) -> Propose:
    kind = _model_type(path)
    if kind not in ("owlv2", "grounding-dino"):
        raise DetectorError(f"'{path}/config.json': model_type '{kind}'; known are owlv2 and grounding-dino")
    import torch
    from transformers import AutoModelForZeroShotObjectDetection, AutoProcessor

    processor = AutoProcessor.from_pretrained(str(path), local_files_only=True)
    model = AutoModelForZeroShotObjectDetection.from_pretrained(str(path), local_files_only=True).to(device).eval()
    spoken = {classes.get(c).spoken: c for c in ids}
    words = list(spoken)
    text = [[f"a photo of a {w}" for w in words]] if kind == "owlv2" else ". ".join(words) + "."

    def propose(color: np.ndarray) -> list[Proposal]:
        given = processor(images=color, text=text, return_tensors="pt").to(device)
        with torch.no_grad():
            out = model(**given)
        sizes = [color.shape[:2]]
        if kind == "owlv2":
            r = processor.post_process_object_detection(out, threshold=least, target_sizes=torch.tensor(sizes))[0]
            named = [words[int(k)] for k in r["labels"]]
        else:
            r = processor.post_process_grounded_object_detection(out, given["input_ids"], threshold=least, target_sizes=sizes)[0]
            named = r.get("text_labels", r["labels"])
        return [Proposal(spoken[w], float(s), tuple(float(v) for v in b)) for w, s, b in zip(named, r["scores"], r["boxes"]) if w in spoken]

    return propose


def _model_type(path: Path) -> str | None:
    try:
        return json.loads((path / "config.json").read_text(encoding="utf-8")).get("model_type")
    except (OSError, ValueError, AttributeError) as error:
        raise DetectorError(f"'{path}' is no transformers model: config.json cannot be read ({error})") from error


def _yolo(path: Path, ids: Sequence[str], least: float, device: str) -> Propose:
    from ultralytics import YOLOE

    model = YOLOE(str(path))
    model.set_classes([classes.get(c).spoken for c in ids])

    def propose(color: np.ndarray) -> list[Proposal]:
        r = model.predict(np.ascontiguousarray(color[..., ::-1]), conf=least, device=device, verbose=False, retina_masks=True)[0]
        masks = None if r.masks is None else r.masks.data.cpu().numpy() > 0.5
        rows = zip(r.boxes.cls.tolist(), r.boxes.conf.tolist(), r.boxes.xyxy.tolist())
        return [Proposal(ids[int(k)], float(s), tuple(b), None if masks is None else masks[i]) for i, (k, s, b) in enumerate(rows)]

    return propose

"""Labelled images on disk: one file per home, an uncompressed npz of already compressed pictures.

Colour is JPEG (quality 95), depth 16-bit PNG in millimetres, instance ids 16-bit PNG, the rest JSON; a picture of 640×480 takes about
100 kB. Invariants: a shard is written under a temporary name and renamed, so that what exists is whole; nothing in it is code (no pickle).
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors import DetectorError
from perception.detectors.base import Joint

FORMAT = "heed-shard-1"
SUFFIX = ".shard.npz"
JOINTS = (Joint.NOSE, Joint.LEFT_EAR, Joint.RIGHT_EAR, Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER, Joint.LEFT_ELBOW, Joint.RIGHT_ELBOW,
          Joint.LEFT_WRIST, Joint.RIGHT_WRIST, Joint.LEFT_HIP, Joint.RIGHT_HIP)
_KINDS = (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.OBJECT, classes.Kind.DEVICE, classes.Kind.OBSTACLE, classes.Kind.PERSON,
          classes.Kind.DOOR)
CLASSES: tuple[str, ...] = ("background", *(c for kind in _KINDS for c in classes.of_kind(kind)))
INDEX = {name: i for i, name in enumerate(CLASSES)}


@dataclass(frozen=True)
class LabelledImage:
    """``color`` uint8 (h, w, 3) RGB; ``depth`` float32 (h, w) metres, 0 = none; ``ids`` uint16 (h, w), 0 = background; ``table``: value →
    (entity, class); ``joints``: value of a person → joint → (u, v) where it is in view; ``pose`` optical → map (4, 4). ``noisy``: the
    camera's noise is in the picture already."""

    color: np.ndarray
    depth: np.ndarray
    ids: np.ndarray
    table: Mapping[int, tuple[str, str]]
    camera: CameraModel
    pose: np.ndarray
    joints: Mapping[int, Mapping[Joint, tuple[float, float]]]
    noisy: bool = False


@dataclass(frozen=True)
class ShardInfo:
    """``counts[k]``: class → instances of at least ten pixels in image k."""

    path: Path
    home: str
    split: str
    meshes: tuple[str, ...]
    counts: tuple[Mapping[str, int], ...]


def write_shard(path: Path, home: str, split: str, images: Sequence[LabelledImage], meshes: Sequence[str] = ()) -> None:
    """``home``, ``split`` and ``meshes`` say what the pictures show, so that a test can hold the splits apart."""
    arrays: dict[str, np.ndarray] = {}
    rows = []
    for k, one in enumerate(images):
        arrays[f"color_{k}"] = _encode(".jpg", cv2.cvtColor(one.color, cv2.COLOR_RGB2BGR), cv2.IMWRITE_JPEG_QUALITY, 95)
        depth = np.clip(np.rint(np.nan_to_num(one.depth, posinf=0.0) * 1000), 0, 65535).astype(np.uint16)
        arrays[f"depth_{k}"] = _encode(".png", depth, cv2.IMWRITE_PNG_COMPRESSION, 6)
        arrays[f"ids_{k}"] = _encode(".png", one.ids.astype(np.uint16), cv2.IMWRITE_PNG_COMPRESSION, 6)
        area = np.bincount(one.ids.ravel())
        seen = {int(v): one.table[int(v)] for v in np.flatnonzero(area) if int(v) in one.table}
        c, counts = one.camera, {}
        for v, (_, cls) in seen.items():
            if area[v] >= 10:
                counts[cls] = counts.get(cls, 0) + 1
        rows.append({"camera": [c.width, c.height, c.fx, c.fy, c.cx, c.cy], "pose": np.asarray(one.pose, float).round(6).tolist(),
                     "table": {str(v): list(t) for v, t in seen.items()}, "noisy": one.noisy, "counts": counts,
                     "joints": {str(v): {j.value: [round(float(x), 2) for x in at] for j, at in row.items()} for v, row in one.joints.items()}})
    header = {"format": FORMAT, "home": home, "split": split, "meshes": sorted(meshes), "images": rows}
    arrays["header"] = np.frombuffer(json.dumps(header, sort_keys=True).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, **arrays)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _encode(kind: str, picture: np.ndarray, flag: int, value: int) -> np.ndarray:
    fine, data = cv2.imencode(kind, picture, [flag, value])
    if not fine:
        raise ValueError(f"a picture {picture.dtype} {picture.shape} cannot be written as {kind}")
    return data.reshape(-1)


def _header(path: Path) -> dict:
    try:
        with np.load(path, allow_pickle=False) as file:
            header = json.loads(file["header"].tobytes().decode())
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise DetectorError(f"shard '{path}' cannot be read: {type(error).__name__}: {error}") from error
    if header.get("format") != FORMAT:
        raise DetectorError(f"shard '{path}': format {header.get('format')!r}, wanted '{FORMAT}'")
    return header


def list_shards(folder: Path) -> list[ShardInfo]:
    """All shards of a folder in order of name. Raises DetectorError when there is none, or one that cannot be read."""
    paths = sorted(Path(folder).glob(f"*{SUFFIX}"))
    if not paths:
        raise DetectorError(f"no images in '{folder}': it holds no *{SUFFIX} file; render some with `heed train detector --data DIR --render-only`")
    infos = []
    for path in paths:
        h = _header(path)
        infos.append(ShardInfo(path, h["home"], h["split"], tuple(h["meshes"]), tuple(r["counts"] for r in h["images"])))
    return infos


def read_image(path: Path, k: int) -> LabelledImage:
    """Image ``k`` of a shard."""
    header = _header(path)
    if not 0 <= k < len(header["images"]):
        raise DetectorError(f"shard '{path}': image {k}; it has {len(header['images'])}")
    row = header["images"][k]
    with np.load(path, allow_pickle=False) as file:
        color, depth, ids = (cv2.imdecode(file[f"{name}_{k}"], cv2.IMREAD_UNCHANGED) for name in ("color", "depth", "ids"))
    if color is None or depth is None or ids is None:
        raise DetectorError(f"shard '{path}': image {k} cannot be decoded")
    w, h, *rest = row["camera"]
    joints = {int(v): {Joint(j): (float(at[0]), float(at[1])) for j, at in r.items()} for v, r in row["joints"].items()}
    return LabelledImage(cv2.cvtColor(color, cv2.COLOR_BGR2RGB), depth.astype(np.float32) / 1000, ids,
                         {int(v): (t[0], t[1]) for v, t in row["table"].items()}, CameraModel(int(w), int(h), *rest),
                         np.array(row["pose"]), joints, bool(row["noisy"]))

"""Wavefront OBJ and MTL texts → soups, for the model files of the installed collections.

Reads what those files use: v, vt, vn, f (polygons, negative indices), g/o groups, usemtl; Kd, map_Kd, d, Tr, Ks, Ns.
Anything else is skipped. Coordinates stay the file's own; the caller turns and scales them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from sim_bridges.embedded.meshes import EMPTY, Soup, face_normals, join
from sim_bridges.embedded.textures import Material, Texture, plain

MAX_TEXTURE = 256  # pixels; larger pictures are made smaller


def decode_picture(data: bytes) -> Texture | None:
    """JPEG or PNG bytes → a texture of at most MAX_TEXTURE pixels a side; None when they cannot be decoded."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return None
    scale = MAX_TEXTURE / max(image.shape[:2])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Texture(np.ascontiguousarray(image[:, :, ::-1]))


def read_mtl(text: str, picture: Callable[[str], Texture | None]) -> dict[str, Material]:
    """Material name → material; ``picture`` loads a texture by the file name the MTL gives."""
    out: dict[str, Material] = {}
    rows: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in text.splitlines():
        key, _, rest = line.strip().partition(" ")
        if key == "newmtl":
            current = rows.setdefault(rest.strip(), {})
        elif key:
            current[key] = rest.strip()
    for name, row in rows.items():
        out[name] = _material(name, row, picture)
    return out


def _material(name: str, row: Mapping[str, str], picture: Callable[[str], Texture | None]) -> Material:
    def numbers(key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        try:
            return tuple(float(x) for x in row[key].split()[: len(default)]) if key in row else default
        except ValueError:
            return default

    kd, ks = numbers("Kd", (0.7, 0.7, 0.7)), numbers("Ks", (0.0, 0.0, 0.0))
    opacity = numbers("d", (1.0,))[0] if "d" in row else 1.0 - numbers("Tr", (0.0,))[0]
    texture = picture(row["map_Kd"].split()[-1]) if row.get("map_Kd") else None
    colour = tuple(int(255 * min(1.0, max(0.0, c))) for c in kd)
    gloss = 0.5 * min(1.0, max(ks)) if numbers("Ns", (0.0,))[0] > 20 else 0.0
    return Material((colour[0], colour[1], colour[2]), texture, min(1.0, max(0.15, opacity)), gloss=gloss, name=name)


def read_obj(text: str, materials: Mapping[str, Material]) -> dict[str, Soup]:
    """Group name → soup. Groups keep their names so that moving parts can be told; a file without groups gives one,
    ``""``.
    """
    rows: dict[str, list[str]] = {"v": [], "vt": [], "vn": []}
    faces: dict[tuple[str, str], list[str]] = {}
    group = material = ""
    bucket: list[str] | None = None
    for line in text.splitlines():
        key, _, rest = line.partition(" ")
        if key == "f":
            if bucket is None:
                bucket = faces.setdefault((group, material), [])
            bucket.append(rest)
        elif key in rows:
            rows[key].append(rest)
        elif key == "usemtl":
            material, bucket = rest.strip(), None
        elif key in ("g", "o"):
            group, bucket = rest.strip(), None
    v, vt, vn = (_table(rows[key], width) for key, width in (("v", 3), ("vt", 2), ("vn", 3)))
    fallback = plain(178, 178, 178)
    groups: dict[str, list[Soup]] = {}
    for (name, mat), lines in faces.items():
        index = _corners(lines, (len(v) - 1, len(vt) - 1, len(vn) - 1))
        groups.setdefault(name, []).append(_soup(index, v, vt, vn, materials.get(mat, fallback)))
    return {name: join(soups) for name, soups in groups.items()} or {"": EMPTY}


def _table(rows: list[str], width: int) -> np.ndarray:
    """All rows of one kind, float32 (n, width); a row 0 of zeros stands for "not given"."""
    if not rows:
        return np.zeros((1, width), np.float32)
    given = len(rows[0].split())
    values = np.fromstring(" ".join(rows), dtype=np.float64, sep=" ")
    if len(values) != given * len(rows):
        values = np.array([[float(x) for x in row.split()[:width]] for row in rows]).ravel()
        given = width
    return np.concatenate([np.zeros((1, width)), values.reshape(-1, given)[:, :width]]).astype(np.float32)


def _corners(lines: list[str], counts: tuple[int, int, int]) -> np.ndarray:
    """Face lines → triangles as (n, 3, 3) numbers of position, texture and normal rows; polygons are cut into fans."""
    by_size: dict[tuple[int, int], list[str]] = {}
    for line in lines:
        words = line.replace("//", "/0/").split()
        if len(words) >= 3:
            by_size.setdefault((len(words), words[0].count("/")), []).append(" ".join(words))
    out = []
    for (size, slashes), rows in by_size.items():
        flat = np.fromstring(" ".join(rows).replace("/", " "), dtype=np.int64, sep=" ").reshape(-1, size, slashes + 1)
        corners = np.zeros((len(flat), size, 3), np.int64)
        corners[..., : slashes + 1] = flat
        for k, count in enumerate(counts):
            corners[..., k] = np.where(corners[..., k] < 0, count + 1 + corners[..., k], corners[..., k])
        fan = np.stack([corners[:, [0, i, i + 1]] for i in range(1, size - 1)], axis=1)
        out.append(fan.reshape(-1, 3, 3))
    return np.concatenate(out) if out else np.zeros((0, 3, 3), np.int64)


def _soup(index: np.ndarray, v: np.ndarray, vt: np.ndarray, vn: np.ndarray, material: Material) -> Soup:
    pos = v[np.clip(index[..., 0], 0, len(v) - 1)]
    flat = face_normals(pos)
    keep = np.abs(flat).max(axis=1) > 0
    pos, flat, index = pos[keep], flat[keep], index[keep]
    nrm = vn[np.clip(index[..., 2], 0, len(vn) - 1)]
    missing = (index[..., 2] == 0) | (np.abs(nrm).max(axis=2) == 0)
    nrm = np.where(missing[..., None], flat[:, None], nrm)
    nrm = nrm / np.maximum(np.linalg.norm(nrm, axis=2, keepdims=True), 1e-9)
    uv = vt[np.clip(index[..., 1], 0, len(vt) - 1)]
    return Soup(pos, nrm.astype(np.float32), uv, np.zeros(len(pos), np.int32), (material,))

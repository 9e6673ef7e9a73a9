"""A jointed mannequin mesh on our skeleton: which limb follows which bone, and how the joints between them bend.

The mesh comes in named limb groups. Groups on a bone move with it; groups on a joint (elbow, knee, hip, shoulder,
neck …) are blended from the bone above to the bone below along their own length, so that no gap opens. Bones stretch
to the skeleton's lengths, so that a hand is exactly where :func:`figures_pose.hand_position` says. Cost per pose: one
or two small matrix products a group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim_bridges.embedded import figures_pose as fp
from sim_bridges.embedded.assets_fit import thinning
from sim_bridges.embedded.assets_sweethome import Mannequin
from sim_bridges.embedded.meshes import Soup, join
from sim_bridges.embedded.textures import Material, Texture

TRIANGLES = 3800  # of the body without the parts below
_PARTS = {"head": 1800, "hands": 360, "feet": 500}  # their own allowances
_DETAIL = {"head": "head", "hand": "hands", "foot": "feet"}
_TORSO, _HEAD = "torso", "head"


@dataclass(frozen=True)
class _Group:
    """Triangles ``part`` follow bone ``upper`` and, with weight ``lower_share`` (n, 3, 1), bone ``lower``."""

    part: slice
    upper: str
    lower: str
    lower_share: np.ndarray | None


def _bones_of(group: str) -> tuple[str, str]:
    """(upper, lower) bone a limb group follows; equal for groups in the middle of a bone."""
    side, _, name = group.partition("_")
    if side not in (fp.LEFT, fp.RIGHT):
        return {"head": (_HEAD, _HEAD), "neck": (_TORSO, _HEAD)}.get(group, (_TORSO, _TORSO))
    pairs = {
        "shoulder": (_TORSO, "arm"), "arm": ("arm", "arm"), "elbow": ("arm", "forearm"), "forearm": ("forearm", "forearm"),
        "wrist": ("forearm", "hand"), "hand": ("hand", "hand"), "hip": (_TORSO, "thigh"), "thigh": ("thigh", "thigh"),
        "knee": ("thigh", "leg"), "leg": ("leg", "leg"), "ankle": ("leg", "foot"), "foot": ("foot", "foot")
    }
    upper, lower = pairs[name]
    return tuple(b if b in (_TORSO, _HEAD) else f"{side}_{b}" for b in (upper, lower))


class Rig:
    """The mesh of ``mannequin`` thinned to ``share`` of the full allowance, posed on skeletons. One rig serves
    everybody of its kind.
    """

    def __init__(self, mannequin: Mannequin, share: float = 1.0):
        clean = {_plain_name(name): soup for name, soup in mannequin.groups.items()}
        self._joint = _rest_joints(clean)
        order = list(clean)
        whole = join(clean.values())
        owner = np.repeat(np.arange(len(order)), [len(clean[n]) for n in order])
        pos, kept = _thinned(whole, np.array([_DETAIL.get(n.split("_")[-1], "") for n in order])[owner], share)
        self.rest = Soup(pos, whole.nrm[kept], whole.uv[kept], whole.mat[kept], whole.materials)
        owner = owner[kept]
        starts = np.searchsorted(owner, np.arange(len(order) + 1))
        self._groups = [
            self._group(order[i], slice(int(a), int(b))) for i, (a, b) in enumerate(zip(starts[:-1], starts[1:])) if b > a
        ]

    def _group(self, name: str, part: slice) -> _Group:
        upper, lower = _bones_of(name)
        if upper == lower:
            return _Group(part, upper, lower, None)
        along = self._direction(lower)
        t = self.rest.pos[part] @ along.astype(np.float32)
        low, high = float(t.min()), float(t.max())
        share = np.clip((t - low) / max(high - low, 1e-6), 0, 1)
        return _Group(part, upper, lower, (share * share * (3 - 2 * share))[..., None])

    def _direction(self, bone: str) -> np.ndarray:
        if bone in (_HEAD, _TORSO):
            return np.array([0.0, 0.0, 1.0])
        a, b = (self._joint[j] for j in _ends(bone))
        return (b - a) / np.linalg.norm(b - a)

    def posed(self, s: fp.Skeleton, height: float) -> tuple[np.ndarray, np.ndarray]:
        """Corner positions and normals (n, 3, 3) in map, on skeleton ``s`` of a person ``height`` metres tall."""
        bones = self._bones(s, height)
        pos, nrm = np.empty_like(self.rest.pos), np.empty_like(self.rest.nrm)
        for g in self._groups:
            p, n = self.rest.pos[g.part].reshape(-1, 3), self.rest.nrm[g.part].reshape(-1, 3)
            linear, shift, turn = bones[g.upper]
            moved, turned = p @ linear.T + shift, n @ turn.T
            if g.lower_share is not None:
                linear, shift, turn = bones[g.lower]
                w = g.lower_share.reshape(-1, 1)
                moved += w * (p @ linear.T + shift - moved)
                turned += w * (n @ turn.T - turned)
            pos[g.part], nrm[g.part] = moved.reshape(-1, 3, 3), turned.reshape(-1, 3, 3)
        return pos, nrm

    def _bones(self, s: fp.Skeleton, h: float) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Bone → (linear, shift, rotation) taking rest points (unit height) to map, float32."""
        rest = self._joint
        body = s.torso[:3, :3]
        hip = (rest["left_hip"] + rest["right_hip"]) / 2
        shoulder = (rest["left_shoulder"] + rest["right_shoulder"]) / 2
        rise = (fp.SHOULDER - fp.HIP) / (shoulder[2] - hip[2])
        torso = body @ np.diag([h, h, h * rise])
        origin = np.array([shoulder[0], 0.0, hip[2]])
        out = {_TORSO: (torso, s.torso[:3, 3] - torso @ origin, body)}
        head, large = s.head[:3, :3], h * (1 + 0.5 * min(0.5, max(0.0, 1.45 - h))
                                           )  # children's heads are larger for their height
        out[_HEAD] = (head * large, s.head[:3, 3] - head @ rest["head"] * large, head)
        upright = _upright(body)
        for side in (fp.LEFT, fp.RIGHT):
            socket = torso @ (rest[f"{side}_shoulder"] -
                              origin) + s.torso[:3, 3]  # the mesh's own, which may be narrower than the skeleton's
            arm = self._limb(out, s, h, f"{side}_arm", body, start_at=socket)
            fore = self._limb(out, s, h, f"{side}_forearm", arm)
            wrist = f"{side}_wrist"
            out[f"{side}_hand"] = (fore * h, s.joints[wrist] - fore @ rest[wrist] * h, fore)
            thigh = self._limb(out, s, h, f"{side}_thigh", upright)
            self._limb(out, s, h, f"{side}_leg", thigh)
            self._limb(out, s, h, f"{side}_foot", upright, stretch=False)
        return {k: (a.astype(np.float32), b.astype(np.float32), c.astype(np.float32)) for k, (a, b, c) in out.items()}

    def _limb(self, out: dict, s: fp.Skeleton, h: float, bone: str, parent: np.ndarray, *, stretch: bool = True,
              start_at: np.ndarray | None = None) -> np.ndarray:
        """Adds a bone turned from ``parent``'s orientation by the smallest turn; returns its rotation."""
        start, end = _ends(bone)
        a, b = s.joints[start] if start_at is None else start_at, s.joints[end]
        rest = self._joint[end] - self._joint[start]
        length = np.linalg.norm(rest)
        direction = rest / length
        turn = parent @ _smallest_turn(direction, parent.T @ ((b - a) / np.linalg.norm(b - a)))
        ratio = np.linalg.norm(b - a) / (h * length) if stretch else 1.0
        linear = turn @ (h * (np.eye(3) + (ratio - 1) * np.outer(direction, direction)))
        out[bone] = (linear, a - linear @ self._joint[start], turn)
        return turn


@lru_cache(maxsize=8)
def rig_of(mannequin: Mannequin, share: float) -> Rig:
    return Rig(mannequin, share)


def _thinned(whole: Soup, detail: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """New corners and kept triangle numbers (ascending); ``detail`` names, for every triangle, the part whose
    allowance it counts to.
    """
    found = []
    for part, limit in {"": TRIANGLES, **_PARTS}.items():
        where = np.flatnonzero(detail == part)
        piece = Soup(whole.pos[where], whole.nrm[where], whole.uv[where], whole.mat[where], whole.materials)
        pos, kept = thinning(piece, int(limit * share))
        found.append((pos, where[kept]))
    pos, kept = np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])
    order = np.argsort(kept, kind="stable")
    return pos[order], kept[order]


def _plain_name(group: str) -> str:
    """``left_forearm_leftForearm`` → ``left_forearm``: some files repeat the name in camel case."""
    words = group.split("_")
    return "_".join(words[:2]) if words[0] in (fp.LEFT, fp.RIGHT) else words[0]


def _ends(bone: str) -> tuple[str, str]:
    side, _, name = bone.partition("_")
    a, b = {
        "arm": ("shoulder", "elbow"), "forearm": ("elbow", "wrist"), "hand": ("wrist", "hand"), "thigh": ("hip", "knee"),
        "leg": ("knee", "ankle"), "foot": ("ankle", "toe")
    }[name]
    return f"{side}_{a}", f"{side}_{b}"


def _rest_joints(groups: dict[str, Soup]) -> dict[str, np.ndarray]:
    """Joint → its place in the rest pose: the middle of the group that covers it; toes and hands at the ends of theirs."""
    def middle(name: str) -> np.ndarray:
        low, high = groups[name].bounds()
        return ((low + high) / 2).astype(np.float64)

    out = {"head": middle("head")}
    for side in (fp.LEFT, fp.RIGHT):
        for joint in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle", "hand"):
            out[f"{side}_{joint}"] = middle(f"{side}_{joint}")
        low, high = groups[f"{side}_foot"].bounds()
        ankle = out[f"{side}_ankle"]
        out[f"{side}_toe"] = np.array([high[0], ankle[1] * 0.5 + (low[1] + high[1]) / 4, ankle[2] - 0.028])
    return out


def _smallest_turn(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The 3×3 rotation that takes unit vector a to b the short way."""
    v, c = np.cross(a, b), float(a @ b)
    if c < -0.99999:
        axis = np.cross(a, (0.0, 1.0, 0.0))
        axis = axis / np.linalg.norm(axis)
        return 2 * np.outer(axis, axis) - np.eye(3)
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + k + k @ k / (1 + c)


def _upright(body: np.ndarray) -> np.ndarray:
    """The body's orientation without its lean: only the turn about z."""
    yaw = np.arctan2(body[1, 0], body[0, 0]) if abs(body[2, 0]) < 0.95 else np.arctan2(-body[0, 1], body[1, 1])
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def tinted(material: Material, color: tuple[int, int, int], *, keep_picture: bool) -> Material:
    """``material`` in another colour; a picture is multiplied so that its mean becomes the colour."""
    if material.texture is None or not keep_picture:
        return Material(color, None, 1.0)
    pixels = material.texture.pixels.astype(np.float32)
    mean = np.maximum(pixels.reshape(-1, 3).mean(axis=0), 1.0)
    return Material(
        color, Texture(np.clip(pixels * (np.array(color, np.float32) / mean), 0, 255).astype(np.uint8), material.texture.size))

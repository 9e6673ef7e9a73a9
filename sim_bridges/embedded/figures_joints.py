"""Where the joints of people are in the picture: what a perfect keypoint detector would find, and no more.

The seventeen points of COCO on the figures' own skeletons, projected; a joint is in the list only when its pixel shows this person and
nothing of the person's own body lies before it, so that nobody has a nose from behind. Pixels are whole numbers, as a picture's are, and
there is no depth in it. This belongs to the simulator's labels, like the instance image: scoring, and the ``simulator`` segmentation.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from household.camera import CameraModel
from sim_bridges.contract import InstanceInfo, Joints
from sim_bridges.embedded import figures_pose as fp
from sim_bridges.embedded.model import Home, Person, PersonState, WorldState

# On the drawn heads, in body heights from the middle of the head: forward, left, up.
FACE = {"nose": (0.066, 0.0, -0.022), "left_eye": (0.045, 0.021, 0.0), "right_eye": (0.045, -0.021, 0.0),
        "left_ear": (-0.025, 0.051, 0.0), "right_ear": (-0.025, -0.051, 0.0)}
_LIMBS = tuple(f"{side}_{joint}" for joint in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle") for side in (fp.LEFT, fp.RIGHT))
_FLESH = {"nose": 0.03, "eye": 0.03, "ear": 0.04, "shoulder": 0.14, "hip": 0.18}  # metres of one's own body over a joint in plain view
_LIMB_FLESH = 0.09


def joints(person: Person, state: PersonState, holding: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """COCO name → map point float64 (3,)."""
    skeleton = fp.skeleton(person, state, holding)
    found = {name: (skeleton.head @ np.array([*(person.height * np.array(at)), 1.0]))[:3] for name, at in FACE.items()}
    return found | {name: skeleton.joints[name] for name in _LIMBS}


def in_view(home: Home, state: WorldState, camera: CameraModel, pose: np.ndarray, ids: np.ndarray, depth: np.ndarray,
            instances: Mapping[int, InstanceInfo]) -> dict[str, Joints]:
    """Person → the joints to be seen of them, as (name, column, row). ``ids``, ``depth`` (H, W) of this very picture, without noise."""
    value = {info.entity: number for number, info in instances.items()}
    hands: dict[str, list[str]] = {}
    for thing in state.things.values():
        if thing.hand is not None:
            hands.setdefault(thing.at, []).append(thing.hand)
    present = set(np.flatnonzero(np.bincount(ids.ravel())).tolist())
    inverse, found = np.linalg.inv(pose), {}
    for person in home.people:
        if person.id not in state.people or value.get(person.id) not in present:
            continue
        seen = []
        for name, point in joints(person, state.people[person.id], tuple(hands.get(person.id, ()))).items():
            x, y, z = (inverse @ np.array([*point, 1.0]))[:3]
            if z < 0.1:
                continue
            u, v = round(camera.fx * x / z + camera.cx), round(camera.fy * y / z + camera.cy)
            if not (0 <= u < camera.width and 0 <= v < camera.height):
                continue
            around = (slice(max(v - 1, 0), v + 2), slice(max(u - 1, 0), u + 2))  # a nose in profile is the outline itself
            own, cover = ids[around] == value[person.id], z - _FLESH.get(name.split("_")[-1], _LIMB_FLESH)
            if own.any() and (depth[around][own] > cover).any() and (ids[v, u] == value[person.id] or depth[v, u] > z):
                seen.append((name, int(u), int(v)))
        found[person.id] = tuple(seen)
    return found

"""One reply of a ThreeDWorld build as plain values: transforms, bounds, images, camera, paths, frame time.

Parsing is the package's (``tdw.output_data``); what is ours is the depth decoding, the check of every size, and that a reply which cannot be
read is one named error. All coordinates here are still Unity's; :class:`.graph.Frames` turns them into map.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sim_bridges.errors import BadReply

NEAR, FAR = 0.1, 100.0  # of the depth shader, metres


@dataclass
class Snapshot:
    """By object id: ``positions`` (3,), ``rotations`` (4,) x, y, z, w, ``bounds`` (7, 3) front back right left top bottom center.

    Images as sent (None: not asked for): ``color``, ``ids`` uint8 (H, W, 3) RGB, ``depth`` float32 (H, W) metres, 0 beyond the far plane.
    ``camera_matrix`` (4, 4): world → OpenGL camera. ``paths``: id → (complete, (n, 3) points). ``dt``: seconds of this frame, or None.
    """

    positions: dict[int, np.ndarray] = field(default_factory=dict)
    rotations: dict[int, np.ndarray] = field(default_factory=dict)
    bounds: dict[int, np.ndarray] = field(default_factory=dict)
    colors: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    paths: dict[int, tuple[str, np.ndarray]] = field(default_factory=dict)
    color: np.ndarray | None = None
    depth: np.ndarray | None = None
    ids: np.ndarray | None = None
    camera_matrix: np.ndarray | None = None
    projection: np.ndarray | None = None
    dt: float | None = None


def read(reply: list[bytes], avatar: str, width: int, height: int) -> Snapshot:
    """``reply``: data parts and a frame count. ``avatar``: whose images count. Raises BadReply."""
    from tdw import output_data as od

    out = Snapshot()
    for part in reply[:-1]:
        kind = part[4:8]
        try:
            if kind == b"tran":
                data = od.Transforms(part)
                for i in range(data.get_num()):
                    out.positions[data.get_id(i)], out.rotations[data.get_id(i)] = data.get_position(i), data.get_rotation(i)
            elif kind == b"boun":
                data = od.Bounds(part)
                sides = (data.get_front, data.get_back, data.get_right, data.get_left, data.get_top, data.get_bottom, data.get_center)
                for i in range(data.get_num()):
                    out.bounds[data.get_id(i)] = np.array([side(i) for side in sides], dtype=np.float64)
            elif kind == b"segm":
                data = od.SegmentationColors(part)
                out.colors |= {data.get_object_id(i): tuple(int(c) for c in data.get_object_color(i)) for i in range(data.get_num())}
            elif kind == b"rseg":
                data = od.ReplicantSegmentationColors(part)
                out.colors |= {data.get_id(i): tuple(int(c) for c in data.get_segmentation_color(i)) for i in range(data.get_num())}
            elif kind == b"fram":
                dt = od.Framerate(part).get_frame_dt()
                out.dt = dt if 0.0 < dt < 0.5 else None
            elif kind == b"path":
                data = od.NavMeshPath(part)
                out.paths[data.get_id()] = (data.get_state(), np.array(data.get_path(), dtype=np.float64))
            elif kind == b"cama":
                data = od.CameraMatrices(part)
                if data.get_avatar_id() == avatar:
                    out.camera_matrix = np.array(data.get_camera_matrix(), dtype=np.float64).reshape(4, 4)
                    out.projection = np.array(data.get_projection_matrix(), dtype=np.float64).reshape(4, 4)
            elif kind == b"imag":
                data = od.Images(part)
                if data.get_avatar_id() == avatar:
                    _images(data, out, width, height)
        except BadReply:
            raise
        except Exception as error:  # FlatBuffers readers raise struct, index, type and attribute errors for broken data
            raise BadReply(f"ThreeDWorld's '{kind.decode('latin-1')}' data cannot be read ({type(error).__name__}: {error}): do the build and the "
                           "tdw package have the same version?") from None
    return out


def _images(data, out: Snapshot, width: int, height: int) -> None:
    if (data.get_width(), data.get_height()) != (width, height):
        raise BadReply(f"ThreeDWorld sent images of {data.get_width()}×{data.get_height()}, {width}×{height} was asked for: is the window too small "
                       "or maximised? Start the build with -screenWidth and -screenHeight of at least that")
    for i in range(data.get_num_passes()):
        mask, raw = data.get_pass_mask(i), data.get_image(i)
        if mask == "_depth":
            out.depth = decode_depth(np.asarray(raw), width, height)
        elif mask == "_img":
            out.color = _picture(raw, width, height, mask)
        elif mask == "_id":
            out.ids = _picture(raw, width, height, mask)


def decode_depth(raw: np.ndarray, width: int, height: int) -> np.ndarray:
    """uint8 (height·width·3,) as sent, bottom row first → float32 (H, W) planar metres, 0 at the far plane. Raises BadReply."""
    if raw.size != width * height * 3:
        raise BadReply(f"ThreeDWorld's depth has {raw.size} bytes, {width}×{height}×3 are due")
    rgb = raw.reshape(height, width, 3)[::-1].astype(np.float32)
    z = (rgb[:, :, 0] + rgb[:, :, 1] / 256.0 + rgb[:, :, 2] / 65536.0) * np.float32((FAR - NEAR) / 256.0)
    z[z > FAR * 0.98] = 0.0
    return z


def _picture(raw, width: int, height: int, mask: str) -> np.ndarray:
    import cv2

    image = cv2.imdecode(np.asarray(raw, np.uint8), cv2.IMREAD_COLOR)
    if image is None or image.shape[:2] != (height, width):
        raise BadReply(f"ThreeDWorld's '{mask}' image is no {width}×{height} picture")
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)

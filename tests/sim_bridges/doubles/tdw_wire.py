"""ThreeDWorld output data as a build sends it: FlatBuffers with a four-letter id at bytes 4 to 8, made with the package's own builders."""

from __future__ import annotations

import struct

import numpy as np
import tdw.flatbuffers
from tdw.FBOutput import (Bounds, CameraMatrices, DynamicCompositeObjects, Framerate, ImagePass, Images, NavMeshPath, QuitSignal,
                          Replicants, ReplicantSegmentationColors, SegmentationColors, StaticCompositeObject, StaticCompositeObjects, StaticHinge,
                          StaticMotor, StaticRigidbodies, StaticSpring, Transforms, Vector3)


def vector(builder, array, kind) -> int:
    """A scalar vector, written in one piece."""
    data = np.ascontiguousarray(array, dtype=kind).ravel()
    raw = data.tobytes()
    builder.StartVector(data.itemsize, data.size, data.itemsize)
    builder.head = builder.Head() - len(raw)
    builder.Bytes[builder.Head():builder.Head() + len(raw)] = raw
    return builder.EndVector(data.size)


def offsets(builder, items: list[int]) -> int:
    builder.StartVector(4, len(items), 4)
    for item in reversed(items):
        builder.PrependUOffsetTRelative(item)
    return builder.EndVector(len(items))


def finish(builder, root: int, id: str) -> bytes:
    """The bundled Finish writes no id: it goes in by hand, and the root lies four bytes farther."""
    builder.Finish(root)
    raw = bytes(builder.Output())
    return struct.pack("<I", struct.unpack("<I", raw[:4])[0] + 4) + id.encode() + raw[4:]


def table(module, name: str, id: str, **columns) -> bytes:
    """A table whose columns are scalar vectors: ``column=(array, numpy kind)``, or plain scalars ``column=value``."""
    b = tdw.flatbuffers.Builder(1024)
    ready = {k: vector(b, *v) if isinstance(v, tuple) else v for k, v in columns.items()}
    getattr(module, f"{name}Start")(b)
    for column, value in ready.items():
        getattr(module, f"{name}Add{column}")(b, value)
    return finish(b, getattr(module, f"{name}End")(b), id)


def transforms(ids, positions, rotations, forwards) -> bytes:
    return table(Transforms, "Transforms", "tran", Ids=(ids, "i4"), Positions=(positions, "f4"), Rotations=(rotations, "f4"), Forwards=(forwards, "f4"))


def bounds(ids, sides) -> bytes:
    return table(Bounds, "Bounds", "boun", Ids=(ids, "i4"), BoundPositions=(sides, "f4"))


def static_rigidbodies(ids, kinematic) -> bytes:
    return table(StaticRigidbodies, "StaticRigidbodies", "srig", Ids=(ids, "i4"), PhysicsValues=(np.ones((len(ids), 4)), "f4"), Kinematic=(kinematic, "?"))


def replicants(parts, ids, positions, rotations, forwards, held, statuses) -> bytes:
    n = len(statuses)
    return table(Replicants, "Replicants", "repl", NumBodyParts=parts, Ids=(ids, "i4"), Positions=(positions, "f4"), Rotations=(rotations, "f4"),
                 Forwards=(forwards, "f4"), Held=(held, "i4"), CollisionIds=(np.zeros((n, parts - 1, 10)), "i4"),
                 IsCollisions=(np.zeros((n, parts - 1, 10)), "?"), Statuses=(statuses, "u1"))


def replicant_colors(ids, colors) -> bytes:
    return table(ReplicantSegmentationColors, "ReplicantSegmentationColors", "rseg", Ids=(ids, "i4"), Colors=(colors, "i4"))


def framerate(dt: float) -> bytes:
    return table(Framerate, "Framerate", "fram", TargetFramerate=round(1 / dt), FrameDt=dt, PhysicsTimeStep=dt)


def path(id: int, points, state: int) -> bytes:
    return table(NavMeshPath, "NavMeshPath", "path", Path=(np.asarray(points, "<f4").view("u1"), "u1"), State=state, Id=id)


def quit_signal(ok: bool) -> bytes:
    return table(QuitSignal, "QuitSignal", "quit", Ok=ok)


def dynamic_composites(hinge_ids, hinges) -> bytes:
    return table(DynamicCompositeObjects, "DynamicCompositeObjects", "dcom", HingeIds=(hinge_ids, "i4"), Hinges=(hinges, "f4"),
                 LightIds=([], "i4"), Lights=([], "?"))


def segmentation_colors(ids, names, colors) -> bytes:
    b = tdw.flatbuffers.Builder(1024)
    strings = [b.CreateString(n) for n in names]
    i, n, c = vector(b, ids, "i4"), offsets(b, strings), vector(b, colors, "i4")  # int32 triples
    SegmentationColors.SegmentationColorsStart(b)
    SegmentationColors.SegmentationColorsAddIds(b, i)
    SegmentationColors.SegmentationColorsAddNames(b, n)
    SegmentationColors.SegmentationColorsAddCategories(b, n)
    SegmentationColors.SegmentationColorsAddColors(b, c)
    return finish(b, SegmentationColors.SegmentationColorsEnd(b), "segm")


def camera_matrices(avatar: str, projection, camera) -> bytes:
    b = tdw.flatbuffers.Builder(512)
    a, s = b.CreateString(avatar), b.CreateString("SensorContainer")
    p, c = vector(b, projection, "f4"), vector(b, camera, "f4")
    CameraMatrices.CameraMatricesStart(b)
    CameraMatrices.CameraMatricesAddAvatarId(b, a)
    CameraMatrices.CameraMatricesAddSensorName(b, s)
    CameraMatrices.CameraMatricesAddProjectionMatrix(b, p)
    CameraMatrices.CameraMatricesAddCameraMatrix(b, c)
    return finish(b, CameraMatrices.CameraMatricesEnd(b), "cama")


def images(avatar: str, width: int, height: int, passes: list[tuple[int, bytes]]) -> bytes:
    """``passes``: (pass mask, bytes)."""
    b = tdw.flatbuffers.Builder(1024)
    made = []
    for mask, data in passes:
        raw = vector(b, np.frombuffer(data, np.uint8), "u1")
        ImagePass.ImagePassStart(b)
        ImagePass.ImagePassAddPassMask(b, mask)
        ImagePass.ImagePassAddImage(b, raw)
        ImagePass.ImagePassAddExtension(b, 1)
        made.append(ImagePass.ImagePassEnd(b))
    a, s, p = b.CreateString(avatar), b.CreateString("SensorContainer"), offsets(b, made)
    Images.ImagesStart(b)
    Images.ImagesAddAvatarId(b, a)
    Images.ImagesAddSensorName(b, s)
    Images.ImagesAddWidth(b, width)
    Images.ImagesAddHeight(b, height)
    Images.ImagesAddPasses(b, p)
    return finish(b, Images.ImagesEnd(b), "imag")


_JOINTS = {"springs": (StaticSpring, "StaticSpring", "Springs"), "motors": (StaticMotor, "StaticMotor", "Motors"),
           "hinges": (StaticHinge, "StaticHinge", "Hinges")}


def static_composites(objects: dict[int, tuple[str, int, float, float]]) -> bytes:
    """Object id → (kind of joint, joint id, lowest and highest angle)."""
    b = tdw.flatbuffers.Builder(1024)
    made = []
    for number, (kind, joint, low, high) in objects.items():
        module, name, column = _JOINTS[kind]
        getattr(module, f"{name}Start")(b)
        getattr(module, f"{name}AddId")(b, joint)
        getattr(module, f"{name}AddHasLimits")(b, True)
        getattr(module, f"{name}AddMinLimit")(b, low)
        getattr(module, f"{name}AddMaxLimit")(b, high)
        getattr(module, f"{name}AddAxis")(b, Vector3.CreateVector3(b, 0.0, 1.0, 0.0))
        joints = offsets(b, [getattr(module, f"{name}End")(b)])
        StaticCompositeObject.StaticCompositeObjectStart(b)
        StaticCompositeObject.StaticCompositeObjectAddId(b, number)
        getattr(StaticCompositeObject, f"StaticCompositeObjectAdd{column}")(b, joints)
        made.append(StaticCompositeObject.StaticCompositeObjectEnd(b))
    everything = offsets(b, made)
    StaticCompositeObjects.StaticCompositeObjectsStart(b)
    StaticCompositeObjects.StaticCompositeObjectsAddObjects(b, everything)
    return finish(b, StaticCompositeObjects.StaticCompositeObjectsEnd(b), "scom")

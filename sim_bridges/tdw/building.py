"""A TdwScene as the commands that build it. Walls are thin kinematic blocks, so that a doorway is exactly as wide as the scene says.

Invariant: object numbers depend on the order in the scene file alone: the same scene gives the same numbers every time.
"""

from __future__ import annotations

import math

from household.scene_graph import ROBOT
from sim_bridges import unity
from sim_bridges.errors import UnknownName
from sim_bridges.tdw.config import ObjectSpec, TdwConfig, TdwScene
from sim_bridges.tdw.graph import Frames

FIRST_PERSON, FIRST_OBJECT, FIRST_WALL = 1, 1001, 5001
AVATAR = "heed"
WALL = 0.04  # metres


def numbers(scene: TdwScene) -> dict[str, int]:
    """Entity id → TDW object id, of objects."""
    return {o.id: FIRST_OBJECT + i for i, o in enumerate(scene.objects)}


def people_numbers(scene: TdwScene) -> dict[str, int]:
    return {p.id: FIRST_PERSON + i for i, p in enumerate((*scene.people, scene.robot))}


def frames_of(scene: TdwScene) -> Frames:
    """A scene we wall in lies around Unity's origin, as its outer walls do; a ready-made one is where it is."""
    if not scene.build_walls:
        return Frames()
    low, high = bounds(scene)
    return Frames(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2))


def bounds(scene: TdwScene) -> tuple[tuple[float, float], tuple[float, float]]:
    return (min(r.low[0] for r in scene.rooms), min(r.low[1] for r in scene.rooms)), \
           (max(r.high[0] for r in scene.rooms), max(r.high[1] for r in scene.rooms))


def scene_commands(config: TdwConfig, frames: Frames) -> list[dict]:
    """First list: everything but people. Raises UnknownName for a model or scene that the package does not know."""
    from tdw.controller import Controller
    from tdw.librarian import SceneLibrarian

    scene = config.scene
    if scene.scene_name == "ProcGenScene":
        commands = [{"$type": "load_scene", "scene_name": scene.scene_name}]
    else:
        if SceneLibrarian().get_record(scene.scene_name) is None:
            raise UnknownName(f"no ThreeDWorld scene '{scene.scene_name}'; there are {', '.join(r.name for r in SceneLibrarian().records[:8])}, …")
        commands = [Controller.get_add_scene(scene.scene_name)]
    commands.append({"$type": "set_screen_size", "width": config.width, "height": config.height})
    if scene.build_walls:
        low, high = bounds(scene)  # outer walls along Unity's x (map y) and z (map x), a metre beyond ours
        width, length = math.ceil(high[1] - low[1]) + 4, math.ceil(high[0] - low[0]) + 4
        edge = [{"x": x, "y": y} for x in range(width) for y in range(length) if x in (0, width - 1) or y in (0, length - 1)]
        commands.append({"$type": "create_exterior_walls", "walls": edge})
        for i, (center, size) in enumerate(wall_blocks(scene)):
            commands += _block(FIRST_WALL + i, center, size, frames)
    for o, number in zip(scene.objects, numbers(scene).values()):
        commands += object_commands(o, number, frames)
    return commands


def late_commands(config: TdwConfig) -> list[dict]:
    """Second list, a frame later: the NavMesh carved by what does not move, the camera, and what to send."""
    commands = [{"$type": "make_nav_mesh_obstacle", "id": number, "carve_type": "all", "scale": 1, "shape": "box"}
                for number in (*(n for o, n in zip(config.scene.objects, numbers(config.scene).values()) if o.fixed),
                               *(FIRST_WALL + i for i in range(len(wall_blocks(config.scene)) if config.scene.build_walls else 0)))]
    masks = ["_img", "_depth", *(["_id"] if config.instances else [])]
    return [*commands, {"$type": "bake_nav_mesh", "ignore": []},
            {"$type": "create_avatar", "type": "A_Img_Caps_Kinematic", "id": AVATAR},
            {"$type": "set_pass_masks", "pass_masks": masks, "avatar_id": AVATAR},
            {"$type": "set_img_pass_encoding", "value": True},
            {"$type": "set_field_of_view", "field_of_view": config.vertical_fov, "avatar_id": AVATAR},
            {"$type": "send_segmentation_colors", "frequency": "once"}]


def object_commands(o: ObjectSpec, number: int, frames: Frames) -> list[dict]:
    """Raises UnknownName."""
    from tdw.controller import Controller
    from tdw.librarian import ModelLibrarian

    if o.library not in Controller.MODEL_LIBRARIANS:
        Controller.MODEL_LIBRARIANS[o.library] = ModelLibrarian(o.library)
    record = Controller.MODEL_LIBRARIANS[o.library].get_record(o.model)
    if record is None:
        near = [r.name for r in Controller.MODEL_LIBRARIANS[o.library].search_records(o.model.split("_")[0])][:5]
        raise UnknownName(f"object '{o.id}': no model '{o.model}' in {o.library}" + (f"; near: {', '.join(near)}" if near else ""))
    commands = [Controller.get_add_object(o.model, object_id=number, library=o.library, position=frames.vector(o.position)),
                {"$type": "rotate_object_to_euler_angles", "id": number, "euler_angles": {"x": 0, "y": unity.yaw_to_degrees(o.yaw), "z": 0}},
                {"$type": "set_kinematic_state", "id": number, "is_kinematic": o.fixed, "use_gravity": not o.fixed}]
    if o.size is not None:
        sides = {axis: abs(record.bounds[a][axis] - record.bounds[b][axis]) for axis, a, b in
                 (("x", "left", "right"), ("y", "top", "bottom"), ("z", "front", "back"))}
        width, depth, height = o.size
        commands.append({"$type": "scale_object", "id": number, "scale_factor": {
            "x": width / sides["x"], "y": height / sides["y"], "z": depth / sides["z"]}})
    return commands


def wall_blocks(scene: TdwScene) -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    """(centre, size) in map of every wall piece: room edges with the doorways cut out."""
    out, done = [], set()
    for r in scene.rooms:
        (x0, y0), (x1, y1) = r.low, r.high
        for along_x, at, a, b in ((True, y0, x0, x1), (True, y1, x0, x1), (False, x0, y0, y1), (False, x1, y0, y1)):
            if (along_x, at, a, b) in done:
                continue
            done.add((along_x, at, a, b))
            pieces = [(a, b)]
            for d in scene.doorways:
                across, along = (d.centre[1], d.centre[0]) if along_x else d.centre
                if abs(across - at) < 0.2 and a < along < b:
                    low, high = along - d.width / 2, along + d.width / 2
                    pieces = [p for s, e in pieces for p in ((s, min(e, low)), (max(s, high), e)) if p[1] - p[0] > 1e-6]
            for low, high in pieces:
                center = ((low + high) / 2, at) if along_x else (at, (low + high) / 2)
                size = (high - low, WALL) if along_x else (WALL, high - low)
                out.append(((*center, 0.0), (*size, scene.wall_height)))
    return out


def _block(number: int, center, size, frames: Frames) -> list[dict]:
    wall = ObjectSpec("wall", "cube", center, 0.0, (size[1], size[0], size[2]), "models_flex.json")
    return object_commands(wall, number, frames)


def replicants(scene: TdwScene, frames: Frames, framerate: int) -> dict[str, object]:
    """Entity id → a fresh Replicant add-on. Raises UnknownName for an unknown model."""
    from tdw.add_ons.replicant import Replicant
    from tdw.librarian import HumanoidLibrarian
    from tdw.replicant.image_frequency import ImageFrequency

    known = [r.name for r in HumanoidLibrarian(Replicant.LIBRARY_NAME).records]
    out = {}
    for p in (*scene.people, scene.robot):
        if p.model not in known:
            raise UnknownName(f"person '{p.id}': no Replicant '{p.model}'; there are {', '.join(known)}")
        out[p.id] = Replicant(replicant_id=people_numbers(scene)[p.id], position=frames.vector((*p.position, 0.0)),
                              rotation={"x": 0, "y": unity.yaw_to_degrees(p.yaw), "z": 0}, image_frequency=ImageFrequency.never,
                              name=p.model, target_framerate=framerate)
        out[p.id].collision_detection.avoid = False  # the path already leads round obstacles
        out[p.id].collision_detection.objects = p.id == ROBOT
    return out

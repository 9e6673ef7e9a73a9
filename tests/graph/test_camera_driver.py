"""A camera driver's own topics, depth in its own frame, into the perception node: the parameter files that ship, over DDS."""

import json

import numpy as np
import pytest
import yaml
from household import environment

environment.prepare()

from geometry_msgs.msg import TransformStamped
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from evaluation.graph import Graph, NodeSpec, OptionError, node_specs, resolve, write_home_map
from household import ros
from household.camera import CameraModel
from perception.home_map import from_rooms
from tests.graph.test_nodes_fail import Ears
from tests.sim_bridges.doubles.boxes import render
from tests.sim_bridges.doubles.camera_driver import COLOR, DEPTH, CameraDriver, Quirks
from tests.sim_bridges.doubles.stage import Stage, apartment

pytestmark = [pytest.mark.graph, pytest.mark.timeout(300)]

CAMERA = CameraModel.from_fov(320, 240, 80.0)
BASELINE = 0.05
FILE = environment.share("config") / "cameras" / "realsense_unaligned.yaml"


class Driver:
    """A driver's publishers on somebody's node; every call of ``frame`` sends one frame with its transforms."""

    def __init__(self, node, extrinsics_on_tf: bool):
        topics = yaml.safe_load(FILE.read_text())["perception"]["ros__parameters"]
        self.stage = Stage(apartment())
        self.driver = CameraDriver(self.stage, CAMERA, Quirks(baseline=BASELINE, color="bgr8"))
        self.images = {COLOR: node.create_publisher(Image, topics["color_topic"], ros.RELIABLE),
                       DEPTH: node.create_publisher(Image, topics["depth_topic"], ros.RELIABLE)}
        self.infos = {COLOR: node.create_publisher(CameraInfo, topics["info_topic"], ros.RELIABLE),
                      DEPTH: node.create_publisher(CameraInfo, topics["depth_info_topic"], ros.RELIABLE)}
        self.tf = node.create_publisher(TFMessage, "/tf", ros.RELIABLE)
        self.static = node.create_publisher(TFMessage, "/tf_static", ros.LATCHED)
        self.labels = node.create_publisher(Image, "/sim/ground_truth/segmentation", ros.RELIABLE)
        names = node.create_publisher(String, "/sim/ground_truth/instances", ros.LATCHED)
        self.boxes = self.stage.boxes("robot")
        self.values = {e: i for i, e in enumerate(sorted({b.entity for b in self.boxes if b.entity}), 1)}
        names.publish(String(data=json.dumps({str(v): [e, self.stage.cls(e)] for e, v in self.values.items()})))
        if extrinsics_on_tf:
            self.static.publish(TFMessage(transforms=[_transform("optical", "depth_optical", 0.0, (BASELINE, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))]))
        self.start = 100.0

    def frame(self) -> None:
        for kind, *rest in self.driver.messages(1, self.start):
            if kind == "info":
                stamp = ros.to_stamp(self.start)
                self.infos[rest[0]].publish(ros.camera_info_message(rest[1].camera, stamp, "optical" if rest[0] == COLOR else "depth_optical"))
            elif kind == "transform":
                self.tf.publish(TFMessage(transforms=[_transform(*rest)]))
            else:
                raw = rest[1]
                message = Image(height=raw.height, width=raw.width, encoding=raw.encoding, step=raw.step, is_bigendian=int(raw.is_bigendian))
                message.header.stamp, message.header.frame_id, message.data = ros.to_stamp(raw.stamp), raw.frame_id, raw.data
                self.images[rest[0]].publish(message)
        which = render(self.boxes, CAMERA, self.driver.pose(0))[2]
        table = np.array([self.values.get(b.entity, 0) for b in self.boxes] + [0], np.uint16)
        self.labels.publish(ros.image_message(table[which], "16UC1", ros.to_stamp(self.start), "optical"))
        self.start += 0.2


def _transform(parent, child, stamp, translation, quaternion) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id, message.header.stamp = parent, ros.to_stamp(stamp)
    t, r = message.transform.translation, message.transform.rotation
    t.x, t.y, t.z = map(float, translation)
    r.x, r.y, r.z, r.w = map(float, quaternion)
    return message


def perception(tmp_path, domain, **parameters) -> Graph:
    home, path = apartment(), tmp_path / "home.yaml"
    path.write_text(yaml.safe_dump(from_rooms(home.rooms, home.doorways, home.wall_height).to_dict()))
    spec = NodeSpec("perception", "perception_node", "perception.node",
                    {"home_map": str(path), "segmentation": "simulator", "reliable": True, **parameters}, (str(FILE),))
    return Graph([spec], logs=tmp_path / "logs", domain=domain)


@pytest.mark.parametrize("by_tf", [True, False])
def test_depth_in_its_own_frame_is_registered_in_the_node(tmp_path, domain, by_tf):
    graph = perception(tmp_path, domain, **({} if by_tf else {"depth_extrinsics": f"{BASELINE} 0 0 0 0 0 1"}))
    with Ears(domain) as ears, graph:
        driver = Driver(ears._node, by_tf)

        def seen():
            driver.frame()
            return ears.graphs and ears.graphs[-1].could_not_see == () and "fridge_1" in ears.graphs[-1].entities

        ears.until(seen)
        entities = ears.graphs[-1].entities
        for name in ("kitchentable_1", "fridge_1", "apple_1"):
            assert np.hypot(*np.subtract(entities[name].position[:2], driver.stage.position(name)[:2])) < 0.06, name


def test_without_the_extrinsics_it_says_what_is_missing(tmp_path, domain):
    graph = perception(tmp_path, domain)
    with Ears(domain) as ears, graph:
        driver = Driver(ears._node, False)

        def told():
            driver.frame()
            return any("depth cannot be registered" in text and "depth_extrinsics" in text for text in ears.said.get("heed: perception", []))

        ears.until(told)
        assert not any(e.visible for g in ears.graphs for e in g.entities.values())


# a camera without a driver --------------------------------------------------------------------------------------------------------------------

def realsense(tmp_path, domain) -> Graph:
    home, path, mount = apartment(), tmp_path / "home.yaml", tmp_path / "mount.yaml"
    path.write_text(yaml.safe_dump(from_rooms(home.rooms, home.doorways, home.wall_height).to_dict()))
    mount.write_text("camera: {position: [0.5, 0.5, 1.4], yaw: 48.7, pitch: -20}\nrobot: {position: [0.5, 0.5]}\n")
    options = resolve({"world": "realsense", "perception": "detector", "home": str(mount), "home_map": str(path), "width": 200, "height": 150})
    specs = [s for s in node_specs(write_home_map(options, tmp_path)) if s.name == "world"]
    return Graph(specs, logs=tmp_path / "logs", domain=domain)


def test_a_realsense_without_its_driver_is_a_world_of_the_graph(tmp_path, domain, monkeypatch):
    """``heed up --world realsense`` with a library that behaves like pyrealsense2: its frames are on the camera's topics."""
    (tmp_path / "pyrealsense2.py").write_text(
        "import sys\nfrom tests.sim_bridges.camera.test_realsense_source import Library\nsys.modules[__name__] = Library()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    graph, images, clouds = realsense(tmp_path, domain), [], []
    with Ears(domain) as ears, graph:
        ears._node.create_subscription(Image, "/camera/color/image_raw", images.append, ros.RELIABLE)
        ears._node.create_subscription(Image, "/camera/aligned_depth_to_color/image_raw", clouds.append, ros.RELIABLE)
        ears.until(lambda: len(images) > 3 and len(clouds) > 3)
        assert (images[0].width, images[0].height, clouds[0].encoding) == (200, 150, "32FC1") and graph.dead() == {}
        assert ros.seconds(images[1].header.stamp) > ros.seconds(images[0].header.stamp)


def test_without_the_library_the_world_ends_with_one_line(tmp_path, domain, monkeypatch):
    (tmp_path / "pyrealsense2.py").write_text("raise ImportError('not here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with realsense(tmp_path, domain) as graph:
        graph.processes["world"].wait(timeout=90)
        assert graph.dead() == {"world": 2} and "pip install pyrealsense2" in graph.log_tail("world") and "Traceback" not in graph.log_tail("world")


def test_a_camera_by_its_name_or_its_file():
    assert resolve({"camera": "realsense_unaligned"})["camera"] == str(FILE) == resolve({"camera": str(FILE)})["camera"]
    with pytest.raises(OptionError, match="no file 'nope.yaml', nor one of oak, orbbec, orbbec_unaligned, realsense"):
        resolve({"camera": "nope.yaml"})


@pytest.mark.parametrize("world", ["camera", "realsense"])
def test_what_only_a_simulator_knows_is_not_asked_of_a_camera(world):
    with pytest.raises(OptionError, match="take detector"):
        resolve({"world": world, "perception": "simulator"})
    specs = {s.name: s for s in node_specs(resolve({"world": world, "perception": "detector"}))}
    assert ("world" in specs) == (world == "realsense") and specs["planner"].parameters["use_sim_time"] == (world == "realsense")

"""A simulator that crashes in the middle of a story, through the real graph: said, outlived, taken up again; and a recorder that is killed, too."""

import pytest

from evaluation import bags
from evaluation.graph import Graph, node_specs, resolve, write_home_map
from household import ros
from tests.graph.test_nodes_fail import Ears
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble

pytestmark = [pytest.mark.graph, pytest.mark.timeout(300)]


def test_a_simulator_that_dies_is_reported_outlived_and_taken_up_again(tmp_path, domain):
    with VirtualHomeDouble(Stage(apartment())) as sim:
        options = resolve({"world": "virtualhome", "port": sim.port, "story": "false_belief", "perception": "simulator", "width": 96, "height": 72,
                           "rate": 2.0, "muted": True, "record": str(tmp_path / "bag"), "lockstep": True})
        graph = Graph(node_specs(write_home_map(options, tmp_path)), logs=tmp_path / "logs", domain=domain)
        with Ears(domain) as ears, graph:
            ears.until(lambda: len(ears.graphs) > 8 and len(ears.minds) > 4, 120.0)
            sim.stop()
            ears.until(lambda: any("the world does not answer: no VirtualHome at" in text for text in ears.said.get("heed: world", [])))
            before = [g.stamp for g in ears.graphs]
            assert graph.dead() == {} and ears.said["heed: world"][-1].startswith("the world does not answer")
            sim.start()
            ears.until(lambda: len(ears.graphs) > len(before) + 4 and ears.graphs[-1].could_not_see == () and ears.said["heed: world"][-1] == "running")
            after = [g.stamp for g in ears.graphs[len(before):]]
            assert graph.dead() == {} and after[0] > before[-1] and "alice" in ears.graphs[-1].entities
            ears.spin(2.5)
            graph.kill("recorder")
    recorded = [ros.seconds(m.header.stamp) for _, _, m in bags.read(tmp_path / "bag", ("/heed/scene_graph",), required=("/heed/minds", "/tf"))]
    assert set(before[2:]) <= set(recorded) and max(recorded) >= after[0]
    with pytest.raises(bags.BagError, match="no topic /nothing"):
        list(bags.read(tmp_path / "bag", ("/tf",), required=("/nothing",)))


def test_a_simulator_too_old_for_the_bridge_ends_the_world_with_the_reason(tmp_path, domain):
    with VirtualHomeDouble(Stage(apartment()), missing={"render_script"}) as sim:
        options = resolve({"world": "virtualhome", "port": sim.port, "story": "false_belief", "perception": "simulator", "width": 96, "height": 72,
                           "rate": 2.0, "muted": True, "lockstep": True})
        graph = Graph(node_specs(write_home_map(options, tmp_path)), logs=tmp_path / "logs", domain=domain)
        with Ears(domain) as ears, graph:
            ears.until(lambda: "world" in graph.dead(), 120.0)
            assert graph.dead()["world"] == 1 and "does not know 'render_script'" in graph.log_tail("world")

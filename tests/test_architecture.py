"""The rooms of the house: who may import whom, and where ROS may be touched."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "household": {"household"},
    "perception": {"household", "perception"},
    "mind": {"household", "mind"},
    "planner": {"household", "planner", "mind.output", "mind.ros"},
    "sim_bridges": {"household", "sim_bridges"},
}
ROS = ("rclpy", "heed_msgs", "tf2_msgs", "sensor_msgs", "std_msgs", "std_srvs", "geometry_msgs", "diagnostic_msgs", "visualization_msgs",
       "rosgraph_msgs", "rcl_interfaces", "builtin_interfaces", "launch", "launch_ros")
OURS = ("household", "perception", "mind", "planner", "sim_bridges", "evaluation")


def modules(package):
    return sorted((ROOT / package).rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_the_rooms_it_may(package):
    allowed, wrong = MAY_IMPORT[package], []
    for path in modules(package):
        for name in imports(path):
            if name.split(".")[0] in OURS and not any(name == a or name.startswith(a + ".") or a.startswith(name + ".") and name.count(".") == 0
                                                      for a in allowed):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


@pytest.mark.parametrize("package", OURS)
def test_ros_is_touched_only_in_node_and_ros_files(package):
    wrong = [f"{path.relative_to(ROOT)} imports {name}" for path in modules(package) if path.name not in ("node.py", "ros.py")
             for name in imports(path) if name.split(".")[0] in ROS]
    assert wrong == []


def test_the_launch_folder_shadows_nothing():
    assert not (ROOT / "launch" / "__init__.py").exists()


def test_the_core_runs_where_there_is_no_ros():
    """Import the steps with rclpy and the messages made impossible to import."""
    code = ("import sys\n"
            f"for name in {ROS!r}: sys.modules[name] = None\n"
            "import perception.pipeline, mind.step, planner.step, planner.execution, evaluation.demo.recording, sim_bridges.embedded.world\n")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_heavy_libraries_are_not_imported_by_the_core():
    heavy = ("torch", "ultralytics", "transformers", "open3d", "onnxruntime", "openvino", "tdw")
    code = ("import sys, perception.pipeline, mind.step, planner.step, evaluation.cli\n"
            f"print([m for m in {heavy!r} if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_no_benchmark_word_in_the_model():
    words = ("mmtom", "muma", "tomi_", "hitom", "hi-tom", "question_type", "episode_id", "egotom", "mindpower_data")
    wrong = [f"{p.relative_to(ROOT)}: {w}" for package in ("mind", "planner") for p in modules(package) for w in words
             if w in p.read_text().lower()]
    assert wrong == []


def test_no_pickle_no_eval_no_shell():
    wrong = []
    for package in OURS:
        for path in modules(package):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "id", None)
                    if name in ("eval", "exec", "compile") and isinstance(node.func, ast.Name):
                        wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {name}")
                    if any(k.arg == "shell" and getattr(k.value, "value", False) for k in node.keywords):
                        wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} shell=True")
            if "pickle" in set(imports(path)):
                wrong.append(f"{path.relative_to(ROOT)} imports pickle")
    assert wrong == []

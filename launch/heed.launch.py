"""ros2 launch heed heed.launch.py world:=embedded story:=false_belief record:=my_bag

Starts the nodes of the stack; the options are those of ``heed up`` (one list: evaluation/graph.py).
"""

import tempfile
from pathlib import Path

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from evaluation.graph import OPTIONS, node_specs, resolve, write_home_map


def nodes(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in OPTIONS}
    options = resolve({name: value for name, value in given.items() if value != ""})
    options = write_home_map(options, Path(tempfile.mkdtemp(prefix="heed_")))
    return [Node(package="heed", executable=spec.executable, name=spec.name, output="screen",
                 parameters=[*spec.files, spec.parameters]) for spec in node_specs(options)]


def generate_launch_description():
    arguments = [DeclareLaunchArgument(name, default_value=str(option.default), description=option.doc,
                                       **({"choices": list(option.choices)} if option.choices else {}))
                 for name, option in OPTIONS.items()]
    return LaunchDescription([*arguments, OpaqueFunction(function=nodes)])

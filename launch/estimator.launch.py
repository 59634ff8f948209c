"""The estimator on a robot, alone in its process or composed with others."""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer, Node
from launch_ros.descriptions import ComposableNode

ARGUMENTS = {
    "params_file": "Parameter file of the robot (config/)",
    "landmarks_file": ("", "A second parameter file, for example with landmarks"),
    "namespace": ("", "Of the node and its relative topics"),
    "use_sim_time": ("false", "Take the time from /clock, as with a recording"),
    "autostart": ("true", "Configure and activate the node; false: leave that to a lifecycle manager"),
    "use_composition": ("false", "Load the node into a container of its own"),
    "checkpoint": ("", "File to go on from and to save to; empty: none"),
    "respawn": ("false", "Start the process again if it dies; with a checkpoint it goes on where it was"),
    "log_level": ("info", "debug, info, warn, error or fatal"),
    "rviz": ("false", "Show it in RViz"),
}


def declared(name, about):
    if isinstance(about, str):
        return DeclareLaunchArgument(name, description=about)
    return DeclareLaunchArgument(name, default_value=about[0], description=about[1])


def nodes(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    is_true = {name: value.lower() in ("true", "1") for name, value in given.items()}
    # Files first: what is given to the launch file wins.
    parameters = [file for file in (given["params_file"], given["landmarks_file"]) if file]
    parameters.append({name: is_true[name] for name in ("use_sim_time", "autostart")})
    if given["checkpoint"]:
        parameters.append({"checkpoint": given["checkpoint"]})
    common = {"namespace": given["namespace"], "output": "screen", "respawn": is_true["respawn"], "respawn_delay": 1.0,
              "arguments": ["--ros-args", "--log-level", given["log_level"]]}
    if is_true["use_composition"]:
        node = ComposableNode(package="ovf_ros", plugin="ovf_ros::EstimatorNode", name="ovf", namespace=given["namespace"],
                              parameters=parameters)
        estimator = ComposableNodeContainer(package="rclcpp_components", executable="component_container",
                                            name="ovf_container", composable_node_descriptions=[node], **common)
    else:
        estimator = Node(package="ovf_ros", executable="estimator_node", name="ovf", parameters=parameters, **common)
    if not is_true["rviz"]:
        return [estimator]
    view = os.path.join(get_package_share_directory("ovf_ros"), "rviz", "ovf.rviz")
    return [estimator, Node(package="rviz2", executable="rviz2", namespace=given["namespace"], arguments=["-d", view],
                            parameters=[{"use_sim_time": is_true["use_sim_time"]}])]


def generate_launch_description():
    return LaunchDescription([*(declared(name, about) for name, about in ARGUMENTS.items()), OpaqueFunction(function=nodes)])

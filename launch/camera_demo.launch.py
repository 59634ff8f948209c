"""The demonstration of pictures: the camera of a visitor to a maze, the estimator that learns from it, and RViz."""

import os

from ament_index_python.packages import get_package_prefix, get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import ComposableNodeContainer, Node
from launch_ros.descriptions import ComposableNode

SHARE = get_package_share_directory("ovf_ros")
ARGUMENTS = {
    "model": "Folder of the model of pictures, as `ovf train-vae` writes it",
    "namespace": ("", "Of all nodes and their relative topics"),
    "params_file": (os.path.join(SHARE, "config", "camera.yaml"), "Parameter file of the camera"),
    "checkpoint": ("", "File to go on from and to save to; empty: none"),
    "use_composition": ("false", "Load the nodes into one container"),
    "log_level": ("info", "debug, info, warn, error or fatal"),
    "rviz": ("true", "Show it in RViz"),
}


def declared(name, about):
    if isinstance(about, str):
        return DeclareLaunchArgument(name, description=about)
    return DeclareLaunchArgument(name, default_value=about[0], description=about[1])


def nodes(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    is_true = {name: value.lower() in ("true", "1") for name, value in given.items()}
    if not os.path.exists(os.path.join(get_package_prefix("ovf_ros"), "lib", "ovf_ros", "camera_node")):
        raise RuntimeError("the camera's node was not built: build ovf_core where LibTorch is found, then ovf_ros")
    # Files first: what is given to the launch file wins. A folder is meant from here, wherever the node runs.
    parameters = [given["params_file"], {"autostart": True, "model": os.path.abspath(given["model"])}]
    if given["checkpoint"]:
        parameters.append({"checkpoint": os.path.abspath(given["checkpoint"])})
    common = {"output": "screen", "arguments": ["--ros-args", "--log-level", given["log_level"]]}
    named = {"maze": {"name": "maze", "namespace": given["namespace"], "parameters": [{"autostart": True}]},
             "camera": {"name": "ovf_camera", "namespace": given["namespace"], "parameters": parameters}}
    if is_true["use_composition"]:
        parts = [ComposableNode(package="ovf_ros", plugin=plugin, **named[key])
                 for key, plugin in (("maze", "ovf_ros::MazeNode"), ("camera", "ovf_ros::CameraNode"))]
        # Several threads: none waits for another's model to be loaded.
        started = [ComposableNodeContainer(package="rclcpp_components", executable="component_container_mt",
                                           name="camera_container", namespace=given["namespace"],
                                           composable_node_descriptions=parts, **common)]
    else:
        started = [Node(package="ovf_ros", executable=executable, **named[key], **common)
                   for key, executable in (("maze", "maze_node"), ("camera", "camera_node"))]
    if is_true["rviz"]:
        started.append(Node(package="rviz2", executable="rviz2", namespace=given["namespace"],
                            arguments=["-d", os.path.join(SHARE, "rviz", "camera.rviz")]))
    return started


def generate_launch_description():
    return LaunchDescription([*(declared(name, about) for name, about in ARGUMENTS.items()), OpaqueFunction(function=nodes)])

"""A simulated robot, the estimator, and RViz: everything moving, with no robot."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def share(*parts):
    return PathJoinSubstitution([FindPackageShare("ovf_ros"), *parts])


def generate_launch_description():
    of = LaunchConfiguration
    arguments = [
        DeclareLaunchArgument("namespace", default_value="", description="Of all nodes and their relative topics"),
        DeclareLaunchArgument("params_file", default_value=share("config", "planar_all_sensors.yaml"),
                              description="Parameter file of the robot"),
        DeclareLaunchArgument("landmarks_file", default_value=share("config", "simulated_landmarks.yaml"),
                              description="Landmarks of the simulated robot"),
        DeclareLaunchArgument("checkpoint", default_value="", description="File to go on from and to save to"),
        DeclareLaunchArgument("respawn", default_value="false", description="Start the estimator again if it dies"),
        DeclareLaunchArgument("use_composition", default_value="false", description="Load the estimator into a container"),
        DeclareLaunchArgument("log_level", default_value="info", description="Of the estimator"),
        DeclareLaunchArgument("rviz", default_value="true", description="Show it in RViz"),
    ]
    simulator = Node(package="ovf_ros", executable="simulator_node", name="simulator", namespace=of("namespace"),
                     parameters=[{"autostart": True}], output="screen")
    estimator = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(share("launch", "estimator.launch.py")),
        launch_arguments={name: of(name) for name in ("namespace", "params_file", "landmarks_file", "checkpoint", "respawn",
                                                      "use_composition", "log_level", "rviz")}.items())
    return LaunchDescription([*arguments, simulator, estimator])

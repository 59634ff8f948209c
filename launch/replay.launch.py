"""The estimator over a recording, at its own pace, and a recording of what it estimates.

Faster, and without ROS: ovf replay.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, IncludeLaunchDescription, RegisterEventHandler, Shutdown
from launch.event_handlers import OnProcessExit
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import SetParameter
from launch_ros.substitutions import FindPackageShare


def share(*parts):
    return PathJoinSubstitution([FindPackageShare("ovf_ros"), *parts])


def generate_launch_description():
    of = LaunchConfiguration
    arguments = [
        DeclareLaunchArgument("bag", description="Recording to play (a rosbag2 folder or file)"),
        DeclareLaunchArgument("params_file", description="Parameter file of the robot (config/)"),
        DeclareLaunchArgument("landmarks_file", default_value="", description="A second parameter file"),
        DeclareLaunchArgument("out", default_value="estimates", description="New folder for the recording of the estimates"),
        DeclareLaunchArgument("rate", default_value="1.0", description="Of playing"),
        DeclareLaunchArgument("log_level", default_value="info", description="Of the estimator"),
        DeclareLaunchArgument("rviz", default_value="false", description="Show it in RViz"),
    ]
    play = ExecuteProcess(cmd=["ros2", "bag", "play", of("bag"), "--clock", "100", "--rate", of("rate"), "--delay", "3"],
                          output="screen")
    record = ExecuteProcess(cmd=["ros2", "bag", "record", "-s", "mcap", "-o", of("out"), "--use-sim-time", "--regex",
                                 "^/(ovf/.*|tf|ground_truth)$"], output="screen")
    # Nothing may be lost: what comes in a burst waits.
    lossless = SetParameter(name="input_depth", value=1000)
    estimator = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(share("launch", "estimator.launch.py")),
        launch_arguments={"use_sim_time": "true", "params_file": of("params_file"), "landmarks_file": of("landmarks_file"),
                          "log_level": of("log_level"), "rviz": of("rviz")}.items())
    done = RegisterEventHandler(OnProcessExit(target_action=play, on_exit=[Shutdown(reason="the recording is at its end")]))
    return LaunchDescription([*arguments, lossless, estimator, record, play, done])

"""An IMU at 1 kHz, odometry at 100 Hz, GNSS at 20 Hz. Prints what was lost, latencies, CPU and memory.

OVF_LOAD_SECONDS lengthens it. Only what cannot depend on a busy machine is asserted.
"""

import json
import os
import subprocess
import tempfile
import time
import unittest

import launch_testing
from launch import LaunchDescription
from launch_ros.actions import Node
from launch_testing.actions import ReadyToTest
from usage import Usage

DURATION = float(os.environ.get("OVF_LOAD_SECONDS", "8"))
FOLDER = tempfile.TemporaryDirectory()
CONFIG = """/**:
  ros__parameters:
    autostart: true
    input_depth: 10
    sensors: [gnss, gyro]
    motion: {control_topic: odom}
    initial: {rule: course, course_distance: 1.0}
    gnss_origin: [0.0, 0.0, 0.0]
    gnss: {kind: position, topic: fix, noise: [0.5]}
    gyro: {kind: turn_rate, topic: imu, noise: [0.05], bias: {deviation: 0.01}}
"""


def generate_test_description():
    config = os.path.join(FOLDER.name, "robot.yaml")
    with open(config, "w") as file:
        file.write(CONFIG)
    estimator = Node(package="ovf_ros", executable="estimator_node", name="ovf", parameters=[config], output="screen")
    return LaunchDescription([estimator, ReadyToTest()]), {"estimator": estimator}


class Load(unittest.TestCase):

    def test_is_carried(self, estimator):
        while "pid" not in (estimator.process_details or {}):
            time.sleep(0.1)
        usage = Usage(estimator.process_details["pid"])
        usage.start()
        result = subprocess.run([os.environ["OVF_LOAD"], str(DURATION)], check=True, capture_output=True, text=True)
        figures = json.loads(result.stdout)
        figures.update(usage.figures())
        print("load:", json.dumps(figures))
        self.assertGreater(figures["sent"], 0)
        self.assertGreater(figures["answered"], 0.5 * figures["sent"])
        self.assertLess(usage.growth_mb(), 20.0)


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)

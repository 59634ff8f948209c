"""An IMU at 1 kHz, odometry at 100 Hz and GNSS at 20 Hz, and every 12 s something that goes wrong (faulty_robot.cpp).

OVF_SOAK_SECONDS lengthens it, OVF_SOAK_FOLDER is a folder for the checkpoint that may become full. Prints what was lost,
how far off the belief was, CPU and memory. Only what cannot depend on a busy machine is asserted.
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

DURATION = float(os.environ.get("OVF_SOAK_SECONDS", "30"))
SEED = os.environ.get("OVF_SOAK_SEED", "1")
FOLDER = tempfile.TemporaryDirectory()
CHECKPOINTS = os.environ.get("OVF_SOAK_FOLDER", FOLDER.name)
CONFIG = """/**:
  ros__parameters:
    autostart: true
    sensors: [gnss, gyro]
    motion: {control_topic: odom}
    gnss_origin: [0.0, 0.0, 0.0]
    gnss: {kind: position, topic: fix, noise: [0.3]}
    gyro: {kind: turn_rate, topic: imu, noise: [0.02], bias: {deviation: 0.01}}
    checkpoint_period: 1.0
"""


def generate_test_description():
    config = os.path.join(FOLDER.name, "robot.yaml")
    with open(config, "w") as file:
        file.write(CONFIG)
    estimator = Node(package="ovf_ros", executable="estimator_node", name="ovf", output="screen",
                     parameters=[config, {"checkpoint": os.path.join(CHECKPOINTS, "robot.ovf")}])
    return LaunchDescription([estimator, ReadyToTest()]), {"estimator": estimator}


class Faults(unittest.TestCase):

    def test_are_survived(self, estimator):
        while "pid" not in (estimator.process_details or {}):
            time.sleep(0.1)
        usage = Usage(estimator.process_details["pid"])
        usage.start()
        robot = subprocess.run([os.environ["OVF_FAULTY_ROBOT"], str(DURATION), SEED, str(usage.pid), CHECKPOINTS],
                               check=True, stdout=subprocess.PIPE, text=True)
        figures = json.loads(robot.stdout.splitlines()[-1])
        figures.update(usage.figures())
        print("faults:", json.dumps(figures))
        self.assertGreater(figures["compared"], 0)
        self.assertLess(usage.growth_mb(), 30.0)
        self.assertTrue(os.path.exists(os.path.join(CHECKPOINTS, "robot.ovf")))


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)

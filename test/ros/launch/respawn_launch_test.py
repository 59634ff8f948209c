"""An estimator that is killed starts again, and goes on from its checkpoint."""

import os
import signal
import subprocess
import tempfile
import unittest

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest
from listener import Listener

FOLDER = tempfile.TemporaryDirectory()
CHECKPOINT = os.path.join(FOLDER.name, "robot.ovf")
PARAMETERS = os.path.join(FOLDER.name, "fast.yaml")


def generate_test_description():
    with open(PARAMETERS, "w") as file:
        file.write("/**:\n  ros__parameters:\n    checkpoint_period: 0.5\n")
        with open(os.path.join(os.environ["OVF_REPOSITORY"], "config", "simulated_landmarks.yaml")) as landmarks:
            file.write("".join(line for line in landmarks if line.startswith("    ") and line.strip()))
    file = os.path.join(os.environ["OVF_REPOSITORY"], "launch", "demo.launch.py")
    arguments = {"rviz": "false", "respawn": "true", "checkpoint": CHECKPOINT, "landmarks_file": PARAMETERS}
    demo = IncludeLaunchDescription(PythonLaunchDescriptionSource(file), launch_arguments=arguments.items())
    return LaunchDescription([demo, ReadyToTest()])


def estimator_processes():
    """Those in the domain of this test."""
    mine = []
    for process in subprocess.run(["pgrep", "-f", "estimator_node --ros-args"], capture_output=True, text=True).stdout.split():
        with open(f"/proc/{process}/environ", "rb") as environment:
            if f"ROS_DOMAIN_ID={os.environ['ROS_DOMAIN_ID']}".encode() in environment.read().split(b"\0"):
                mine.append(int(process))
    return mine


class Respawn(unittest.TestCase):

    def test_goes_on(self, proc_output):
        heard = Listener()
        received = heard.received
        self.assertTrue(heard.wait(lambda: len(received["odometry"]) > 100 and os.path.exists(CHECKPOINT)))
        learned = received["posterior"][-1]
        processes = estimator_processes()
        self.assertEqual(len(processes), 1)
        os.kill(processes[0], signal.SIGKILL)
        heard.spin(0.5)
        heard.clear()
        self.assertTrue(heard.wait(lambda: len(received["odometry"]) > 20))
        proc_output.assertWaitFor("goes on from " + CHECKPOINT, timeout=10)
        again = estimator_processes()
        self.assertEqual(len(again), 1)
        self.assertNotEqual(processes, again)
        # A new start would have to find its heading first, and be uncertain of everything that is learned.
        first = received["posterior"][0]
        names = list(learned.state.names)
        n = len(names)
        for i, name in enumerate(names):
            known = learned.state.covariance[i * n + i]
            self.assertLess(first.state.covariance[i * n + i], 30 * known + 1e-2, name)
        self.assertTrue(heard.finite())
        heard.close()

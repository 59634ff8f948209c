"""`ros2 bag play --loop`: each time the clock is set back the belief starts anew, without NaN and without transforms that
listeners would refuse."""

import os
import tempfile
import unittest

import launch_testing
from launch import LaunchDescription
from launch.actions import ExecuteProcess, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest
from listener import Listener, ovf, seconds

FOLDER = tempfile.TemporaryDirectory()
DURATION = 12.0
LOOPS = 2


def path(*parts):
    return os.path.join(FOLDER.name, *parts)


def generate_test_description():
    ovf("simulate", "--out", path("simulated"), "--seconds", str(DURATION))
    with open(path("simulated", "landmarks.yaml"), "a") as file:
        file.write("    initial: {course_distance: 2.0}\n")
    repository = os.environ["OVF_REPOSITORY"]
    arguments = {"use_sim_time": "true", "params_file": os.path.join(repository, "config", "planar_all_sensors.yaml"),
                 "landmarks_file": path("simulated", "landmarks.yaml")}
    estimator = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(os.path.join(repository, "launch", "estimator.launch.py")),
        launch_arguments=arguments.items())
    play = ExecuteProcess(cmd=["ros2", "bag", "play", path("simulated", "recording"), "--loop", "--clock", "100", "--delay",
                               "3", "--disable-keyboard-controls"], name="play")
    return LaunchDescription([estimator, play, ReadyToTest()])


class Loop(unittest.TestCase):

    def test_starts_anew(self, proc_output):
        heard = Listener()
        received = heard.received

        def loops():
            return sum("clock set back" in event for status in received["status"] for event in status.events)
        self.assertTrue(heard.wait(lambda: loops() >= LOOPS, 120.0), received["status"][-1:])
        heard.spin(4.0)
        stamps = [seconds(p.header.stamp) for p in received["odometry"]]
        jumps = [i for i in range(1, len(stamps)) if stamps[i] < stamps[i - 1] - 1.0]
        self.assertGreaterEqual(len(jumps), LOOPS)
        # After each of them as uncertain as at first, not as at the end of the loop before.
        for i in jumps:
            before, after = (received["odometry"][j].pose.covariance[0] for j in (i - 1, i))
            self.assertGreater(after, before)
        self.assertTrue(heard.finite())
        # Within a loop each transform is newer than the last one.
        edges = [seconds(t.header.stamp) for message in received["/tf"] for t in message.transforms]
        falls = [i for i in range(1, len(edges)) if edges[i] <= edges[i - 1]]
        self.assertLessEqual(len(falls), len(jumps) + 1)
        heard.close()


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):

    def test_told_of_it(self, proc_output):
        text = "".join(output.text.decode() for output in proc_output)
        self.assertIn("clock set back", text)

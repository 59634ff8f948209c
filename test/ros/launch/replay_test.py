"""replay.launch.py plays a recording at its own pace, and what it records agrees with `ovf replay`."""

import csv
import math
import os
import subprocess
import tempfile
import unittest

from listener import ovf

FOLDER = tempfile.TemporaryDirectory()
CONFIG = os.path.join(os.environ["OVF_REPOSITORY"], "config")
DURATION = 15.0
# Topics come one by one, so that their messages cross each other on the way. Those that come late are put in their place
# (stream.late), but what was learned from the others meanwhile is not the same to the last digit.
TOLERANCE = 0.01  # metres, and radians


def path(*parts):
    return os.path.join(FOLDER.name, *parts)


def offline_track():
    with open(path("offline", "trajectory.csv")) as file:
        return {int(row["stamp"]): row for row in csv.DictReader(file)}


class Replay(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        ovf("simulate", "--out", path("simulated"), "--seconds", str(DURATION))
        with open(path("simulated", "landmarks.yaml"), "a") as file:
            file.write("    initial: {course_distance: 2.0}\n")
        configs = [os.path.join(CONFIG, "planar_all_sensors.yaml"), path("simulated", "landmarks.yaml")]
        ovf("replay", path("simulated", "recording"), "--config", *configs, "--out", path("offline"))
        file = os.path.join(os.environ["OVF_REPOSITORY"], "launch", "replay.launch.py")
        # It ends by itself, with the recording.
        subprocess.run(["ros2", "launch", file, f"bag:={path('simulated', 'recording')}", f"params_file:={configs[0]}",
                        f"landmarks_file:={configs[1]}", f"out:={path('live')}"], check=True, timeout=200)

    def test_agrees_with_the_replay_without_ros(self):
        import rosbag2_py
        from nav_msgs.msg import Odometry
        from rclpy.serialization import deserialize_message
        reader = rosbag2_py.SequentialReader()
        reader.open(rosbag2_py.StorageOptions(uri=path("live"), storage_id="mcap"), rosbag2_py.ConverterOptions("", ""))
        live = {}
        while reader.has_next():
            topic, data, _ = reader.read_next()
            if topic == "/ovf/odometry":
                message = deserialize_message(data, Odometry)
                stamp = message.header.stamp.sec * 1000000000 + message.header.stamp.nanosec
                live[stamp] = message.pose.pose
        offline = offline_track()
        common = sorted(set(live) & set(offline))
        self.assertGreater(len(common), 0.95 * len(offline))
        last = [stamp for stamp in common if stamp > common[-1] - 5e9]
        self.assertGreater(len(last), 100)
        for stamp in last:
            row, pose = offline[stamp], live[stamp]
            apart = math.hypot(float(row["x"]) - pose.position.x, float(row["y"]) - pose.position.y)
            self.assertLess(apart, TOLERANCE, stamp)

    def test_is_read_by_evaluate(self):
        ovf("evaluate", "live", folder=FOLDER.name)
        self.assertTrue(os.path.exists(path("results", "latest", "report.html")))


if __name__ == "__main__":
    unittest.main()

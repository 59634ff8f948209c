"""A node that listens to an estimator, for launch tests."""

import math
import os
import subprocess
import time
from collections import defaultdict

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from nav_msgs.msg import Odometry, Path
from ovf_msgs.msg import CameraStatus, FilterStatus, Novelty, Posterior, Rollout
from sensor_msgs.msg import Image
from tf2_msgs.msg import TFMessage


def ovf(*arguments, folder=None):
    """Runs the ovf command."""
    return subprocess.run([os.environ["OVF_COMMAND"], *arguments], cwd=folder, check=True, capture_output=True, text=True)


def seconds(stamp):
    return stamp.sec + 1e-9 * stamp.nanosec


ESTIMATOR_TOPICS = {"posterior": Posterior, "odometry": Odometry, "rollout": Rollout, "rollout_path": Path,
                    "status": FilterStatus}
CAMERA_TOPICS = {"posterior": Posterior, "reconstruction": Image, "predicted_image": Image, "prediction": Image,
                 "novelty": Novelty, "status": CameraStatus}


class Listener:
    """Keeps all that comes. Topics are those of one node."""

    def __init__(self, name="ovf", namespace="", topics=ESTIMATOR_TOPICS):
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = rclpy.create_node("listener", namespace=namespace, context=self.context)
        self.executor = rclpy.executors.SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.received = defaultdict(list)
        for topic, kind in topics.items():
            self.listen(kind, f"{name}/{topic}", topic)
        self.listen(Odometry, "ground_truth")
        self.listen(TFMessage, "/tf")
        self.levels = {}
        self.node.create_subscription(DiagnosticArray, "/diagnostics", self._diagnose, 100)

    def listen(self, kind, topic, key=None):
        messages = self.received[key or topic]
        self.node.create_subscription(kind, topic, messages.append, 1000)

    def _diagnose(self, array):
        for status in array.status:
            self.levels[status.name] = (int.from_bytes(status.level, "little"), status.message)

    def close(self):
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def spin(self, duration):
        end = time.monotonic() + duration
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.05)

    def wait(self, is_so, longest=60.0):
        """Spins until it is so; false: it never was."""
        end = time.monotonic() + longest
        while not is_so():
            if time.monotonic() > end:
                return False
            self.executor.spin_once(timeout_sec=0.05)
        return True

    def clear(self):
        for messages in self.received.values():
            messages.clear()

    def call(self, kind, name, request, longest=30.0):
        client = self.node.create_client(kind, name)
        assert client.wait_for_service(longest), name
        future = client.call_async(request)
        assert self.wait(future.done, longest), name
        return future.result()

    def errors(self):
        """Distance to the true place and normalised error squared (2 numbers), for each estimate that has a truth at its
        time."""
        truths = {(t.header.stamp.sec, t.header.stamp.nanosec): t.pose.pose.position for t in self.received["ground_truth"]}
        found = []
        for estimate in self.received["odometry"]:
            truth = truths.get((estimate.header.stamp.sec, estimate.header.stamp.nanosec))
            if truth is None:
                continue
            at = estimate.pose.pose.position
            dx, dy = at.x - truth.x, at.y - truth.y
            c = estimate.pose.covariance
            xx, xy, yy = c[0], c[1], c[7]
            nees = (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / (xx * yy - xy * xy)
            found.append((math.hypot(dx, dy), nees))
        return found

    def finite(self):
        """Whether all numbers of all posteriors are numbers."""
        return all(math.isfinite(x) for posterior in self.received["posterior"]
                   for numbers in (posterior.state.mean, posterior.state.covariance) for x in numbers)

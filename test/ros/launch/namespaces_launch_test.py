"""Two robots in two namespaces, each with its estimator in one container: neither disturbs the other."""

import os
import tempfile
import unittest

import launch_testing
from launch import LaunchDescription
from launch_ros.actions import ComposableNodeContainer, Node
from launch_ros.descriptions import ComposableNode
from launch_testing.actions import ReadyToTest
from listener import Listener, ovf
from ovf_msgs.srv import Reset

FOLDER = tempfile.TemporaryDirectory()
ROBOTS = {"one": 1, "two": 2}  # seeds: each has landmarks of its own


def estimator(name):
    simulated = os.path.join(FOLDER.name, name)
    ovf("simulate", "--seed", str(ROBOTS[name]), "--seconds", "1", "--out", simulated)
    files = [os.path.join(os.environ["OVF_REPOSITORY"], "config", "planar_all_sensors.yaml"),
             os.path.join(simulated, "landmarks.yaml")]
    own = {"autostart": True, "output.world_frame": f"{name}/map", "output.body_frame": f"{name}/base_link"}
    return ComposableNode(package="ovf_ros", plugin="ovf_ros::EstimatorNode", name="ovf", namespace=name,
                          parameters=[*files, own])


def generate_test_description():
    robots = [Node(package="ovf_ros", executable="simulator_node", name="simulator", namespace=name,
                   parameters=[{"autostart": True, "seed": seed}]) for name, seed in ROBOTS.items()]
    container = ComposableNodeContainer(
        package="rclcpp_components", executable="component_container_mt", name="container", namespace="",
        composable_node_descriptions=[estimator("one"), estimator("two")], output="screen")
    return LaunchDescription([*robots, container, ReadyToTest()])


class TwoRobots(unittest.TestCase):

    def test_are_apart(self):
        one, two = Listener(namespace="one"), Listener(namespace="two")
        for heard in (one, two):
            self.assertTrue(heard.wait(lambda: len(heard.received["odometry"]) > 400))

        def edges():
            return {(t.header.frame_id, t.child_frame_id) for message in one.received["/tf"] for t in message.transforms}

        one.wait(lambda: len(edges()) > 1)
        one.spin(1.0)
        self.assertEqual(edges(), {("one/map", "one/base_link"), ("two/map", "two/base_link")})
        for heard, name in ((one, "one"), (two, "two")):
            self.assertEqual({o.header.frame_id for o in heard.received["odometry"]}, {f"{name}/map"})
            errors = heard.errors()
            self.assertGreater(len(errors), 50)
            # Against the other one's truth it would be metres.
            self.assertLess(sum(distance for distance, _ in errors) / len(errors), 0.8)
            self.assertTrue(heard.finite())
        # One of them is asked to forget; the other one is not.
        one.wait(lambda: one.received["status"])
        two.clear()
        self.assertTrue(one.call(Reset, "ovf/reset", Reset.Request()).success)
        self.assertTrue(two.wait(lambda: len(two.received["status"]) > 2))
        self.assertFalse([event for status in two.received["status"] for event in status.events if "reset" in event])
        self.assertTrue(all(status.initialised for status in two.received["status"]))
        one.close()
        two.close()


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)

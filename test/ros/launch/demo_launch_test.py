"""demo.launch.py without a screen: within 20 s everything runs, and the estimates are as good as they say."""

import os
import time
import unittest

import launch_testing
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest
from lifecycle_msgs.msg import State
from lifecycle_msgs.srv import GetState
from listener import Listener, seconds

LONGEST_START = 20.0


def generate_test_description():
    file = os.path.join(os.environ["OVF_REPOSITORY"], "launch", "demo.launch.py")
    demo = IncludeLaunchDescription(PythonLaunchDescriptionSource(file), launch_arguments={"rviz": "false"}.items())
    return LaunchDescription([demo, ReadyToTest()])


class Demo(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.begun = time.monotonic()
        cls.listener = Listener()

    @classmethod
    def tearDownClass(cls):
        cls.listener.close()

    def test_runs(self, proc_output):
        heard = self.listener
        received = heard.received
        everything = ("posterior", "odometry", "rollout", "rollout_path", "status", "/tf", "ground_truth")
        self.assertTrue(heard.wait(lambda: all(received[topic] for topic in everything), LONGEST_START),
                        {topic: len(messages) for topic, messages in received.items()})
        self.assertLess(time.monotonic() - self.begun, LONGEST_START)
        state = heard.call(GetState, "ovf/get_state", GetState.Request())
        self.assertEqual(state.current_state.id, State.PRIMARY_STATE_ACTIVE)

        # Rates, by the time of the data: a machine that is busy is late, not wrong.
        heard.clear()
        heard.spin(15.0)
        stamps = [seconds(p.header.stamp) for p in received["posterior"]]
        span = stamps[-1] - stamps[0]
        self.assertGreater(span, 10.0)
        # Odometry 25 Hz, ranges 50 Hz, IMU, fixes and landmarks: well above 80 messages a second.
        self.assertGreater(len(stamps) / span, 80.0)
        rollouts = [seconds(r.header.stamp) for r in received["rollout"]]
        self.assertAlmostEqual((len(rollouts) - 1) / (rollouts[-1] - rollouts[0]), 1.0, delta=0.2)
        self.assertEqual(len(received["rollout_path"]), len(rollouts))

        # One edge, never twice for a stamp, connected to what the simulated robot carries.
        edges = [t for message in received["/tf"] for t in message.transforms]
        self.assertEqual({(t.header.frame_id, t.child_frame_id) for t in edges}, {("map", "base_link")})
        tf_stamps = [seconds(t.header.stamp) for t in edges]
        self.assertEqual(tf_stamps, sorted(set(tf_stamps)))
        from tf2_ros import Buffer, TransformListener
        buffer = Buffer()
        TransformListener(buffer, heard.node)
        self.assertTrue(heard.wait(lambda: buffer.can_transform("map", "gnss", heard.node.get_clock().now().__class__())))

        self.assertTrue(heard.finite())
        errors = heard.errors()
        self.assertGreater(len(errors), 50)
        # Two numbers: a normalised error squared of 2 on average. They err alike for a while, so that a few seconds may be
        # anywhere in between; what is far outside is wrong.
        self.assertLess(sum(nees for _, nees in errors) / len(errors), 9.0)
        self.assertLess(sum(distance for distance, _ in errors) / len(errors), 0.6)

        # What speaks against the model may be told of: the robot is not quite what its configuration says.
        def all_fine():
            mine = {name: level for name, (level, _) in heard.levels.items() if name.startswith("ovf: ")}
            return len(mine) >= 8 and not any(level for name, level in mine.items() if name != "ovf: model")
        self.assertTrue(heard.wait(all_fine, 30.0), heard.levels)


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)

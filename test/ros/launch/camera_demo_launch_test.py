"""camera_demo.launch.py without a screen, with a model that is trained here: pictures are used, and others foretold."""

import os
import subprocess
import tempfile
import unittest

import launch_testing
from ament_index_python.packages import get_package_prefix
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_testing.actions import ReadyToTest
from lifecycle_msgs.msg import State
from lifecycle_msgs.srv import GetState
from listener import CAMERA_TOPICS, Listener, ovf, seconds
from ovf_msgs.srv import SaveModel

FOLDER = tempfile.TemporaryDirectory()
MODEL = os.path.join(FOLDER.name, "model")
CHECKPOINT = os.path.join(FOLDER.name, "camera.ovf")


def generate_test_description():
    pictures = os.path.join(FOLDER.name, "pictures")
    ovf("simulate", "maze", "--unordered", "200", "--size", "16", "--out", pictures)
    ovf("train-vae", pictures, "--out", MODEL, "--size", "16", "--latent", "8", "--epochs", "3", "--threads", "1")
    file = os.path.join(os.environ["OVF_REPOSITORY"], "launch", "camera_demo.launch.py")
    arguments = {"model": MODEL, "checkpoint": CHECKPOINT, "namespace": "robot", "rviz": "false"}
    demo = IncludeLaunchDescription(PythonLaunchDescriptionSource(file), launch_arguments=arguments.items())
    return LaunchDescription([demo, ReadyToTest()])


class CameraDemo(unittest.TestCase):

    def test_runs(self, proc_output):
        heard = Listener("ovf_camera", "robot", CAMERA_TOPICS)
        received = heard.received
        everything = (*CAMERA_TOPICS, "ground_truth")
        self.assertTrue(heard.wait(lambda: all(received[topic] for topic in everything), 60.0),
                        {topic: len(messages) for topic, messages in received.items()})
        state = heard.call(GetState, "ovf_camera/get_state", GetState.Request())
        self.assertEqual(state.current_state.id, State.PRIMARY_STATE_ACTIVE)

        # Rates, by the time of the data: a machine that is busy is late, not wrong.
        heard.clear()
        heard.spin(15.0)
        stamps = [seconds(p.header.stamp) for p in received["posterior"]]
        span = stamps[-1] - stamps[0]
        self.assertGreater(span, 8.0)
        self.assertGreater((len(stamps) - 1) / span, 5.0)
        predictions = [seconds(p.header.stamp) for p in received["prediction"]]
        self.assertAlmostEqual((predictions[-1] - predictions[0]) / (len(predictions) - 1), 0.5, delta=0.2)
        self.assertEqual(received["reconstruction"][-1].width, 4 * 16)
        self.assertGreaterEqual(received["prediction"][-1].width, 10 * 4 * 16)
        self.assertTrue(heard.finite())
        status = received["status"][-1]
        self.assertEqual(status.bad_image + status.numerical_failure, 0)
        self.assertTrue(status.learning)
        self.assertTrue(heard.call(SaveModel, "ovf_camera/save_model", SaveModel.Request()).success)
        self.assertTrue(os.path.exists(CHECKPOINT))

        def all_fine():
            mine = {name: level for name, (level, _) in heard.levels.items() if name.startswith("ovf_camera: ")}
            return len(mine) >= 4 and not any(mine.values())
        self.assertTrue(heard.wait(all_fine, 30.0), heard.levels)
        print(f"{(len(stamps) - 1) / span:.1f} pictures a second, {status.dropped} dropped, "
              f"latency {1e-3 * status.latency_p50:.1f} ms (p50), {1e-3 * status.latency_p99:.1f} ms (p99)")
        heard.close()

    def test_other_nodes_do_without_libtorch(self, proc_output):
        library = os.path.join(get_package_prefix("ovf_ros"), "lib", "libovf_ros_nodes.so")
        needed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
        self.assertNotIn("libtorch", needed)


@launch_testing.post_shutdown_test()
class AfterShutdown(unittest.TestCase):

    def test_exit_codes(self, proc_info):
        launch_testing.asserts.assertExitCodes(proc_info)

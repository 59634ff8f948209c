#!/usr/bin/env bash
# Builds ovf_msgs and ovf_ros with colcon against the installed ROS 2, and with `test` runs their tests. Where there is no
# ROS 2 it says so, and that is no failure. ovf_core comes from the release build.
#
#   scripts/ros_workspace.sh build|test
set -euo pipefail
cd "$(dirname "$0")/.."

setup=$(ls /opt/ros/*/setup.bash 2>/dev/null | tail -n 1 || true)
if [[ -z "$setup" ]]; then
  echo "ros: no ROS 2 in /opt/ros, so the nodes are left out (install ROS 2 Jazzy: docs.ros.org)"
  exit 0
fi
if ! command -v colcon >/dev/null; then
  echo "ros: $setup is there but not colcon, so the nodes are left out (apt-get install python3-colcon-common-extensions)"
  exit 0
fi
# ROS 2 was built with the system's Python, whatever else comes first.
export PATH=/usr/bin:/bin:$PATH
set +u
source "$setup"
set -u
# Tests talk to nobody else.
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST ROS_DOMAIN_ID=$((100 + RANDOM % 100))
[[ "$ROS_DISTRO" != humble ]] || export ROS_LOCALHOST_ONLY=1

workspace=build/ros
# Where this repository lies in a workspace, colcon is to look for packages elsewhere.
mkdir -p build && touch build/COLCON_IGNORE
cmake --install build/release --prefix "$workspace/core" >/dev/null
export CMAKE_PREFIX_PATH=$PWD/$workspace/core:${CMAKE_PREFIX_PATH:-}
colcon=(colcon --log-base "$workspace/log")
common=(--base-paths ovf_msgs ovf_ros --build-base "$workspace/build" --install-base "$workspace/install"
  --packages-select ovf_msgs ovf_ros)
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
testing=OFF
[[ "${1:-build}" != test ]] || testing=ON
"${colcon[@]}" build "${common[@]}" --event-handlers console_direct- --cmake-args -DCMAKE_BUILD_TYPE=Release \
  -DPython3_EXECUTABLE=/usr/bin/python3 -DBUILD_TESTING=$testing -DOVF_WARNINGS_AS_ERRORS="${WERROR:-OFF}" \
  --no-warn-unused-cli "${launcher[@]}" || {
  echo "ros: the nodes were not built. If a package was not found: rosdep install --from-paths ovf_msgs ovf_ros --ignore-src"
  exit 1
}
if [[ "$testing" == OFF ]]; then
  echo "ros: built. To see it:  source $setup && source $workspace/install/setup.bash && ros2 launch ovf_ros demo.launch.py"
  exit 0
fi
"${colcon[@]}" test "${common[@]}" --event-handlers console_direct- --return-code-on-test-failure ||
  { "${colcon[@]}" test-result --test-result-base "$workspace/build" --verbose; exit 1; }
"${colcon[@]}" test-result --test-result-base "$workspace/build"

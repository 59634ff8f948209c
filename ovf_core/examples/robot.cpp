// A robot from its sensors: odometry and ranges to beacons in; pose, calibration, prediction out.
//
//   robot config/planar_beacons.yaml
#include <cmath>
#include <iostream>
#include <ovf/estimator/estimator.hpp>
#include <ovf/math/random.hpp>

int main(int, char** arguments) {
  ovf::EstimatorConfig config = ovf::load_estimator_config(arguments[1]);
  config.landmark_ids = {1, 2, 3};
  config.landmark_x = {0.0, 10.0, 5.0};
  config.landmark_y = {0.0, 0.0, 8.0};
  ovf::Estimator estimator(config);
  // x, y, yaw, velocity, yaw rate, and their variances.
  const Eigen::VectorXd start{{5.0, 2.0, 0.0, 1.0, 0.4}};
  const Eigen::VectorXd variances{{0.04, 0.04, 0.01, 0.1, 0.1}};
  estimator.initialise(0, start, variances.asDiagonal());

  // It drives circles; its wheels turn 3 % more than it moves, ranges are 20 cm too long.
  ovf::RandomStream random(1);
  Eigen::Vector3d pose(5.0, 2.0, 0.0);
  for (int step = 1; step <= 1200; ++step) {
    const ovf::Stamp stamp = step * 100'000'000LL;  // nanoseconds
    pose += 0.1 * Eigen::Vector3d(std::cos(pose[2]), std::sin(pose[2]), 0.4);
    estimator.process(ovf::Control{stamp, Eigen::Vector2d(1.03, 0.4)});
    const std::size_t beacon = step % 3;
    const double range =
        std::hypot(pose[0] - config.landmark_x[beacon], pose[1] - config.landmark_y[beacon]);
    const double measured = range + 0.2 + 0.1 * random.normal();
    const auto& result =
        estimator.process(ovf::Measurement{.stamp = stamp,
                                           .sensor = "uwb",
                                           .y = Eigen::VectorXd::Constant(1, measured),
                                           .target = config.landmark_ids[beacon]});
    if (!result.used()) std::cerr << result.reason << "\n";
  }

  const ovf::Gaussian& belief = estimator.belief();
  std::cout << "pose " << belief.mean.head<3>().transpose() << ", true " << pose.transpose()
            << "\n";
  for (const ovf::ParameterEstimate& learned : estimator.parameters()) {
    std::cout << learned.name << " " << learned.value << " ± " << learned.deviation << " ("
              << to_string(learned.status) << ")\n";
  }
  const ovf::Rollout ahead = estimator.rollout({.horizon = 2.0, .step = 0.5});
  std::cout << "in " << ahead.times.back() << " s at "
            << ahead.means.rightCols(1).topRows(2).transpose() << "\n";
}

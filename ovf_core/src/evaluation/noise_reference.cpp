#include "ovf/evaluation/noise_reference.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "ovf/estimator/robot_model.hpp"
#include "ovf/math/gaussian.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {
namespace {

constexpr int kMaxIterations = 1000;
constexpr double kTolerance = 1e-10;
// Width of the interval of log nu at which the search ends.
constexpr double kNuTolerance = 1e-6;

// Squared residuals of a sensor (a column for each message), and its noise for one nu.
class NoiseLikelihood {
 public:
  NoiseLikelihood(const Eigen::MatrixXd& residuals, const SensorNoise& noise)
      : squares_(residuals.cwiseAbs2()), floors_(Eigen::ArrayXd::Zero(residuals.rows())) {
    if (noise.floors.size() > 0) floors_ = noise.floors.array().square();
    if (!noise.learn_scales) fixed_ = floors_ + noise.scales.array().square();
    variances_ = squares_.rowwise().mean().array().max(floors_);
  }

  // Log-likelihood at the best variances for this nu, which are kept for the next call.
  double maximise(double nu) {
    if (fixed_.size() > 0) {
      variances_ = fixed_;
      return log_likelihood(nu);
    }
    // Expectation-maximisation; in closed form, and after one iteration, for a Gaussian. Between
    // the floor and its best value the expected log-likelihood rises with the variance, so a best
    // value below the floor means the floor.
    for (int i = 0; i < kMaxIterations; ++i) {
      const Eigen::ArrayXd last = variances_;
      const Eigen::VectorXd tau = precisions(nu);
      variances_ = (squares_ * tau / static_cast<double>(squares_.cols())).array().max(floors_);
      if (((variances_ / last) - 1.0).abs().maxCoeff() < kTolerance) break;
    }
    return log_likelihood(nu);
  }

  Eigen::VectorXd scales() const { return (variances_ - floors_).max(0.0).sqrt(); }

 private:
  // Squared norms of the whitened residuals.
  Eigen::VectorXd norms() const { return squares_.transpose() * variances_.inverse().matrix(); }

  // E[tau] of each message.
  Eigen::VectorXd precisions(double nu) const {
    if (nu == 0.0) return Eigen::VectorXd::Ones(squares_.cols());
    const auto k = static_cast<double>(squares_.rows());
    return (nu + k) / (nu + norms().array());
  }

  double log_likelihood(double nu) const {
    const auto k = static_cast<double>(squares_.rows());
    const auto count = static_cast<double>(squares_.cols());
    const double log_determinant = 0.5 * variances_.log().sum();
    if (nu == 0.0) return -count * (0.5 * k * kLogTwoPi + log_determinant) - 0.5 * norms().sum();
    const double constant = std::lgamma(0.5 * (nu + k)) - std::lgamma(0.5 * nu) -
                            0.5 * k * std::log(nu * std::numbers::pi) - log_determinant;
    return count * constant - 0.5 * (nu + k) * (norms().array() / nu).log1p().sum();
  }

  Eigen::MatrixXd squares_;
  Eigen::ArrayXd floors_;  // squared
  Eigen::ArrayXd fixed_;   // variances that are not learned; empty: they are
  Eigen::ArrayXd variances_;
};

// Golden-section search over log nu: the profile likelihood has one maximum.
double best_nu(NoiseLikelihood& likelihood, double lowest, double highest) {
  const double share = 1.0 / std::numbers::phi;
  double a = std::log(lowest);
  double b = std::log(highest);
  const auto value = [&](double log_nu) { return likelihood.maximise(std::exp(log_nu)); };
  double left = b - share * (b - a);
  double right = a + share * (b - a);
  double at_left = value(left);
  double at_right = value(right);
  while (b - a > kNuTolerance) {
    if (at_left < at_right) {
      a = left;
      left = right;
      at_left = at_right;
      right = a + share * (b - a);
      at_right = value(right);
    } else {
      b = right;
      right = left;
      at_right = at_left;
      left = b - share * (b - a);
      at_left = value(left);
    }
  }
  return std::exp(0.5 * (a + b));
}

Eigen::MatrixXd residuals_of(const RobotLog& log, const std::string& sensor) {
  std::vector<Eigen::VectorXd> found;
  for (std::size_t i = 0; i < log.messages.size(); ++i) {
    const auto* measurement = std::get_if<Measurement>(&log.messages[i]);
    if (measurement == nullptr || measurement->sensor != sensor) continue;
    found.emplace_back(measurement->y - log.noise_free[i]);
  }
  if (found.empty()) return {};
  Eigen::MatrixXd residuals(found.front().size(), static_cast<Eigen::Index>(found.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    residuals.col(static_cast<Eigen::Index>(i)) = found[i];
  }
  return residuals;
}

Eigen::VectorXd expanded(const std::vector<double>& values, Eigen::Index dim) {
  if (values.empty()) return Eigen::VectorXd::Zero(dim);
  if (values.size() == 1) return Eigen::VectorXd::Constant(dim, values.front());
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

NoiseFit fit_noise(const Eigen::MatrixXd& residuals, const SensorNoise& noise, double lowest_nu,
                   double highest_nu) {
  if (residuals.cols() == 0 || residuals.rows() != noise.scales.size()) {
    throw std::invalid_argument(
        fmt::format("noise fit: {} residuals of {} dimensions; expected "
                    "one or more of {}",
                    residuals.cols(), residuals.rows(), noise.scales.size()));
  }
  NoiseLikelihood likelihood(residuals, noise);
  NoiseFit fit{.nu = noise.nu};
  if (noise.learn_nu) fit.nu = best_nu(likelihood, lowest_nu, highest_nu);
  fit.log_likelihood = likelihood.maximise(fit.nu);
  fit.scales = noise.learn_scales ? likelihood.scales() : noise.scales;
  return fit;
}

std::vector<std::pair<std::string, double>> noise_references(const RobotLog& log,
                                                             const EstimatorConfig& config) {
  if (log.noise_free.size() != log.messages.size()) {
    throw std::invalid_argument("noise references: expected a simulated log, with noise_free");
  }
  const RobotModel robot = make_robot_model(config);
  const auto& suite = static_cast<const SensorSuite&>(robot.state_space.observation());
  std::vector<std::pair<std::string, double>> references;
  for (int i = 0; i < suite.count(); ++i) {
    const SensorConfig& sensor = config.sensors[static_cast<std::size_t>(i)];
    const Eigen::MatrixXd residuals = residuals_of(log, sensor.name);
    if (residuals.cols() == 0) continue;
    const SensorNoise noise{.scales = expanded(sensor.noise, residuals.rows()),
                            .floors = expanded(sensor.noise_floor, residuals.rows()),
                            .learn_scales = sensor.learn_noise,
                            .nu = sensor.nu,
                            .learn_nu = sensor.learn_nu};
    // The sensor's own parameters are its scales, then nu.
    const ParameterVector& learned = suite.sensor(i).parameters();
    if (learned.size() == 0) continue;
    const ParameterInfo& last = learned.info(learned.size() - 1);
    const NoiseFit fit = fit_noise(residuals, noise, last.lower, last.upper);
    for (int j = 0; j < learned.size(); ++j) {
      const bool is_scale = noise.learn_scales && j < fit.scales.size();
      references.emplace_back(learned.info(j).name,
                              is_scale ? std::hypot(fit.scales[j], noise.floors[j]) : fit.nu);
    }
  }
  return references;
}

}  // namespace ovf

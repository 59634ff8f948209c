#include "ovf/regression/kernel_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "ovf/regression/median_distance.hpp"
#include "regression/require.hpp"

namespace ovf {
namespace {

// Beyond these the squares of data and bandwidth would leave the range of a double.
constexpr double kLargest = 1e100;
constexpr double kSmallestBandwidth = 1e-100;

void require_representable(const Eigen::MatrixXd& values, const char* what) {
  require(values.cwiseAbs().maxCoeff() <= kLargest, what, values.cwiseAbs().maxCoeff(),
          "magnitudes up to 1e100");
}

// The pivots of K + ridge I are at least the ridge, and their rounding errors add up like a random
// walk over the columns. The ratio is the order of the relative error of a prediction: allow 1 %.
bool float_suffices(double diagonal_ridge, Eigen::Index points) {
  const double rounding = static_cast<double>(std::numeric_limits<float>::epsilon()) *
                          std::sqrt(static_cast<double>(points)) * (1.0 + diagonal_ridge);
  return rounding <= 0.01 * diagonal_ridge;
}

// |x|^2 + |y|^2 - 2 x'y, see KernelSystem::set_points.
Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& points, const Eigen::MatrixXd& inputs,
                                  const Eigen::VectorXd& centre) {
  const Eigen::MatrixXd x = points.colwise() - centre;
  const Eigen::MatrixXd y = inputs.colwise() - centre;
  Eigen::MatrixXd distances = -2.0 * x.transpose() * y;
  distances.colwise() += x.colwise().squaredNorm().transpose();
  distances.rowwise() += y.colwise().squaredNorm();
  return distances.cwiseMax(0.0);
}

}  // namespace

KernelRidge::KernelRidge(const KernelRidgeConfig& config) : config_(config) {
  require(std::isfinite(config.ridge) && config.ridge > 0.0, "kernel_ridge.ridge", config.ridge,
          "a positive number");
  require(std::isfinite(config.bandwidth) && config.bandwidth >= 0.0, "kernel_ridge.bandwidth",
          config.bandwidth, "a positive number, or 0 for the median pairwise distance");
  require(std::isfinite(config.tune_learning_rate) && config.tune_learning_rate > 0.0,
          "kernel_ridge.tune_learning_rate", config.tune_learning_rate, "a positive number");
}

void KernelRidge::fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  check_samples(inputs, targets);
  require_representable(inputs, "kernel_ridge largest input");
  require_representable(targets, "kernel_ridge largest target");
  inputs_ = inputs;
  input_mean_ = inputs.rowwise().mean();
  target_mean_ = Eigen::VectorXd::Zero(targets.rows());
  if (config_.centre_targets) target_mean_ = targets.rowwise().mean();
  targets_ = targets.colwise() - target_mean_;
  if (bandwidth_ == 0.0) {
    bandwidth_ = config_.bandwidth > 0.0 ? config_.bandwidth : median_pairwise_distance(inputs);
    bandwidth_ = std::clamp(bandwidth_, kSmallestBandwidth, kLargest);
  }
  adam_ = Adam(1);
  single_.has_points = false;
  double_.has_points = false;
  solve();
}

void KernelRidge::solve() {
  solved_bandwidth_ = bandwidth_;
  const double points = config_.ridge_times_points ? static_cast<double>(inputs_.cols()) : 1.0;
  diagonal_ridge_ = config_.ridge * points;
  const bool single = config_.single_precision && float_suffices(diagonal_ridge_, inputs_.cols());
  in_double_ = !(single && try_solve(single_));
  if (!in_double_) return;
  // Ends at the latest when the ridge dominates the rows of K, whose entries are at most 1.
  while (!try_solve(double_)) diagonal_ridge_ *= 10.0;
}

template <typename Scalar>
bool KernelRidge::try_solve(Solution<Scalar>& solution) {
  if (!solution.has_points) solution.system.set_points(inputs_);
  solution.has_points = true;
  if (!solution.system.factorise(config_.kernel, bandwidth_, diagonal_ridge_)) return false;
  typename KernelSystem<Scalar>::Matrix weights = targets_.transpose().template cast<Scalar>();
  solution.system.solve_in_place(weights);
  if (!weights.allFinite()) return false;
  solution.weights = weights.transpose();
  solution.expansion.set(config_.kernel, bandwidth_, input_mean_, inputs_, solution.weights,
                         target_mean_);
  return true;
}

void KernelRidge::tune(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  if (inputs_.size() > 0 && bandwidth_ != solved_bandwidth_) solve();
  const Eigen::VectorXd slope = Eigen::VectorXd::Constant(1, tuning_gradient(inputs, targets));
  if (!slope.allFinite()) return;
  Eigen::VectorXd log_bandwidth = Eigen::VectorXd::Constant(1, std::log(bandwidth_));
  adam_.step(slope, config_.tune_learning_rate, log_bandwidth);
  bandwidth_ = std::clamp(std::exp(log_bandwidth[0]), kSmallestBandwidth, kLargest);
}

double KernelRidge::tuning_gradient(const Eigen::MatrixXd& inputs,
                                    const Eigen::MatrixXd& targets) const {
  if (inputs_.size() == 0) throw std::logic_error("KernelRidge: tuned before the first fit");
  check_samples(inputs, targets);
  require(inputs.rows() == inputs_.rows(), "kernel_ridge validation input rows", inputs.rows(),
          std::to_string(inputs_.rows()));
  require(targets.rows() <= targets_.rows(), "kernel_ridge validation target rows", targets.rows(),
          "at most " + std::to_string(targets_.rows()));
  return in_double_ ? gradient(double_, inputs, targets) : gradient(single_, inputs, targets);
}

// With A = K + ridge I, weights W = R A^-1 and f = W k*:  df = W dk* - W dK A^-1 k*.
template <typename Scalar>
double KernelRidge::gradient(const Solution<Scalar>& solution, const Eigen::MatrixXd& inputs,
                             const Eigen::MatrixXd& targets) const {
  using Matrix = typename KernelSystem<Scalar>::Matrix;
  const auto bandwidth = static_cast<Scalar>(solved_bandwidth_);
  const auto as_array = [](Matrix& m) {
    return Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>(m.data(), m.size());
  };
  Matrix cross = squared_distances(inputs_, inputs, input_mean_).template cast<Scalar>();
  Matrix cross_derivative = cross;
  kernel_values<Scalar>(config_.kernel, bandwidth, as_array(cross));
  kernel_log_bandwidth_derivatives<Scalar>(config_.kernel, bandwidth, as_array(cross_derivative));

  const Matrix weights = solution.weights.topRows(targets.rows());
  // d loss / d f
  const Matrix centred =
      (targets.colwise() - target_mean_.head(targets.rows())).template cast<Scalar>();
  const Matrix error =
      (weights * cross - centred) * (Scalar{2} / static_cast<Scalar>(targets.size()));
  const double direct = static_cast<double>((weights * cross_derivative).cwiseProduct(error).sum());

  // trace(error' W dK A^-1 k*), contracted first over whichever of outputs and samples is larger.
  const bool fewer_samples = targets.cols() < targets.rows();
  const Matrix left = fewer_samples ? Matrix(weights.transpose() * error) : weights.transpose();
  Matrix right = fewer_samples ? cross : Matrix(cross * error.transpose());
  solution.system.solve_in_place(right);
  return direct - solution.system.derivative_trace(config_.kernel, solved_bandwidth_, left, right);
}

void KernelRidge::predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const {
  if (in_double_) {
    double_.expansion.evaluate(inputs, outputs);
  } else {
    single_.expansion.evaluate(inputs, outputs);
  }
}

void KernelRidge::continue_from(const Regressor& last) {
  bandwidth_ = dynamic_cast<const KernelRidge&>(last).bandwidth_;
}

std::unique_ptr<Regressor> KernelRidge::clone() const {
  return std::make_unique<KernelRidge>(*this);
}

void KernelRidge::archive(Archive& archive, int inputs, int outputs) {
  archive.number("bandwidth", bandwidth_);
  archive.require(bandwidth_ == 0.0 || (bandwidth_ >= kSmallestBandwidth && bandwidth_ <= kLargest),
                  "bandwidth", "0 or a positive number");
  archive.number("bandwidth of the fit", solved_bandwidth_);
  archive.require_finite("bandwidth of the fit", solved_bandwidth_);
  archive.number("ridge of the fit", diagonal_ridge_);
  archive.require_finite("ridge of the fit", diagonal_ridge_);
  archive.flag("double precision", in_double_);
  if (in_double_) {
    double_.expansion.archive(archive, inputs, outputs);
  } else {
    single_.expansion.archive(archive, inputs, outputs);
  }
  if (!archive.reading()) return;
  inputs_.resize(0, 0);
  targets_.resize(0, 0);
  single_.has_points = double_.has_points = false;
}

}  // namespace ovf

#include "ovf/model/chaotic_rnn.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "ovf/math/gauss_hermite.hpp"

namespace ovf {
namespace {

// Sixteen points miss E[tanh] and E[1 - tanh^2] by 1e-13 and 5e-12 for a spread of 0.3, by 1e-5 and
// 3e-4 for a spread of 1, by 5e-3 and 2e-2 for a spread of 2.
constexpr int kNodes = 16;

const GaussHermite& rule() {
  static const GaussHermite kRule = gauss_hermite(kNodes);
  return kRule;
}

// Eigen's tanh of doubles is not vectorised, its exp is. Accurate to rounding of 1.
template <typename X>
auto fast_tanh(const X& x) {
  return 1.0 - 2.0 / ((2.0 * x).exp() + 1.0);
}

void require_positive(const std::string& name, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw std::invalid_argument(
        fmt::format("chaotic RNN: {} is {}; expected a positive finite number", name, value));
  }
}

}  // namespace

ChaoticRnn::ChaoticRnn(const Spec& spec) : spec_(spec) {
  const Eigen::Index d = spec.W.rows();
  if (d == 0 || spec.W.cols() != d || !spec.W.allFinite()) {
    throw std::invalid_argument(fmt::format(
        "chaotic RNN: W is {}x{}; expected a square matrix of finite numbers", d, spec.W.cols()));
  }
  require_positive("delta", spec.delta);
  require_positive("tau", spec.tau);
  require_positive("gamma", spec.gamma);
  for (Eigen::Index j = 0; j < d && spec.learn_W; ++j) {
    for (Eigen::Index i = 0; i < d; ++i) {
      parameters_.add({.name = fmt::format("W[{},{}]", i, j)}, spec.W(i, j));
    }
  }
  if (spec.learn_gamma) {
    parameters_.add({.name = "gamma", .transform = Transform::kPositive}, spec.gamma);
  }
  if (spec.learn_tau) {
    parameters_.add({.name = "tau", .transform = Transform::kPositive}, spec.tau);
  }
}

ChaoticRnn ChaoticRnn::random(int dim, RandomStream& random) {
  Spec spec;
  spec.W.resize(dim, dim);
  random.fill_normal(spec.W);
  spec.W /= std::sqrt(static_cast<double>(dim));
  return ChaoticRnn(spec);
}

void ChaoticRnn::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  if (spec_.learn_W) spec_.W.reshaped() = values.head(entry_count());
  if (spec_.learn_gamma) spec_.gamma = values[entry_count()];
  if (spec_.learn_tau) spec_.tau = values[values.size() - 1];
}

int ChaoticRnn::only_row(int j) const { return j < entry_count() ? j % input_dim() : -1; }

void ChaoticRnn::values(const StepInput& /*input*/, const Eigen::MatrixXd& x,
                        Eigen::MatrixXd& out) const {
  tanh_ = fast_tanh(x.array());
  out = (1.0 - rate()) * x;
  out.noalias() += (rate() * spec_.gamma) * spec_.W * tanh_.matrix();
}

void ChaoticRnn::jacobian(const StepInput& /*input*/, const Eigen::VectorXd& x,
                          Eigen::MatrixXd& out) const {
  mean_slope_ = (rate() * spec_.gamma) * (1.0 - fast_tanh(x.array()).square());
  out.noalias() = spec_.W * mean_slope_.asDiagonal();
  out.diagonal().array() += 1.0 - rate();
}

void ChaoticRnn::pull_back(const StepInput& /*input*/, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent, Eigen::MatrixXd& out) const {
  out.noalias() = (rate() * spec_.gamma) * spec_.W.transpose() * cotangent;
  out.array() *= 1.0 - fast_tanh(x.array()).square();
  out += (1.0 - rate()) * cotangent;
}

void ChaoticRnn::parameter_pull_back(const StepInput& /*input*/, const Eigen::MatrixXd& x,
                                     const Eigen::MatrixXd& cotangent,
                                     Eigen::Ref<Eigen::MatrixXd> out) const {
  if (parameters_.size() == 0) return;
  const Eigen::Index d = input_dim();
  tanh_ = fast_tanh(x.array());
  for (Eigen::Index j = 0; j < d && spec_.learn_W; ++j) {
    out.middleRows(j * d, d) =
        (rate() * spec_.gamma) * (cotangent.array().rowwise() * tanh_.row(j)).matrix();
  }
  if (!spec_.learn_gamma && !spec_.learn_tau) return;
  const Eigen::MatrixXd recurrent = spec_.W * tanh_.matrix();
  if (spec_.learn_gamma) {
    out.row(entry_count()) = rate() * cotangent.cwiseProduct(recurrent).colwise().sum();
  }
  if (spec_.learn_tau) {
    out.row(out.rows() - 1) =
        (-rate() / spec_.tau) * cotangent.cwiseProduct(spec_.gamma * recurrent - x).colwise().sum();
  }
}

void ChaoticRnn::expect_tanh(const Gaussian& x) const {
  const Eigen::Index d = input_dim();
  mean_slope_.resize(d);
  for (Eigen::Index i = 0; i < d; ++i) {
    mean_slope_[i] = x.factor.is_diagonal() ? x.factor.lower()(i, i)
                                            : x.factor.lower().row(i).head(i + 1).norm();
  }
  tanh_.resize(d, kNodes);
  for (int k = 0; k < kNodes; ++k) {
    tanh_.col(k) = (x.mean + rule().nodes[k] * mean_slope_).array();
  }
  tanh_ = fast_tanh(tanh_);
  mean_tanh_.noalias() = tanh_.matrix() * rule().weights;
  tanh_ = 1.0 - tanh_.square();
  mean_slope_.noalias() = tanh_.matrix() * rule().weights;
}

void ChaoticRnn::expectation(const StepInput& /*input*/, const Gaussian& x, Eigen::VectorXd& value,
                             Eigen::MatrixXd& slope) const {
  expect_tanh(x);
  const double gain = rate() * spec_.gamma;
  value = (1.0 - rate()) * x.mean;
  value.noalias() += gain * spec_.W * mean_tanh_;
  mean_slope_ *= gain;
  slope.noalias() = spec_.W * mean_slope_.asDiagonal();
  slope.diagonal().array() += 1.0 - rate();
}

void ChaoticRnn::parameter_expectation(const StepInput& /*input*/, const Gaussian& x,
                                       Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const {
  const Eigen::Index d = input_dim();
  value.resize(d, parameters_.size());
  slope.resize(d, d * parameters_.size());
  if (parameters_.size() == 0) return;
  expect_tanh(x);
  const double gain = rate() * spec_.gamma;
  for (int k = 0; k < entry_count(); ++k) {
    const Eigen::Index i = k % d;
    const Eigen::Index j = k / d;
    value(i, k) = gain * mean_tanh_[j];
    slope.row(i).segment(k * d, d).setZero();
    slope(i, k * d + j) = gain * mean_slope_[j];
  }
  recurrent_.noalias() = spec_.W * mean_tanh_;
  if (spec_.learn_gamma) {
    const Eigen::Index k = entry_count();
    value.col(k) = rate() * recurrent_;
    mean_slope_ *= rate();
    slope.middleCols(k * d, d).noalias() = spec_.W * mean_slope_.asDiagonal();
    mean_slope_ /= rate();
  }
  if (spec_.learn_tau) {
    const Eigen::Index k = parameters_.size() - 1;
    const double factor = -rate() / spec_.tau;
    value.col(k) = factor * (spec_.gamma * recurrent_ - x.mean);
    mean_slope_ *= factor * spec_.gamma;
    auto by_x = slope.middleCols(k * d, d);
    by_x.noalias() = spec_.W * mean_slope_.asDiagonal();
    by_x.diagonal().array() -= factor;
  }
}

}  // namespace ovf

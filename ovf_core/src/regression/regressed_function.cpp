#include "ovf/regression/regressed_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ovf {

void validate(const RegressionConfig& config, const char* prefix) {
  const auto require = [&](bool ok, const char* key, double value, const char* expected) {
    if (!ok) {
      throw std::invalid_argument(
          fmt::format("{}.{} is {}; expected {}", prefix, key, value, expected));
    }
  };
  require(config.points >= 1, "points", config.points, "at least 1 sample");
  require(config.inflation >= 1.0, "inflation", config.inflation, "1 or more");
  require(config.tune_steps >= 0, "tune_steps", config.tune_steps, "0 or more");
  require(config.tune_points >= 1, "tune_points", config.tune_points, "at least 1 sample");
  if (config.regressor.kind == RegressorKind::kHermite && !config.standardise) {
    throw std::invalid_argument(fmt::format(
        "{}.standardise is false; a Hermite projection needs whitened inputs, set it to true",
        prefix));
  }
}

RegressedFunction::RegressedFunction(const RegressionConfig& config)
    : standardise_(config.standardise), regressor_(make_regressor(config.regressor)) {}

void RegressedFunction::continue_from(const RegressedFunction& last) {
  regressor_->continue_from(*last.regressor_);
}

void RegressedFunction::whiten(const Eigen::MatrixXd& x) const {
  whitened_ = x.colwise() - marginal_.mean;
  marginal_.factor.whiten(whitened_);
}

const Eigen::MatrixXd& RegressedFunction::inputs(const Eigen::MatrixXd& x) const {
  if (!standardise_) return x;
  whiten(x);
  return whitened_;
}

void RegressedFunction::fit(const Gaussian& marginal, const Eigen::MatrixXd& x,
                            const Eigen::MatrixXd& targets) {
  marginal_ = marginal;
  whiten(x);
  reach_ = whitened_.colwise().norm().maxCoeff();
  regressor_->fit(standardise_ ? whitened_ : x, targets);
  fitted_ = true;
}

void RegressedFunction::tune(const Eigen::MatrixXd& x, const Eigen::MatrixXd& targets) {
  regressor_->tune(inputs(x), targets);
}

void RegressedFunction::evaluate(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const {
  regressor_->predict(inputs(x), out);
}

void RegressedFunction::evaluate_within_reach(const Eigen::MatrixXd& x,
                                              Eigen::MatrixXd& out) const {
  evaluate(x, out);
  if (!standardise_) whiten(x);
  for (Eigen::Index n = 0; n < x.cols(); ++n) {
    const double distance = whitened_.col(n).norm();
    if (!(distance <= reach_)) out.col(n) *= std::max(0.0, 2.0 - distance / reach_);
  }
}

void RegressedFunction::archive(Archive& archive, int dim, int outputs) {
  archive.flag("fitted", fitted_);
  marginal_.archive(archive, fitted_ ? dim : 0);
  archive.number("reach", reach_);
  archive.require(std::isfinite(reach_) && reach_ >= 0.0, "reach", "0 or a positive number");
  regressor_->archive(archive, fitted_ ? dim : 0, fitted_ ? outputs : 0);
}

}  // namespace ovf

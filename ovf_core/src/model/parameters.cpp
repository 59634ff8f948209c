#include "ovf/model/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ovf {
namespace {

// Log and logit cannot run off to where exp overflows or a bounded value's slope vanishes.
constexpr double kLargestLog = 300.0;
constexpr double kLargestLogit = 15.0;

// Share of a value within which it counts as at a bound.
constexpr double kNearBound = 0.01;

void check_value(const ParameterInfo& info, double value) {
  const bool inside = value >= info.lower && value <= info.upper && std::isfinite(value) &&
                      (info.transform != Transform::kPositive || value > 0.0);
  if (!inside) {
    throw std::invalid_argument(fmt::format(
        "parameter {} is {}; expected a finite value {} [{}, {}]", info.name, value,
        info.transform == Transform::kPositive ? "above 0 and in" : "in", info.lower, info.upper));
  }
}

}  // namespace

void ParameterVector::add(ParameterInfo info, double value) {
  if (index_.contains(info.name)) {
    throw std::invalid_argument(fmt::format("parameter {} is defined twice", info.name));
  }
  if (info.transform == Transform::kBounded &&
      !(std::isfinite(info.lower) && std::isfinite(info.upper) && info.lower < info.upper)) {
    throw std::invalid_argument(
        fmt::format("parameter {} has bounds [{}, {}]; a bounded transform needs two finite ones",
                    info.name, info.lower, info.upper));
  }
  if (!(std::isfinite(info.prior_deviation) && info.prior_deviation >= 0.0)) {
    throw std::invalid_argument(
        fmt::format("parameter {} has the prior deviation {}; expected 0 (the configured one) or "
                    "a positive number",
                    info.name, info.prior_deviation));
  }
  check_value(info, value);
  index_.emplace(info.name, size());
  info_.push_back(std::move(info));
  values_.conservativeResize(size());
  values_[size() - 1] = value;
}

void ParameterVector::append(const ParameterVector& other) {
  for (int i = 0; i < other.size(); ++i) add(other.info(i), other.values()[i]);
}

int ParameterVector::index_of(const std::string& name) const {
  const auto found = index_.find(name);
  if (found != index_.end()) return found->second;
  throw std::out_of_range(fmt::format("there is no parameter {}", name));
}

void ParameterVector::set_values(const Eigen::Ref<const Eigen::VectorXd>& values) {
  if (values.size() != size()) {
    throw std::invalid_argument(
        fmt::format("{} parameter values given; expected {}", values.size(), size()));
  }
  for (int i = 0; i < size(); ++i) check_value(info(i), values[i]);
  values_ = values;
}

bool ParameterVector::is_at_bound(int i, double value) const {
  const double margin = kNearBound * std::abs(value);
  return value - info(i).lower < margin || info(i).upper - value < margin;
}

Eigen::VectorXd ParameterVector::unconstrained() const {
  Eigen::VectorXd numbers(size());
  for (int i = 0; i < size(); ++i) {
    const auto& p = info(i);
    switch (p.transform) {
      case Transform::kIdentity:
        numbers[i] = values_[i];
        break;
      case Transform::kPositive:
        numbers[i] = std::log(values_[i]);
        break;
      case Transform::kBounded: {
        const double odds = (values_[i] - p.lower) / (p.upper - values_[i]);
        numbers[i] = std::clamp(std::log(odds), -kLargestLogit, kLargestLogit);
        break;
      }
    }
  }
  return numbers;
}

void ParameterVector::to_natural(Eigen::VectorXd& unconstrained, Eigen::VectorXd& values) const {
  for (int i = 0; i < size(); ++i) {
    const auto& p = info(i);
    double& number = unconstrained[i];
    switch (p.transform) {
      case Transform::kIdentity:
        number = std::clamp(number, p.lower, p.upper);
        values[i] = number;
        break;
      case Transform::kPositive:
        number = std::clamp(number, std::max(-kLargestLog, std::log(std::max(p.lower, 0.0))),
                            std::min(kLargestLog, std::log(p.upper)));
        values[i] = std::exp(number);
        break;
      case Transform::kBounded:
        number = std::clamp(number, -kLargestLogit, kLargestLogit);
        values[i] = p.lower + (p.upper - p.lower) / (1.0 + std::exp(-number));
        break;
    }
    values[i] = std::clamp(values[i], p.lower, p.upper);  // rounding may step over a bound
  }
}

void ParameterVector::natural_slope(const Eigen::VectorXd& values, Eigen::VectorXd& slope) const {
  for (int i = 0; i < size(); ++i) {
    const auto& p = info(i);
    switch (p.transform) {
      case Transform::kIdentity:
        slope[i] = 1.0;
        break;
      case Transform::kPositive:
        slope[i] = values[i];
        break;
      case Transform::kBounded:
        slope[i] = (values[i] - p.lower) * (p.upper - values[i]) / (p.upper - p.lower);
        break;
    }
  }
}

}  // namespace ovf

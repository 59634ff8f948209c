#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ovf/model/residual_function.hpp"

namespace ovf {
namespace {

struct Feature {
  std::string name;
  int first = -1;     // input; -1: the feature is the constant
  int second = -1;    // input; -1: the feature is the first one itself
  bool drag = false;  // u |u|
};

std::vector<Feature> features_of(const std::vector<ResidualInput>& inputs, int degree) {
  std::vector<Feature> features = {{.name = "1"}};
  const int count = static_cast<int>(inputs.size());
  const auto input = [&](int i) -> const ResidualInput& {
    return inputs[static_cast<std::size_t>(i)];
  };
  for (int i = 0; i < count; ++i) features.push_back({.name = input(i).name, .first = i});
  if (degree < 2) return features;
  for (int i = 0; i < count; ++i) {
    const std::string& name = input(i).name;
    if (!input(i).products) continue;
    features.push_back(
        {.name = fmt::format("{0}*|{0}|", name), .first = i, .second = i, .drag = true});
    for (int k = i; k < count; ++k) {
      if (!input(k).products) continue;
      features.push_back(
          {.name = fmt::format("{}*{}", name, input(k).name), .first = i, .second = k});
    }
  }
  return features;
}

class ResidualFeatures final : public ResidualFunction {
 public:
  ResidualFeatures(const ResidualNames& names, int degree)
      : inputs_(static_cast<Eigen::Index>(names.inputs.size())),
        outputs_(static_cast<Eigen::Index>(names.outputs.size())),
        features_(features_of(names.inputs, degree)),
        values_(count()),
        slopes_(Eigen::MatrixXd::Zero(inputs_, count())) {
    for (const std::string& output : names.outputs) {
      for (const Feature& feature : features_) {
        start_.add({.name = fmt::format("{}.{}[{}]", names.prefix, output, feature.name),
                    .prior_deviation = names.prior_deviation},
                   0.0);
      }
    }
  }

  const ParameterVector& start() const override { return start_; }

  void evaluate(const Eigen::VectorXd& w, const Eigen::VectorXd& u, Eigen::VectorXd& value,
                Eigen::MatrixXd& slope) const override {
    compute(u);
    const Eigen::Map<const Eigen::MatrixXd> weights(w.data(), count(), outputs_);
    value.noalias() = weights.transpose() * values_;
    slope.noalias() = weights.transpose() * slopes_.transpose();
  }

  void weight_derivatives(const Eigen::VectorXd& /*w*/, const Eigen::VectorXd& u,
                          Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const override {
    compute(u);
    value.setZero(outputs_, count() * outputs_);
    slope.setZero(outputs_, inputs_ * count() * outputs_);
    for (Eigen::Index i = 0; i < outputs_; ++i) {
      value.row(i).segment(i * count(), count()) = values_.transpose();
      slope.row(i).segment(i * count() * inputs_, count() * inputs_) =
          slopes_.reshaped().transpose();
    }
  }

 private:
  Eigen::Index count() const { return static_cast<Eigen::Index>(features_.size()); }

  void compute(const Eigen::VectorXd& u) const {
    for (Eigen::Index k = 0; k < count(); ++k) {
      const Feature& f = features_[static_cast<std::size_t>(k)];
      if (f.first < 0) {
        values_[k] = 1.0;
      } else if (f.second < 0) {
        values_[k] = u[f.first];
        slopes_(f.first, k) = 1.0;
      } else if (f.drag) {
        values_[k] = u[f.first] * std::abs(u[f.first]);
        slopes_(f.first, k) = 2.0 * std::abs(u[f.first]);
      } else if (f.first == f.second) {
        values_[k] = u[f.first] * u[f.first];
        slopes_(f.first, k) = 2.0 * u[f.first];
      } else {
        values_[k] = u[f.first] * u[f.second];
        slopes_(f.first, k) = u[f.second];
        slopes_(f.second, k) = u[f.first];
      }
    }
  }

  Eigen::Index inputs_;
  Eigen::Index outputs_;
  std::vector<Feature> features_;
  ParameterVector start_;
  mutable Eigen::VectorXd values_;
  mutable Eigen::MatrixXd slopes_;  // by the inputs, a column for each feature
};

}  // namespace

std::unique_ptr<ResidualFunction> make_residual_features(const ResidualNames& names, int degree) {
  if (degree < 1 || degree > 2) {
    throw std::invalid_argument(
        fmt::format("{}: the features have degree {}; expected 1 or 2", names.prefix, degree));
  }
  return std::make_unique<ResidualFeatures>(names, degree);
}

}  // namespace ovf

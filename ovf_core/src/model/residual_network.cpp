#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ovf/math/random.hpp"
#include "ovf/model/residual_function.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 11;

// r = B (1, tanh(A (1, u))). The weights are A's and then B's, row by row, the constant's first.
class ResidualNetwork final : public ResidualFunction {
 public:
  ResidualNetwork(const ResidualNames& names, int hidden, std::uint64_t seed)
      : inputs_(static_cast<Eigen::Index>(names.inputs.size())),
        hidden_(hidden),
        outputs_(static_cast<Eigen::Index>(names.outputs.size())),
        activity_(hidden_),
        bend_(hidden_) {
    RandomStream random(seed, kStream);
    const auto add = [&](const std::string& name, double value) {
      start_.add({.name = name, .prior_deviation = names.prior_deviation}, value);
    };
    for (int k = 0; k < hidden; ++k) {
      add(fmt::format("{}.unit{}[1]", names.prefix, k), random.normal());
      for (const ResidualInput& input : names.inputs) {
        add(fmt::format("{}.unit{}[{}]", names.prefix, k, input.name), random.normal());
      }
    }
    for (const std::string& output : names.outputs) {
      add(fmt::format("{}.{}[1]", names.prefix, output), 0.0);
      for (int k = 0; k < hidden; ++k) {
        add(fmt::format("{}.{}[unit{}]", names.prefix, output, k), 0.0);
      }
    }
  }

  const ParameterVector& start() const override { return start_; }

  void evaluate(const Eigen::VectorXd& w, const Eigen::VectorXd& u, Eigen::VectorXd& value,
                Eigen::MatrixXd& slope) const override {
    compute(w, u);
    value = last_layer(w).row(0).transpose();
    value.noalias() += last_layer(w).bottomRows(hidden_).transpose() * activity_;
    slope.setZero(outputs_, inputs_);
    for (Eigen::Index k = 0; k < hidden_; ++k) {
      slope.noalias() += (bend_[k] * last_layer(w).row(k + 1).transpose()) *
                         first_layer(w).col(k).tail(inputs_).transpose();
    }
  }

  void weight_derivatives(const Eigen::VectorXd& w, const Eigen::VectorXd& u,
                          Eigen::MatrixXd& value, Eigen::MatrixXd& slope) const override {
    compute(w, u);
    value.setZero(outputs_, start_.size());
    slope.setZero(outputs_, start_.size() * inputs_);
    for (Eigen::Index k = 0; k < hidden_; ++k) {
      const auto a = first_layer(w).col(k).tail(inputs_).transpose();  // of unit k
      const auto b = last_layer(w).row(k + 1).transpose();
      for (Eigen::Index i = 0; i <= inputs_; ++i) {
        // d/da_i b tanh = b tanh' v_i with v = (1, u), and tanh'' = -2 tanh tanh'.
        const Eigen::Index j = k * (inputs_ + 1) + i;
        const double v = i == 0 ? 1.0 : u[i - 1];
        value.col(j) = (bend_[k] * v) * b;
        auto by_input = slope.middleCols(j * inputs_, inputs_);
        by_input.noalias() = (-2.0 * activity_[k] * bend_[k] * v) * b * a;
        if (i > 0) by_input.col(i - 1) += bend_[k] * b;
      }
    }
    for (Eigen::Index i = 0; i < outputs_; ++i) {
      const Eigen::Index first = first_layer_count() + i * (hidden_ + 1);
      value(i, first) = 1.0;
      for (Eigen::Index k = 0; k < hidden_; ++k) {
        const Eigen::Index j = first + 1 + k;
        value(i, j) = activity_[k];
        slope.row(i).segment(j * inputs_, inputs_) =
            bend_[k] * first_layer(w).col(k).tail(inputs_).transpose();
      }
    }
  }

 private:
  using Layer = Eigen::Map<const Eigen::MatrixXd>;

  Eigen::Index first_layer_count() const { return hidden_ * (inputs_ + 1); }
  // A column for each unit of the layer.
  Layer first_layer(const Eigen::VectorXd& w) const { return {w.data(), inputs_ + 1, hidden_}; }
  Layer last_layer(const Eigen::VectorXd& w) const {
    return {w.data() + first_layer_count(), hidden_ + 1, outputs_};
  }

  void compute(const Eigen::VectorXd& w, const Eigen::VectorXd& u) const {
    activity_ = first_layer(w).row(0).transpose();
    activity_.noalias() += first_layer(w).bottomRows(inputs_).transpose() * u;
    for (double& value : activity_) value = std::tanh(value);
    bend_ = 1.0 - activity_.array().square();
  }

  Eigen::Index inputs_;
  Eigen::Index hidden_;
  Eigen::Index outputs_;
  ParameterVector start_;
  mutable Eigen::VectorXd activity_;  // tanh of each unit, and its derivative
  mutable Eigen::VectorXd bend_;
};

}  // namespace

std::unique_ptr<ResidualFunction> make_residual_network(const ResidualNames& names, int hidden,
                                                        std::uint64_t seed) {
  if (hidden < 1 || names.inputs.empty()) {
    throw std::invalid_argument(
        fmt::format("{}: a network of {} hidden units and {} inputs; expected one or more of both",
                    names.prefix, hidden, names.inputs.size()));
  }
  return std::make_unique<ResidualNetwork>(names, hidden, seed);
}

}  // namespace ovf

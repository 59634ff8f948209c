#pragma once

#include <memory>
#include <vector>

#include "ovf/model/sensor.hpp"

namespace ovf {

/// Several sensors as one observation: the input of a step says which of them has spoken. theta is
/// the parameters of all of them.
class SensorSuite final : public Observation {
 public:
  /// Throws std::invalid_argument when there is none or their state dimensions differ.
  explicit SensorSuite(std::vector<std::unique_ptr<Sensor>> sensors);

  int count() const { return static_cast<int>(sensors_.size()); }
  const Sensor& sensor(int i) const { return *sensors_[static_cast<std::size_t>(i)]; }

  /// The sensor that a parameter belongs to, and the parameter's floor as Sensor::noise_floor has
  /// it.
  int sensor_of(int parameter) const;
  double noise_floor(int parameter, bool errors_last) const;
  /// Where the parameters of a sensor begin.
  int first_parameter(int sensor) const {
    return first_parameters_[static_cast<std::size_t>(sensor)];
  }

  int state_dim() const override { return sensors_.front()->state_dim(); }
  int observation_dim() const override { return bound().observation_dim(); }
  void bind(const StepInput& input) const override;
  void unwrap(const Eigen::VectorXd& predicted, Eigen::VectorXd& y) const override {
    bound().unwrap(predicted, y);
  }
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override {
    bound().log_density(y, x, out);
  }
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override {
    bound().gradient(y, x, out);
  }
  void scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
              Eigen::Ref<Eigen::MatrixXd> out) const override;
  void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const override {
    bound().sample(x, random, y);
  }
  void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const override {
    bound().linearise(at, method, out);
  }
  void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                            ExpectedDerivatives& out) const override {
    bound().expected_derivatives(y, q, out);
  }
  bool has_closed_form_scores() const override { return true; }
  void expected_scores(const Eigen::VectorXd& y, const AffineVariable& at, int first,
                       QuadraticFunctions& out) const override {
    bound().expected_scores(y, at, first + first_parameter(), out);
  }
  bool has_sensitivity() const override { return true; }
  void sensitivity(const Gaussian& at, Sensitivity& out) const override;
  void add_tail_information(const Eigen::VectorXd& share,
                            Eigen::Ref<Eigen::MatrixXd> information) const override;

 private:
  const Sensor& bound() const { return *sensors_[bound_]; }
  int first_parameter() const { return first_parameters_[bound_]; }

  std::vector<std::unique_ptr<Sensor>> sensors_;
  std::vector<int> first_parameters_;
  ParameterVector parameters_;
  mutable std::size_t bound_ = 0;
};

}  // namespace ovf

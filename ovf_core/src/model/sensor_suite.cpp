#include "ovf/model/sensor_suite.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace ovf {

SensorSuite::SensorSuite(std::vector<std::unique_ptr<Sensor>> sensors)
    : sensors_(std::move(sensors)) {
  if (sensors_.empty()) throw std::invalid_argument("sensors: none is given; expected one or more");
  for (const auto& sensor : sensors_) {
    if (sensor->state_dim() != state_dim()) {
      throw std::invalid_argument(
          fmt::format("sensor {} sees a state of {} dimensions, {} one of {}", sensor->name(),
                      sensor->state_dim(), sensors_.front()->name(), state_dim()));
    }
    first_parameters_.push_back(parameters_.size());
    parameters_.append(sensor->parameters());
  }
}

int SensorSuite::sensor_of(int parameter) const {
  int i = 0;
  while (parameter >= first_parameter(i) + sensor(i).parameters().size()) ++i;
  return i;
}

double SensorSuite::noise_floor(int parameter, bool errors_last) const {
  const int i = sensor_of(parameter);
  return sensor(i).noise_floor(parameter - first_parameter(i), errors_last);
}

void SensorSuite::bind(const StepInput& input) const {
  bound_ = static_cast<std::size_t>(input.sensor);
  bound().bind(input);
}

void SensorSuite::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    sensors_[i]->set_parameters(
        values.segment(first_parameters_[i], sensors_[i]->parameters().size()));
  }
}

void SensorSuite::scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                         Eigen::Ref<Eigen::MatrixXd> out) const {
  out.setZero();
  bound().scores(y, x, out.middleRows(first_parameter(), bound().parameters().size()));
}

void SensorSuite::sensitivity(const Gaussian& at, Sensitivity& out) const {
  bound().sensitivity(at, out);
  // Noise alone: sensors have no parameters of their mean.
  out.mean.setZero(out.left.rows(), parameters_.size());
  for (int& parameter : out.parameter) parameter += first_parameter();
}

void SensorSuite::add_tail_information(const Eigen::VectorXd& share,
                                       Eigen::Ref<Eigen::MatrixXd> information) const {
  const int count = bound().parameters().size();
  bound().add_tail_information(
      share, information.block(first_parameter(), first_parameter(), count, count));
}

}  // namespace ovf

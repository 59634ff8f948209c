#include "filter/archive_observation.hpp"

#include "ovf/filter/filter.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {

void archive_observation(Archive& archive, const StateSpaceModel& model, bool& observed,
                         StepInput& input, Eigen::VectorXd& y) {
  archive.flag("observed", observed);
  input.archive(archive);
  archive.vector("observation", y, Archive::kAnySize);
  if (!archive.reading()) return;
  if (!observed) {
    archive.require(y.size() == 0, "observation", "none");
    return;
  }
  if (const auto* suite = dynamic_cast<const SensorSuite*>(&model.observation())) {
    archive.require(input.sensor >= 0 && input.sensor < suite->count(), "sensor",
                    "the number of a sensor");
  }
  std::string reason;
  const StepStatus status =
      check_observation(y, input, model.observation(input).observation_dim(), reason);
  archive.require(status == StepStatus::kOk, "observation", "one of this model");
  const Eigen::MatrixXd& noise = input.message_noise;
  archive.require(noise.size() == 0 || (noise.rows() == y.size() && noise.cols() == y.size()),
                  "message noise", "none or as many rows and columns as the observation has");
}

}  // namespace ovf

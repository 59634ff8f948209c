#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/messages.hpp"
#include "ovf/recording/sensed.hpp"

namespace ovf {

/// From what messages say to what the estimator takes: axes, mounting, the local frame of GNSS.
class MessageConversion {
 public:
  explicit MessageConversion(const EstimatorConfig& config);

  /// Appends what a sensor of the configuration, by its index, takes from the message. Empty: it
  /// had something; else why not, for example "no fix".
  std::string measurements(int sensor, const Sensed& sensed, std::vector<Message>& out);
  /// The same for a control.
  std::string control(const Sensed& sensed, std::vector<Message>& out) const;

  /// Where the world's origin is; known from the first fix on, or from the configuration.
  const std::optional<LocalFrame>& frame() const { return frame_; }

 private:
  std::string single(const SensorConfig& sensor, const Sensed& sensed, Measurement& out);
  std::string joints(const Sensed& sensed, const std::vector<double>& values,
                     Eigen::VectorXd& out) const;

  EstimatorConfig config_;
  bool planar_;
  Eigen::Matrix3d control_to_body_ = Eigen::Matrix3d::Identity();
  std::optional<LocalFrame> frame_ = {};
};

}  // namespace ovf

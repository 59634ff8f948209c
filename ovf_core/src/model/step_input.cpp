#include "ovf/model/step_input.hpp"

#include <cmath>
#include <limits>

namespace ovf {

void StepInput::archive(Archive& archive) {
  archive.number("dt", dt);
  archive.require_finite("dt", dt);
  archive.vector("control", control, Archive::kAnySize);
  archive.require_finite("control", control);
  archive.vector("last control", last_control, Archive::kAnySize);
  archive.require_finite("last control", last_control);
  archive.vector("noise gain", noise_gain, Archive::kAnySize);
  archive.require_finite("noise gain", noise_gain);
  archive.integer("sensor", sensor, std::numeric_limits<int>::min(),
                  std::numeric_limits<int>::max());
  archive.integer("target", target, std::numeric_limits<int>::min(),
                  std::numeric_limits<int>::max());
  archive.matrix("message noise", message_noise, Archive::kAnySize, Archive::kAnySize);
  archive.require_finite("message noise", message_noise);
  archive.number("gate", gate);
  archive.require(!std::isnan(gate), "gate", "a number");
  archive.number("weight", weight);
  archive.require(weight > 0.0 && weight <= 1.0, "weight", "a number above 0, at most 1");
  archive.flag("errors last", errors_last);
  archive.vector("last reference", last_reference.coeffs(), 4);
  archive.require_finite("last reference", last_reference.coeffs());
  archive.vector("reference", reference.coeffs(), 4);
  archive.require_finite("reference", reference.coeffs());
}

}  // namespace ovf

#include "estimator/input_findings.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ovf {
namespace {

std::string name_of(const Estimator& estimator, int sensor, const char* otherwise) {
  if (sensor < 0) return otherwise;
  return estimator.config().sensors[static_cast<std::size_t>(sensor)].name;
}

void add_clock(const Estimator& estimator, int sensor, std::vector<std::string>& out) {
  const double offset = estimator.clock_offset(sensor);
  if (offset == 0.0) return;
  const bool corrected = estimator.config().stream.correct_clock_offsets;
  out.push_back(fmt::format("{}: its stamps are {:.3f} s {} those of the other inputs{}",
                            name_of(estimator, sensor, "control"), std::abs(offset),
                            offset > 0.0 ? "ahead of" : "behind",
                            corrected ? ", which is corrected"
                                      : ": set the clock of its driver (18 s is GPS time), or "
                                        "stream.correct_clock_offsets: true"));
}

}  // namespace

void add_input_findings(const Estimator& estimator, std::vector<std::string>& out) {
  const auto count = static_cast<int>(estimator.config().sensors.size());
  if (estimator.config().motion.control != ControlKind::kNone) add_clock(estimator, -1, out);
  for (int i = 0; i < count; ++i) {
    add_clock(estimator, i, out);
    const Contradiction& told = estimator.contradiction(i);
    if (told.count == 0) continue;
    out.push_back(fmt::format(
        "{} contradicted {} {} time{}, the last time by {:.3g} standard deviations ({:.3g} m): "
        "one of them is wrong, or the pose was",
        name_of(estimator, i, ""), name_of(estimator, told.other, "the motion"), told.count,
        told.count == 1 ? "" : "s", told.deviations, told.distance));
  }
}

}  // namespace ovf

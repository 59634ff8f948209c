#include "ovf/recording/estimator_messages.hpp"

#include <fmt/format.h>

namespace ovf {

std::string event_text(const Estimator& estimator, const Event& event) {
  std::string text = to_string(event.kind);
  if (event.sensor >= 0) {
    text +=
        fmt::format(" {}", estimator.config().sensors[static_cast<std::size_t>(event.sensor)].name);
  }
  if (event.kind == EventKind::kSensorsContradict) {
    text += fmt::format(
        " {}", event.other < 0
                   ? "motion"
                   : estimator.config().sensors[static_cast<std::size_t>(event.other)].name);
  }
  if (event.kind == EventKind::kClockOffset && event.sensor < 0) text += " control";
  if (event.value != 0.0) text += fmt::format(" {:.4g}", event.value);
  return text;
}

}  // namespace ovf

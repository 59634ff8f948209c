#include "ovf/evaluation/predictive_score.hpp"

#include <cmath>

#include "evaluation/sensor_groups.hpp"

namespace ovf {
namespace {

void set_mean(ElboFigures& figures) {
  if (figures.count > 0) figures.mean = figures.sum / static_cast<double>(figures.count);
}

}  // namespace

PredictiveScore predictive_score(const std::vector<UpdateSample>& updates) {
  PredictiveScore out;
  for (const auto& [sensor, group] : by_sensor(updates)) {
    ElboFigures& figures = out.sensors.emplace_back();
    figures.sensor = sensor;
    for (const UpdateSample* update : group) {
      if (!was(*update, Outcome::kUsed) || !std::isfinite(update->elbo_increment)) continue;
      ++figures.count;
      figures.sum += update->elbo_increment;
    }
    set_mean(figures);
    out.overall.count += figures.count;
    out.overall.sum += figures.sum;
  }
  set_mean(out.overall);
  return out;
}

}  // namespace ovf

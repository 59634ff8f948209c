#include "ovf/evaluation/innovation_consistency.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "evaluation/sensor_groups.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

using Updates = std::vector<const UpdateSample*>;

bool has_nis(const UpdateSample& update) {
  return update.innovation.size() > 0 && update.innovation.allFinite() &&
         std::isfinite(update.nis) && update.nis >= 0.0;
}

// The mean of a chi-square value given that it passed the gate.
double expected_nis(const UpdateSample& update) {
  const auto degrees = static_cast<double>(update.innovation.size());
  // Without a gate, or let through by force.
  if (!(update.gate > 0.0) || update.nis > update.gate) return degrees;
  const double passing = chi_square_probability(update.gate, degrees);
  if (!(passing > 0.0)) return degrees;
  return degrees * chi_square_probability(update.gate, degrees + 2.0) / passing;
}

// Runs of messages have the same gate and size.
class ExpectedNis {
 public:
  double of(const UpdateSample& update) {
    if (update.gate != gate_ || update.innovation.size() != size_ || update.nis > update.gate) {
      value_ = expected_nis(update);
      gate_ = update.nis > update.gate ? -1.0 : update.gate;
      size_ = update.innovation.size();
    }
    return value_;
  }

 private:
  double gate_ = -1.0;
  Eigen::Index size_ = 0;
  double value_ = 0.0;
};

Band scaled(Band band, double factor) { return {factor * band.low, factor * band.high}; }

// Of used and gated messages in the order of time.
NisFigures nis_figures(const Updates& updates) {
  NisFigures out;
  ExpectedNis expected;
  std::vector<double> ratios;
  double numbers = 0.0;
  double sum = 0.0;
  double expected_sum = 0.0;
  long outside = 0;
  std::map<Eigen::Index, double> limits;  // by size
  for (const UpdateSample* update : updates) {
    const Eigen::Index size = update->innovation.size();
    const auto degrees = static_cast<double>(size);
    const auto [limit, is_new] = limits.try_emplace(size, 0.0);
    if (is_new) limit->second = chi_square_quantile(0.95, degrees);
    ++out.reached;
    if (update->nis > limit->second) ++outside;
    if (!was(*update, Outcome::kUsed)) continue;
    ++out.count;
    numbers += degrees;
    sum += update->nis;
    expected_sum += expected.of(*update);
    ratios.push_back(update->nis / degrees);
  }
  if (out.reached > 0) {
    out.outside95 = static_cast<double>(outside) / static_cast<double>(out.reached);
  }
  if (out.count == 0) return out;
  out.degrees = numbers / static_cast<double>(out.count);
  out.ratio = sum / numbers;
  out.expected = expected_sum / numbers;
  out.band = scaled(mean_band(static_cast<double>(out.count), out.degrees), out.expected);
  out.effective_count = effective_sample_size(ratios);
  out.effective_band = scaled(mean_band(out.effective_count, out.degrees), out.expected);
  return out;
}

std::vector<NisFigures> nis_by_size(const Updates& updates) {
  std::map<Eigen::Index, Updates> groups;
  for (const UpdateSample* update : updates) groups[update->innovation.size()].push_back(update);
  std::vector<NisFigures> out;
  out.reserve(groups.size());
  for (const auto& [size, group] : groups) {
    NisFigures figures = nis_figures(group);
    figures.degrees = static_cast<double>(size);
    out.push_back(figures);
  }
  return out;
}

InnovationComponent component_figures(const Updates& used, Eigen::Index component) {
  std::vector<double> values;
  std::vector<double> normalised;
  bool exact = true;
  double sum = 0.0;
  for (const UpdateSample* update : used) {
    if (update->innovation.size() <= component) continue;
    const double value = update->innovation[component];
    values.push_back(value);
    normalised.push_back(std::copysign(std::sqrt(update->nis), value));
    // A NIS of 0 for an innovation that is not is one that was not recorded.
    exact = exact && update->innovation.size() == 1 && (update->nis > 0.0 || value == 0.0);
    sum += value;
  }
  InnovationComponent out;
  if (values.empty()) return out;
  const auto count = static_cast<double>(values.size());
  out.mean = sum / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  if (values.size() > 1) out.deviation = std::sqrt(squares / (count - 1.0));
  if (out.deviation > 0.0) {
    out.bias = out.mean / out.deviation * std::sqrt(effective_sample_size(values));
  }
  out.whiteness = test_whiteness(exact ? normalised : values);
  return out;
}

SensorConsistency sensor_figures(const Updates& updates) {
  SensorConsistency out;
  out.sensor = updates.front()->sensor;
  out.messages = static_cast<long>(updates.size());
  Updates reached;
  Updates used;
  Eigen::Index components = 0;
  for (const UpdateSample* update : updates) {
    const bool is_used = was(*update, Outcome::kUsed);
    if (!is_used && !was(*update, Outcome::kGated)) continue;
    ++(is_used ? out.used : out.gated);
    if (!has_nis(*update)) continue;
    reached.push_back(update);
    if (!is_used) continue;
    used.push_back(update);
    components = std::max(components, update->innovation.size());
  }
  const auto by_time = [](const UpdateSample* a, const UpdateSample* b) {
    return a->stamp < b->stamp;
  };
  std::stable_sort(reached.begin(), reached.end(), by_time);
  std::stable_sort(used.begin(), used.end(), by_time);
  if (out.used + out.gated > 0) {
    out.gated_share = static_cast<double>(out.gated) / static_cast<double>(out.used + out.gated);
  }
  out.nis = nis_figures(reached);
  out.nis_by_size = nis_by_size(reached);
  for (Eigen::Index i = 0; i < components; ++i) {
    out.components.push_back(component_figures(used, i));
  }
  return out;
}

}  // namespace

std::vector<SensorConsistency> innovation_consistency(const std::vector<UpdateSample>& updates) {
  std::vector<SensorConsistency> out;
  for (const auto& [sensor, group] : by_sensor(updates)) out.push_back(sensor_figures(group));
  return out;
}

}  // namespace ovf

#include "ovf/evaluation/learned_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "ovf/evaluation/calibration.hpp"
#include "ovf/evaluation/noise_reference.hpp"
#include "ovf/evaluation/uncertain_text.hpp"

namespace ovf {
namespace {

constexpr const char* kTrueValue = "true value";
constexpr const char* kBatch = "batch ML on true residuals";

// Noise levels and degrees of freedom; all else that is learned is a part of the state.
bool is_positive(const std::string& name) {
  return name.find(".noise") != std::string::npos || name.ends_with(".nu");
}

std::string z_text(double z) {
  return std::abs(z) < 100.0 ? fmt::format("{:.1f}", z) : fmt::format("{:.0f}", z);
}

std::vector<std::string> row_of(const ParameterSample& learned, std::size_t i,
                                const ParameterReference& reference) {
  std::vector<std::string> row{reference.name, fmt::format("{:.4g}", reference.value),
                               reference.source};
  const double value = learned.values[i];
  const double deviation = learned.deviations[i];
  const ParameterStatus status =
      i < learned.status.size() ? learned.status[i] : ParameterStatus::kIdentified;
  if (status != ParameterStatus::kIdentified || !(deviation > 0.0)) {
    row.insert(row.end(), {fmt::format("{:.3g}", value), to_string(status), "–"});
    return row;
  }
  const UncertainText text = uncertain_text(value, deviation);
  const double z = -z_score({.truth = reference.value,
                             .value = value,
                             .deviation = deviation,
                             .positive = reference.positive});
  row.insert(row.end(), {text.value, text.deviation, z_text(z)});
  return row;
}

}  // namespace

std::vector<ParameterReference> parameter_references(const PlanarSimulator& simulator,
                                                     const RobotLog& log,
                                                     const EstimatorConfig& config) {
  std::vector<ParameterReference> references;
  std::map<std::string, double> truth;
  for (const auto& [name, value] : simulator.estimator_truth()) {
    truth[name] = value;
    references.push_back({name, value, kTrueValue, is_positive(name)});
  }
  for (const auto& [name, value] : noise_references(log, config)) {
    if (!truth.contains(name)) references.push_back({name, value, kBatch, true});
  }
  return references;
}

Table learned_table(const ParameterSample& learned,
                    const std::vector<ParameterReference>& references) {
  Table table{
      .title = "Learned parameters",
      .caption =
          "z: (learned - reference) / ±1σ, in the logarithm for noise levels and nu. Where the "
          "simulator's errors are not the model's, the reference is the maximum-likelihood value "
          "on the true residuals. Not identified: the data have not reduced the uncertainty. In "
          "doubt: the belief was inconsistent, or the errors of this sensor are correlated.",
      .header = {"parameter", "reference", "reference is", "learned", "±1σ", "z"}};
  for (std::size_t i = 0; i < learned.names.size(); ++i) {
    for (const ParameterReference& reference : references) {
      if (reference.name == learned.names[i]) table.rows.push_back(row_of(learned, i, reference));
    }
  }
  return table;
}

}  // namespace ovf

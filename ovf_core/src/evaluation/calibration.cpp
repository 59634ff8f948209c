#include "ovf/evaluation/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace ovf {
namespace {

// Beyond this a score is only called large: a deviation of zero must not give infinities.
constexpr double kMaxScore = 1e6;
// Fewer runs than this are no ground for a verdict.
constexpr long kFewestRuns = 5;
// Probability of a wrong verdict, at each level of coverage.
constexpr double kFalseAlarm = 0.002;

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// P(X <= hits) of a binomial X.
double binomial_probability(long hits, long count, double share) {
  double sum = 0.0;
  for (long k = 0; k <= hits; ++k) {
    const auto n = static_cast<double>(count);
    const auto x = static_cast<double>(k);
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(x + 1.0) - std::lgamma(n - x + 1.0) +
                    x * std::log(share) + (n - x) * std::log1p(-share));
  }
  return std::min(sum, 1.0);
}

CalibrationVerdict verdict_of(const QuantityCalibration& found) {
  if (found.runs < kFewestRuns) return CalibrationVerdict::kTooFewRuns;
  const std::pair<double, double> levels[] = {
      {0.5, found.coverage50}, {0.9, found.coverage90}, {0.95, found.coverage95}};
  for (const auto& [level, coverage] : levels) {
    // Rounded in favour of the posterior.
    const double hits = coverage * static_cast<double>(found.runs);
    const auto at_most = static_cast<long>(std::ceil(hits - 1e-9));
    if (binomial_probability(at_most, found.runs, level) < kFalseAlarm) {
      return CalibrationVerdict::kOverconfident;
    }
    const auto at_least = static_cast<long>(std::floor(hits + 1e-9));
    if (1.0 - binomial_probability(at_least - 1, found.runs, level) < kFalseAlarm) {
      return CalibrationVerdict::kUnderconfident;
    }
  }
  return CalibrationVerdict::kOk;
}

using Belongs = std::function<bool(const CalibrationSample&)>;

QuantityCalibration calibration_of(const std::vector<CalibrationRun>& runs, const std::string& name,
                                   const Belongs& belongs) {
  // Half widths of the central intervals, in standard deviations.
  constexpr double k50 = 0.6744897501960817;
  constexpr double k90 = 1.6448536269514722;
  constexpr double k95 = 1.959963984540054;
  QuantityCalibration found{.quantity = name};
  double sum = 0.0;
  double squares = 0.0;
  long within50 = 0;
  long within90 = 0;
  long within95 = 0;
  for (const CalibrationRun& run : runs) {
    const long before = found.samples;
    for (const CalibrationSample& sample : run.samples) {
      if (!belongs(sample)) continue;
      if (!sample.identified) {
        ++found.not_identified;
        continue;
      }
      const double z = z_score(sample);
      ++found.samples;
      sum += z;
      squares += z * z;
      if (std::abs(z) <= k50) ++within50;
      if (std::abs(z) <= k90) ++within90;
      if (std::abs(z) <= k95) ++within95;
      const auto bin = static_cast<int>(kRankBins * normal_probability(z));
      ++found.ranks[static_cast<std::size_t>(std::clamp(bin, 0, kRankBins - 1))];
    }
    if (found.samples > before) ++found.runs;
  }
  if (found.samples == 0) return found;
  const auto count = static_cast<double>(found.samples);
  found.coverage50 = static_cast<double>(within50) / count;
  found.coverage90 = static_cast<double>(within90) / count;
  found.coverage95 = static_cast<double>(within95) / count;
  found.rms_z = std::sqrt(squares / count);
  found.mean_z = sum / count;
  found.verdict = verdict_of(found);
  return found;
}

}  // namespace

double z_score(const CalibrationSample& sample) {
  const double error = sample.positive ? std::log(sample.truth / sample.value) * sample.value
                                       : sample.truth - sample.value;
  const double z = error / sample.deviation;
  // Not a number: no deviation at all, or a value that is not positive.
  if (std::isnan(z)) return error == 0.0 ? 0.0 : kMaxScore;
  return std::clamp(z, -kMaxScore, kMaxScore);
}

const char* to_string(CalibrationVerdict verdict) {
  switch (verdict) {
    case CalibrationVerdict::kOk:
      return "ok";
    case CalibrationVerdict::kOverconfident:
      return "overconfident";
    case CalibrationVerdict::kUnderconfident:
      return "underconfident";
    case CalibrationVerdict::kTooFewRuns:
      break;
  }
  return "too few runs";
}

std::vector<QuantityCalibration> calibration_by_quantity(const std::vector<CalibrationRun>& runs) {
  std::vector<std::string> names;
  for (const CalibrationRun& run : runs) {
    for (const CalibrationSample& sample : run.samples) {
      if (std::find(names.begin(), names.end(), sample.quantity) == names.end()) {
        names.push_back(sample.quantity);
      }
    }
  }
  std::vector<QuantityCalibration> all;
  all.reserve(names.size());
  for (const std::string& name : names) {
    all.push_back(calibration_of(
        runs, name, [&name](const CalibrationSample& sample) { return sample.quantity == name; }));
  }
  return all;
}

QuantityCalibration calibration_of_all(const std::vector<CalibrationRun>& runs, bool parameters,
                                       const std::string& name) {
  return calibration_of(runs, name, [parameters](const CalibrationSample& sample) {
    return sample.parameter == parameters;
  });
}

}  // namespace ovf

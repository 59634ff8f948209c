#include "ovf/evaluation/autocorrelation.hpp"

#include <algorithm>
#include <cmath>

#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

// Deviations from the mean that are smaller than this, in terms of it, are rounding.
constexpr double kRounding = 1e-13;

struct Centred {
  std::vector<double> values;
  double variance = 0.0;
};

Centred centred(const std::vector<double>& values) {
  Centred out{values, 0.0};
  if (values.empty()) return out;
  const auto count = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double value : values) mean += value / count;
  for (double& value : out.values) {
    value -= mean;
    out.variance += value * value / count;
  }
  if (std::sqrt(out.variance) <= kRounding * std::abs(mean)) out.variance = 0.0;
  return out;
}

// Divided by the count of all values, not of products: the sequence is then positive definite.
double covariance_at(const std::vector<double>& values, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t i = lag; i < values.size(); ++i) sum += values[i] * values[i - lag];
  return sum / static_cast<double>(values.size());
}

std::vector<double> pair_means(const std::vector<double>& values) {
  std::vector<double> out(values.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = 0.5 * (values[2 * i] + values[2 * i + 1]);
  return out;
}

struct PositiveSequence {
  double sum = 0.0;  // of the autocovariances at all lags, negative ones too
  bool ended = false;
};

PositiveSequence positive_sequence(const Centred& series, std::size_t lags) {
  PositiveSequence out{.sum = -series.variance};
  for (std::size_t lag = 0; lag + 1 <= lags; lag += 2) {
    const double even = lag == 0 ? series.variance : covariance_at(series.values, lag);
    const double pair = even + covariance_at(series.values, lag + 1);
    if (pair <= 0.0) {
      out.ended = true;
      break;
    }
    out.sum += 2.0 * pair;
  }
  return out;
}

}  // namespace

std::vector<double> autocorrelation(const std::vector<double>& values, int lags) {
  if (values.size() < 2 || lags < 1) return {};
  const std::size_t count = std::min(static_cast<std::size_t>(lags), values.size() - 1);
  std::vector<double> out(count, std::numeric_limits<double>::quiet_NaN());
  const Centred series = centred(values);
  if (!(series.variance > 0.0)) return out;
  for (std::size_t lag = 1; lag <= count; ++lag) {
    out[lag - 1] = covariance_at(series.values, lag) / series.variance;
  }
  return out;
}

double effective_sample_size(const std::vector<double>& values) {
  constexpr std::size_t kLags = 50;
  if (values.empty()) return 0.0;
  Centred series = centred(values);
  if (!(series.variance > 0.0)) return 1.0;
  const auto count = static_cast<double>(values.size());
  const double variance = series.variance;
  while (true) {
    const auto blocks = static_cast<double>(series.values.size());
    const PositiveSequence sequence =
        positive_sequence(series, std::min(kLags, series.values.size() - 1));
    if (sequence.ended || series.values.size() <= 2 * kLags) {
      const double variance_of_mean = sequence.sum / blocks;
      // Less than nothing is left where values alternate: they are worth all they could be.
      if (!(variance_of_mean > 0.0)) return count;
      return std::clamp(variance / variance_of_mean, 1.0, count);
    }
    series = centred(pair_means(series.values));
    if (!(series.variance > 0.0)) return count;
  }
}

Whiteness test_whiteness(const std::vector<double>& values, int lags) {
  Whiteness out{.count = static_cast<long>(values.size())};
  out.autocorrelation =
      autocorrelation(values, static_cast<int>(std::min<long>(lags, out.count / 5)));
  if (out.autocorrelation.empty()) return out;
  const auto n = static_cast<double>(out.count);
  out.bound = 1.96 / std::sqrt(n);
  double sum = 0.0;
  double lag = 0.0;
  for (const double r : out.autocorrelation) {
    lag += 1.0;
    sum += r * r / (n - lag);
    if (std::abs(r) > out.bound) ++out.outside;
  }
  out.ljung_box = n * (n + 2.0) * sum;
  out.p_value = chi_square_survival(out.ljung_box, lag);
  return out;
}

}  // namespace ovf

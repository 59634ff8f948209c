#include "ovf/model/state_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

// A constant still drifts by this share of its first uncertainty in a second: f needs a density.
constexpr double kSmallestDrift = 1e-6;

void require_positive(const std::string& name, const char* what, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  throw std::invalid_argument(
      fmt::format("state {}: its {} is {}; expected a positive number", name, what, value));
}

void require_finite(const std::string& name, double value) {
  if (std::isfinite(value)) return;
  throw std::invalid_argument(
      fmt::format("state {}: its value is {}; expected a finite number", name, value));
}

}  // namespace

int StateLayout::add(StateEntry entry) {
  if (find(entry.name) >= 0) {
    throw std::invalid_argument(fmt::format("state {} is there twice", entry.name));
  }
  require_finite(entry.name, entry.start);
  require_positive(entry.name, "deviation", entry.deviation);
  require_positive(entry.name, "noise", entry.noise);
  entries_.push_back(std::move(entry));
  return dim() - 1;
}

Quantity StateLayout::add(const std::string& name, const LearnedQuantity& quantity,
                          const std::string& drift_learned_as) {
  require_finite(name, quantity.value);
  if (quantity.drift != 0.0) require_positive(name, "drift", quantity.drift);
  if (quantity.deviation == 0.0) return {.value = quantity.value};
  const int index = add({.name = name,
                         .start = quantity.value,
                         .deviation = quantity.deviation,
                         .noise = std::max(quantity.drift, kSmallestDrift * quantity.deviation),
                         .noise_learned_as = quantity.drift > 0.0 ? drift_learned_as : "",
                         .parameter = true});
  return {.index = index, .value = quantity.value};
}

int StateLayout::find(const std::string& name) const {
  for (int i = 0; i < dim(); ++i) {
    if (entry(i).name == name) return i;
  }
  return -1;
}

Gaussian StateLayout::prior() const {
  Gaussian prior = standard_gaussian(dim(), CovarianceForm::kFull);
  for (int i = 0; i < dim(); ++i) {
    prior.mean[i] = entry(i).start;
    prior.factor.lower()(i, i) = entry(i).deviation;
  }
  return prior;
}

ProcessNoise StateLayout::process_noise() const {
  ProcessNoise noise;
  noise.deviations.resize(dim());
  for (int i = 0; i < dim(); ++i) {
    noise.deviations[i] = entry(i).noise;
    noise.learned_as.push_back(entry(i).noise_learned_as);
  }
  return noise;
}

}  // namespace ovf

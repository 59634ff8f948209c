#pragma once

#include <memory>

#include "ovf/regression/hermite_projection.hpp"
#include "ovf/regression/kernel_ridge.hpp"
#include "ovf/regression/mlp.hpp"
#include "ovf/regression/random_features.hpp"
#include "ovf/regression/regressor.hpp"

namespace ovf {

enum class RegressorKind { kKernelRidge, kHermite, kRandomFeatures, kMlp, kDirectionMlp };

/// Which regressor, and the settings of each; only those of the chosen kind are used.
struct RegressorConfig {
  RegressorKind kind = RegressorKind::kKernelRidge;
  KernelRidgeConfig kernel_ridge;
  HermiteProjectionConfig hermite;
  RandomFeaturesConfig random_features;
  /// Of kMlp and kDirectionMlp.
  MlpConfig mlp;
};

/// Throws std::invalid_argument naming key, value and what was expected.
std::unique_ptr<Regressor> make_regressor(const RegressorConfig& config);

}  // namespace ovf

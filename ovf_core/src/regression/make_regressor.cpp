#include "ovf/regression/direction_mlp.hpp"
#include "ovf/regression/regressor_config.hpp"
#include "regression/require.hpp"

namespace ovf {

std::unique_ptr<Regressor> make_regressor(const RegressorConfig& config) {
  switch (config.kind) {
    case RegressorKind::kKernelRidge:
      return std::make_unique<KernelRidge>(config.kernel_ridge);
    case RegressorKind::kHermite:
      return std::make_unique<HermiteProjection>(config.hermite);
    case RegressorKind::kRandomFeatures:
      return std::make_unique<RandomFeatures>(config.random_features);
    case RegressorKind::kMlp:
      return std::make_unique<MlpRegressor>(config.mlp);
    case RegressorKind::kDirectionMlp:
      return std::make_unique<DirectionMlp>(config.mlp);
  }
  require(false, "kind", static_cast<int>(config.kind), "one of the regressor kinds");
  return nullptr;
}

}  // namespace ovf

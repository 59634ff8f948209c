#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "ovf/math/mlp_network.hpp"
#include "ovf/math/random.hpp"
#include "ovf/regression/regressor.hpp"
#include "ovf/regression/standardiser.hpp"

namespace ovf {

struct MlpConfig {
  std::vector<int> hidden_layers{64, 64};
  Activation activation = Activation::kRelu;
  /// Adam steps per fit, each on a batch drawn with replacement.
  int iterations = 128;
  int batch = 32;
  double learning_rate = 1e-3;
  std::uint64_t seed = 0;
};

/// Throws std::invalid_argument naming key, value and what was expected.
void validate(const MlpConfig& config);
MlpNetwork make_network(const MlpConfig& config, Eigen::Index inputs, Eigen::Index outputs);

/// A neural network fitted by a fresh Adam at each fit, its weights continuing from the last one
/// (Algorithm 2). Inputs and targets are standardised by the samples of the current fit.
/// Predictions use scratch memory of the object (not for two threads at a time).
class MlpRegressor : public Regressor {
 public:
  /// Throws std::invalid_argument on a bad configuration.
  explicit MlpRegressor(const MlpConfig& config);

  void fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) override;
  void predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const override;
  void continue_from(const Regressor& last) override;
  std::unique_ptr<Regressor> clone() const override;
  void archive(Archive& archive, int inputs, int outputs) override;

 private:
  void start_network(Eigen::Index inputs, Eigen::Index outputs);

  MlpConfig config_;
  MlpNetwork network_;
  Eigen::VectorXd parameters_;
  RandomStream weight_random_;
  RandomStream batch_random_;
  Standardiser input_scale_;
  Standardiser target_scale_;
  mutable MlpWorkspace workspace_;
  mutable Eigen::MatrixXd standard_inputs_;
};

}  // namespace ovf

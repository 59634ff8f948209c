#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/math/mlp_network.hpp"
#include "ovf/math/random.hpp"
#include "ovf/regression/mlp.hpp"
#include "ovf/regression/regressor.hpp"
#include "ovf/regression/standardiser.hpp"

namespace ovf {

/// The network of Section 5.3 for S, targets of thousands of numbers: of its outputs the last gives
/// the log magnitude of the target, all others its direction o,
///     prediction = o / |o|_1 * exp(mean + deviation * last output),
/// with the mean and deviation of the log 1-norms of the current targets. Trained on
///     (mean squared error of the log 2-norm - mean cosine of the angle to the target) / 2
/// by a fresh Adam at each fit, its weights continuing from the last one. Predictions use scratch
/// memory of the object (not for two threads at a time).
class DirectionMlp final : public Regressor {
 public:
  /// The paper's settings: hidden_layers {256, 1024}, the rest as it is by default. Throws
  /// std::invalid_argument on a bad configuration.
  explicit DirectionMlp(const MlpConfig& config);

  void fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) override;
  void predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const override;
  void continue_from(const Regressor& last) override;
  std::unique_ptr<Regressor> clone() const override;
  void archive(Archive& archive, int inputs, int outputs) override;

 private:
  /// Of the log 1-norm of the targets that are not zero.
  struct Magnitude {
    double mean = 0.0;
    double deviation = 1.0;
  };
  MlpNetwork make_network(Eigen::Index inputs, Eigen::Index outputs) const;

  MlpConfig config_;
  MlpNetwork network_;
  Eigen::VectorXd parameters_;
  RandomStream weight_random_;
  RandomStream batch_random_;
  Standardiser input_scale_;
  Magnitude magnitude_;
  bool zero_ = true;  // all targets were zero: so are all predictions
  mutable MlpWorkspace workspace_;
  mutable Eigen::MatrixXd standard_inputs_;
};

/// The loss above for raw outputs of the network (one row more than the targets) and, in place of
/// them, its gradient.
double direction_loss(const Eigen::MatrixXd& targets, double magnitude_mean,
                      double magnitude_deviation, Eigen::MatrixXd& outputs);

}  // namespace ovf

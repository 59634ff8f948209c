#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "ovf/regression/regressor.hpp"

namespace ovf {

struct RandomFeaturesConfig {
  /// Even: each random frequency gives a cosine and a sine.
  int features = 256;
  /// As in KernelRidgeConfig, multiplied by the number of samples.
  double ridge = 0.1;
  /// 0: the median pairwise distance at the first fit, kept afterwards.
  double bandwidth = 0.0;
  std::uint64_t seed = 0;
};

/// Ridge regression on random Fourier features of the RBF kernel (Rahimi and Recht, 2007): kernel
/// ridge regression whose cost does not grow with the square of the samples. Predictions use
/// scratch memory of the object (not for two threads at a time).
class RandomFeatures : public Regressor {
 public:
  /// Throws std::invalid_argument on a bad configuration.
  explicit RandomFeatures(const RandomFeaturesConfig& config);

  void fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) override;
  void predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const override;
  void continue_from(const Regressor& last) override;
  std::unique_ptr<Regressor> clone() const override;
  void archive(Archive& archive, int inputs, int outputs) override;

 private:
  void compute_features(const Eigen::MatrixXd& inputs) const;

  RandomFeaturesConfig config_;
  double bandwidth_ = 0.0;
  Eigen::VectorXd centre_;
  // Float, because only the float sine and cosine of Eigen are vectorised.
  Eigen::MatrixXf frequencies_;  // features / 2 x dimension
  Eigen::MatrixXf weights_;      // outputs x features
  mutable Eigen::MatrixXf centred_;
  mutable Eigen::MatrixXf phases_;
  mutable Eigen::MatrixXf features_;
  mutable Eigen::MatrixXf values_;
};

}  // namespace ovf

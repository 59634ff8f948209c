#pragma once

#include <Eigen/Core>

#include "ovf/math/quadratic_functions.hpp"
#include "ovf/math/random.hpp"
#include "ovf/math/student_t.hpp"
#include "ovf/model/parameters.hpp"
#include "ovf/model/sensitivity.hpp"

namespace ovf {

enum class NoiseKind { kGaussian, kStudentT };

/// Whether standard deviations (or scales) are learned: as one factor common to all of them, or
/// each for itself.
enum class LearnedScale { kNo, kShared, kEach };

/// E[h], E[h'] and E[h''] of a function of each residual: its second-order Hermite expansion.
struct ResidualExpansion {
  Eigen::VectorXd value;
  Eigen::VectorXd first;
  Eigen::VectorXd second;

  void resize(Eigen::Index dim) {
    value.resize(dim);
    first.resize(dim);
    second.resize(dim);
  }
};

/// Noise that is independent in each dimension, Gaussian or Student-t (heavy tails: outliers lose
/// their weight). Residuals are dimension x samples.
class ObservationNoise {
 public:
  struct Spec {
    NoiseKind kind = NoiseKind::kGaussian;
    /// Standard deviations of a Gaussian, scales of a Student-t.
    Eigen::VectorXd scales;
    /// Degrees of freedom of a Student-t.
    double nu = 2.0;
    LearnedScale learn_scale = LearnedScale::kNo;
    bool learn_nu = false;
  };

  /// Throws std::invalid_argument naming what is empty, not finite or not positive.
  explicit ObservationNoise(const Spec& spec);

  int dim() const { return static_cast<int>(scales_.size()); }
  NoiseKind kind() const { return kind_; }
  const Eigen::VectorXd& scales() const { return scales_; }
  double nu() const { return nu_; }
  /// "scale", the root mean square of the scales, or "scale[i]" each; then "nu".
  const ParameterVector& parameters() const { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values);

  /// Log density of each column.
  void log_density(const Eigen::MatrixXd& residual, Eigen::VectorXd& out) const;
  /// Residuals of dimension i, replaced by their log densities.
  void log_density(int i, Eigen::Ref<Eigen::ArrayXd> residual) const;
  /// d log density / d residual, entry by entry.
  void slope(const Eigen::MatrixXd& residual, Eigen::MatrixXd& out) const;
  /// d log density / d parameters, parameters x samples.
  void scores(const Eigen::MatrixXd& residual, Eigen::Ref<Eigen::MatrixXd> out) const;
  void sample(RandomStream& random, Eigen::Ref<Eigen::MatrixXd> out) const;

  /// Standard deviations of the Gaussian noise that stands for this one.
  const Eigen::VectorXd& gaussian_deviations() const { return gaussian_deviations_; }

  /// The log density's expansion for residuals e_i ~ N(mean_i, spread_i^2).
  void expected_log_density(const Eigen::VectorXd& mean, const Eigen::VectorXd& spread,
                            ResidualExpansion& out) const;
  /// out_{first+j} += d log density / d parameter_j as functions of z for the same residuals;
  /// column i of by_z is how residual i moves with z.
  void expected_scores(const Eigen::VectorXd& mean, const Eigen::VectorXd& spread,
                       const Eigen::MatrixXd& by_z, int first, QuadraticFunctions& out) const;

  /// Columns of left and right: how the variances of gaussian_deviations move with the scales, from
  /// column `column` on, as parameters from `first` on.
  void add_sensitivity(int first, Eigen::Index column, Sensitivity& out) const;
  /// How many columns that takes.
  int sensitivity_columns() const { return learn_scale_ == LearnedScale::kNo ? 0 : dim(); }
  /// As Observation::add_tail_information, about these parameters alone.
  void add_tail_information(const Eigen::VectorXd& share,
                            Eigen::Ref<Eigen::MatrixXd> information) const;

 private:
  void update_constants();
  void expand_scores(const Eigen::VectorXd& mean, const Eigen::VectorXd& spread) const;

  NoiseKind kind_;
  Eigen::VectorXd scales_;
  double nu_;
  LearnedScale learn_scale_;
  bool learn_nu_;
  Eigen::VectorXd proportions_;  // scales / shared scale
  ParameterVector parameters_;

  // What depends on the parameters only.
  Eigen::VectorXd widths_;  // sqrt(nu) scale
  Eigen::VectorXd gaussian_deviations_;
  Eigen::VectorXd log_normaliser_;  // log density at zero
  double log_constant_slope_ = 0.0;
  StudentTInformation tails_;

  mutable Eigen::ArrayXXd scaled_;
  mutable ResidualExpansion by_scale_, by_nu_;
  mutable Eigen::MatrixXd scaled_z_;
  mutable Eigen::ArrayXXd squares_;
};

}  // namespace ovf

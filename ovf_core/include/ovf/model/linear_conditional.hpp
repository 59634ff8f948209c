#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/quadratic_functions.hpp"
#include "ovf/model/parameters.hpp"
#include "ovf/model/sensitivity.hpp"

namespace ovf {

/// Whether a matrix is learned: its diagonal, or all of it. A learned diagonal noise covariance has
/// its variances as parameters, a learned full one the entries of its Cholesky factor.
enum class Learned { kNo, kDiagonal, kFull };

/// N(output; A input, Q) with any part of A and Q learned: both halves of the linear-Gaussian
/// model. The score of each parameter is a product of two affine functions of (input, output),
/// which is why S is exactly quadratic there.
class LinearConditional {
 public:
  struct Spec {
    std::string matrix_name;
    Eigen::MatrixXd matrix;
    Learned learn_matrix = Learned::kNo;
    std::string noise_name;
    Eigen::MatrixXd noise_covariance;
    Learned learn_noise = Learned::kNo;
  };

  /// Throws std::invalid_argument naming the matrix that has a wrong size, is not finite or, for
  /// the noise, not positive definite.
  explicit LinearConditional(const Spec& spec);

  const AffineGaussian& affine() const { return affine_; }
  const ParameterVector& parameters() const { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values);

  void log_density(const Eigen::MatrixXd& input, const Eigen::MatrixXd& output,
                   Eigen::VectorXd& out) const;
  /// Q^-1 (output - A input): minus the gradient with respect to the output.
  void weighted_residual(const Eigen::MatrixXd& input, const Eigen::MatrixXd& output,
                         Eigen::MatrixXd& out) const;
  void scores(const Eigen::MatrixXd& input, const Eigen::MatrixXd& output,
              Eigen::Ref<Eigen::MatrixXd> out) const;

  void expected_scores(const AffineVariable& input, const AffineVariable& output, int first,
                       QuadraticFunctions& out) const;
  void sensitivity(const Gaussian& input, Sensitivity& out) const;

 private:
  enum class Kind { kMatrix, kVariance, kCholesky };
  struct Entry {
    Kind kind;
    Eigen::Index row;
    Eigen::Index col;
  };

  void add_entry(const std::string& name, Kind kind, Eigen::Index row, Eigen::Index col);

  AffineGaussian affine_;
  std::vector<Entry> entries_;
  ParameterVector parameters_;

  // Scratch of expected_scores and sensitivity, transposed so that a row is a contiguous column.
  mutable Eigen::VectorXd residual_;
  mutable Eigen::MatrixXd residual_z_;
  mutable Eigen::MatrixXd residual_e_;
  mutable Eigen::MatrixXd input_z_;
  mutable Eigen::MatrixXd noise_with_input_;
  mutable Eigen::MatrixXd noise_with_residual_;
  mutable Eigen::VectorXd mixed_;
  mutable Eigen::MatrixXd mixed_z_;
  mutable Eigen::MatrixXd half_covariance_;
  mutable Eigen::MatrixXd cross_covariance_;
};

}  // namespace ovf

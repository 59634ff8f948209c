#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/model/linear_conditional.hpp"
#include "ovf/model/mean_function.hpp"

namespace ovf {

/// m(x) = A x + b with any part learned.
class LinearMean final : public MeanFunction {
 public:
  struct Spec {
    Eigen::MatrixXd A;
    /// Empty stands for zero.
    Eigen::VectorXd b;
    Learned learn_A = Learned::kNo;
    bool learn_b = false;
  };

  /// Throws std::invalid_argument naming what is empty, not finite or of the wrong size.
  explicit LinearMean(const Spec& spec);
  static LinearMean identity(int dim);

  int input_dim() const override { return static_cast<int>(A_.cols()); }
  int output_dim() const override { return static_cast<int>(A_.rows()); }
  /// "A[i,j]" column by column, "b[i]".
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override;
  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override;
  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent,
                           Eigen::Ref<Eigen::MatrixXd> out) const override;
  void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                   Eigen::MatrixXd& slope) const override;
  void parameter_expectation(const StepInput& input, const Gaussian& x, Eigen::MatrixXd& value,
                             Eigen::MatrixXd& slope) const override;
  int only_row(int j) const override;
  bool is_linear() const override { return true; }
  bool has_unit_slope() const override { return unit_slope_; }

 private:
  static constexpr Eigen::Index kOffset = -1;
  struct Entry {
    Eigen::Index row;
    Eigen::Index col;  // kOffset for an entry of b
  };

  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  bool unit_slope_;
  std::vector<Entry> entries_;
  ParameterVector parameters_;
};

}  // namespace ovf

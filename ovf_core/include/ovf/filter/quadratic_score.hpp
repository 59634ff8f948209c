#pragma once

#include "ovf/filter/innovation_information.hpp"
#include "ovf/filter/joint_variables.hpp"
#include "ovf/filter/score_recursion.hpp"

namespace ovf {

/// S as quadratics in whitened coordinates, without their constants: those grow with t and cancel
/// in the increment, which is closed-form. Exact for linear-Gaussian models.
class QuadraticScore final : public ScoreRecursion {
 public:
  /// `recursive` false: S_{t-1} = 0, as in the AELBOs.
  QuadraticScore(const StateSpaceModel& model, bool recursive, bool with_information);

  void update(const StepView& step, const PredictionView& prediction,
              ScoreIncrement& increment) override;
  void commit() override;
  void reject() override { information_.expire(); }
  void archive(Archive& archive, const StateSpaceModel& model) override;

  const QuadraticFunctions& score() const { return score_; }

 private:
  bool recursive_;
  bool with_information_;
  QuadraticFunctions score_;
  QuadraticFunctions next_score_;
  JointVariables joint_;
  InnovationInformation information_;
  Eigen::VectorXd variation_;
  Eigen::MatrixXd scratch_;
};

}  // namespace ovf

#pragma once

#include "ovf/filter/joint_variables.hpp"
#include "ovf/filter/score_recursion.hpp"

namespace ovf {

/// S of thousands of parameters: each S_j is projected on functions of few coefficients,
///     b_j' z, or with squares b_j' z + sum_k d_jk (z_k^2 - 1) / 2,
/// with z the whitened x_t. Its constant cancels in the increment. A step's own scores are
/// projected by spherical cubature, a pair of points along each axis of (z, e): exact where they
/// are quadratic, and sound at the kinks of relu, which nearer points with a heavy centre
/// overstate. S_{t-1} carries over in closed form.
class ProjectedScore final : public ScoreRecursion {
 public:
  /// `recursive` false: S_{t-1} = 0, as in the AELBOs.
  ProjectedScore(const StateSpaceModel& model, bool squares, bool recursive);

  void update(const StepView& step, const PredictionView& prediction,
              ScoreIncrement& increment) override;
  void commit() override;
  void archive(Archive& archive, const StateSpaceModel& model) override;

 private:
  /// Parameters x dimension: a column for each axis of z.
  struct Coefficients {
    Eigen::MatrixXd linear;
    Eigen::MatrixXd squares;  // empty without squares
  };
  /// Adds E[S_{t-1}] under q_t less that under q_{t-1} to the gradient, and S_{t-1} to next_.
  void carry_over(const StepRecord& record, Eigen::VectorXd& gradient);
  /// The expectation of s_t, and its coefficients in next_.
  void project(const StepView& step, Eigen::VectorXd& gradient);
  /// from_ and to_: pairs of points, above and below the mean along each axis.
  void place_points(const Eigen::MatrixXd& from_axes, const Eigen::MatrixXd& to_axes, double radius,
                    bool first);
  void grouped_scores(const StepView& step, const Eigen::Ref<Eigen::MatrixXd>& out);

  bool squares_;
  bool recursive_;
  Coefficients score_;
  Coefficients next_;

  JointVariables joint_;
  Eigen::MatrixXd no_axes_;
  Eigen::MatrixXd from_, to_;
  Eigen::VectorXd weights_;
  Eigen::VectorXd term_;
  Eigen::VectorXd spread_;
  Eigen::MatrixXd slope_;
};

}  // namespace ovf

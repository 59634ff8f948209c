#include "ovf/filter/projected_score.hpp"

#include <cmath>
#include <utility>

namespace ovf {

ProjectedScore::ProjectedScore(const StateSpaceModel& model, bool squares, bool recursive)
    : squares_(squares), recursive_(recursive) {
  const Eigen::Index d = model.state_dim();
  const Eigen::Index count = model.parameters().size();
  score_.linear.setZero(count, d);
  if (squares) score_.squares.setZero(count, d);
  next_ = score_;
  no_axes_.setZero(d, d);
  weights_.resize(2 * d);
  term_.resize(count);
}

void ProjectedScore::update(const StepView& step, const PredictionView& /*prediction*/,
                            ScoreIncrement& increment) {
  joint_.assign(step.record);
  increment.gradient.resize(score_.linear.rows());
  project(step, increment.gradient);
  if (recursive_ && !step.record.first) carry_over(step.record, increment.gradient);
}

void ProjectedScore::place_points(const Eigen::MatrixXd& from_axes, const Eigen::MatrixXd& to_axes,
                                  double radius, bool first) {
  const Eigen::Index d = to_axes.cols();
  to_.resize(d, 2 * d);
  from_.resize(d, 2 * d);
  for (Eigen::Index k = 0; k < d; ++k) {
    to_.col(2 * k) = joint_.to.constant + radius * to_axes.col(k);
    to_.col(2 * k + 1) = joint_.to.constant - radius * to_axes.col(k);
    if (first) continue;
    from_.col(2 * k) = joint_.from.constant + radius * from_axes.col(k);
    from_.col(2 * k + 1) = joint_.from.constant - radius * from_axes.col(k);
  }
}

void ProjectedScore::project(const StepView& step, Eigen::VectorXd& gradient) {
  const bool first = step.record.first;
  const auto d = static_cast<double>(step.model.state_dim());
  const double axes = first ? d : 2.0 * d;
  const double radius = std::sqrt(axes);

  weights_.setConstant(0.5 / axes);
  place_points(joint_.from.by_e, no_axes_, radius, first);
  if (first) {
    gradient.setZero();
  } else {
    grouped_scores(step, gradient);
  }
  place_points(joint_.from.by_z, joint_.to.by_z, radius, first);
  grouped_scores(step, term_);
  gradient += term_;
  if (!recursive_) return;

  for (Eigen::Index n = 0; n < weights_.size(); ++n)
    weights_[n] = (n % 2 == 0 ? 0.5 : -0.5) / radius;
  grouped_scores(step, next_.linear);
  if (!squares_) return;
  weights_.setConstant(1.0 / axes);
  grouped_scores(step, next_.squares);
  // Every point at the mean: all batches have one size, so that no scratch memory is resized.
  place_points(no_axes_, no_axes_, 0.0, first);
  weights_.setConstant(1.0 / (d * axes));
  grouped_scores(step, term_);
  next_.squares.colwise() -= term_;
}

void ProjectedScore::grouped_scores(const StepView& step, const Eigen::Ref<Eigen::MatrixXd>& out) {
  const StepRecord& record = step.record;
  if (record.first) {
    step.model.grouped_first_scores(record.input, record.y, to_, weights_, out);
  } else {
    step.model.grouped_scores(record.input, record.y, from_, to_, weights_, out);
  }
}

void ProjectedScore::carry_over(const StepRecord& record, Eigen::VectorXd& gradient) {
  // The last step's z is c + J z + (noise): b' c + sum_k d_k (c_k^2 + variance_k - 1) / 2 on
  // average, with slope J' (b + d c) and, of its squares, curvatures sum_k d_k J_kl^2.
  joint_.whiten_from(record);
  const AffineVariable& z = joint_.whitened_from;
  gradient.noalias() += score_.linear * z.constant;
  next_.linear.noalias() += score_.linear * z.by_z;
  if (!squares_) return;
  spread_ =
      0.5 * (z.constant.array().square() + joint_.whitened_covariance.diagonal().array() - 1.0);
  gradient.noalias() += score_.squares * spread_;
  slope_.noalias() = z.constant.asDiagonal() * z.by_z;
  next_.linear.noalias() += score_.squares * slope_;
  slope_ = z.by_z.cwiseAbs2();
  next_.squares.noalias() += score_.squares * slope_;
}

void ProjectedScore::commit() { std::swap(score_, next_); }

// S may overflow where the belief does not; then nothing is learned, and it is a state like others.
void ProjectedScore::archive(Archive& archive, const StateSpaceModel& /*model*/) {
  archive.expect("squares in S", static_cast<int>(squares_));
  archive.matrix("linear terms of S", score_.linear, score_.linear.rows(), score_.linear.cols());
  archive.matrix("squares of S", score_.squares, score_.squares.rows(), score_.squares.cols());
}

}  // namespace ovf

#include "ovf/filter/innovation_information.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Numbers of all dC_j beyond which those of parameters that move the mean are left out.
constexpr Eigen::Index kMaxSpread = 1 << 15;
// Share by which positive parameters may move.
constexpr double kSame = 0.05;

}  // namespace

void InnovationInformation::apply(const StepView& step, const PredictionView& prediction,
                                  const QuadraticFunctions& score, ScoreIncrement& increment) {
  const StepRecord& record = step.record;
  if (!still_holds(step.model, record.input)) {
    compute(step.model, record, prediction, record.first ? nullptr : &score, record.previous.factor,
            increment.information);
    limit_noise(step.model.parameters(), increment.information);
  }
  increment.gradient.array() *= limits_.array();
}

void InnovationInformation::compute(const StateSpaceModel& model, const StepRecord& record,
                                    const PredictionView& prediction,
                                    const QuadraticFunctions* score,
                                    const CovarianceFactor& score_factor,
                                    Eigen::MatrixXd& information) {
  const AffineGaussian& g = prediction.observation;
  const Observation& observation = model.observation(record.input);
  const Eigen::Index m = g.noise.dim();
  const Eigen::Index count = model.parameters().size();
  const Eigen::Index split = model.transition_parameter_count();
  is_noise_.assign(static_cast<std::size_t>(count), false);
  if (innovation_.dim() != m) {
    innovation_ = CovarianceFactor(static_cast<int>(m), CovarianceForm::kFull);
  }

  // C = G P G' + V and its factor.
  seen_.noalias() = g.matrix * prediction.prediction.factor.lower();
  covariance_.noalias() = seen_ * seen_.transpose();
  covariance_.noalias() += g.noise.lower() * g.noise.lower().transpose();
  if (!innovation_.assign_covariance(covariance_, scratch_)) {
    information.setZero(count, count);
    return;
  }
  seen_ = g.matrix;
  innovation_.whiten(seen_);

  // The direct parts: f's parameters through the prediction, g's in the observation itself.
  mean_.setZero(m, count);
  if (score != nullptr && split > 0) {
    model.transition().sensitivity(record.input, prediction.belief, transition_);
    mean_.leftCols(split).noalias() = seen_ * transition_.mean;
  }
  if (split < count) {
    observation.sensitivity(prediction.prediction, observation_);
    innovation_.whiten(observation_.mean);
    innovation_.whiten(observation_.left);
    innovation_.whiten(observation_.right);
    mean_.rightCols(count - split) = observation_.mean;
  }
  // Of very many parameters those that move the mean are judged by it alone.
  const bool all = count * m * m <= kMaxSpread;
  spread_of_.clear();
  int spreads = 0;
  for (Eigen::Index j = 0; j < count; ++j) {
    const bool noise = mean_.col(j).isZero(0.0);
    is_noise_[static_cast<std::size_t>(j)] = noise;
    spread_of_.push_back(all || noise ? spreads++ : -1);
  }
  spread_.setZero(m * m, spreads);
  if (score != nullptr && split > 0) {
    left_.noalias() = seen_ * transition_.left;
    right_.noalias() = seen_ * transition_.right;
    add_spread(transition_, left_, right_, 0);
  }
  if (split < count) add_spread(observation_, observation_.left, observation_.right, split);

  // The parts through the belief of the step before.
  if (score != nullptr) {
    const Eigen::Index d = score->dim();
    scratch_.noalias() = prediction.transition.matrix * score_factor.lower();
    seen_state_.noalias() = seen_ * scratch_;
    half_.resize(m, d);
    for (Eigen::Index j = 0; j < count; ++j) {
      const int k = spread_of_[static_cast<std::size_t>(j)];
      if (k < 0) continue;
      half_.noalias() = seen_state_ * score->quadratic().middleCols(j * d, d);
      Eigen::Map<Eigen::MatrixXd>(spread_.col(k).data(), m, m).noalias() +=
          half_ * seen_state_.transpose();
    }
    mean_.noalias() += seen_state_ * score->linear();
  }
  information.noalias() = mean_.transpose() * mean_;
  gram_.noalias() = 0.5 * spread_.transpose() * spread_;
  for (Eigen::Index j = 0; j < count; ++j) {
    for (Eigen::Index i = 0; i < count; ++i) {
      const int a = spread_of_[static_cast<std::size_t>(i)];
      const int b = spread_of_[static_cast<std::size_t>(j)];
      if (a >= 0 && b >= 0) information(i, j) += gram_(a, b);
    }
  }
  information *= record.input.weight;
  if (split == count || record.input.errors_last) return;
  noise_ = g.noise.lower();
  innovation_.whiten(noise_);
  share_ = noise_.colwise().squaredNorm();
  observation.add_tail_information(share_,
                                   information.bottomRightCorner(count - split, count - split));
}

bool InnovationInformation::still_holds(const StateSpaceModel& model, const StepInput& input) {
  const ParameterVector& parameters = model.parameters();
  // Of a linear model it is exact, and worth its time: each gain matches its own observation.
  const bool one_kind =
      !model.transition().is_linear() && &model.observation(input) == &model.observation();
  bool holds = one_kind && count_ == kFirst && age_ < kMaxAge && input.dt == dt_;
  for (int j = 0; j < parameters.size() && holds; ++j) {
    const double moved = std::abs(parameters.values()[j] - theta_[j]);
    holds = parameters.info(j).transform != Transform::kPositive || moved <= kSame * theta_[j];
  }
  if (holds) {
    ++age_;
    return true;
  }
  age_ = 1;
  count_ = std::min(count_ + 1, kFirst);
  dt_ = input.dt;
  theta_ = parameters.values();
  return false;
}

void InnovationInformation::limit_noise(const ParameterVector& parameters,
                                        Eigen::MatrixXd& information) {
  const double most = 2.0 * static_cast<double>(mean_.rows());
  limits_.setOnes(parameters.size());
  for (int j = 0; j < parameters.size(); ++j) {
    const bool level = parameters.info(j).transform == Transform::kPositive;
    if (!level || !is_noise_[static_cast<std::size_t>(j)]) continue;
    const double value = parameters.values()[j];
    const double own = value * value * information(j, j);
    if (!(own > most)) continue;
    limits_[j] = std::sqrt(most / own);
    information.row(j) *= limits_[j];
    information.col(j) *= limits_[j];
  }
}

void InnovationInformation::archive(Archive& archive, const StateSpaceModel& model) {
  const Eigen::Index count = model.parameters().size();
  archive.integer("observations with information", count_, 0, kFirst);
  archive.integer("age of the information", age_, 1, kMaxAge);
  archive.number("dt of the information", dt_);
  for (Eigen::VectorXd* vector : {&theta_, &limits_}) {
    if (vector->size() == 0) vector->setZero(count);
    archive.vector("theta of the information", *vector, count);
    archive.require_finite("theta of the information", *vector);
  }
}

void InnovationInformation::add_spread(const Sensitivity& sensitivity, const Eigen::MatrixXd& left,
                                       const Eigen::MatrixXd& right, Eigen::Index first) {
  const Eigen::Index m = left.rows();
  for (Eigen::Index k = 0; k < left.cols(); ++k) {
    const Eigen::Index j = first + sensitivity.parameter[static_cast<std::size_t>(k)];
    const int column = spread_of_[static_cast<std::size_t>(j)];
    if (column < 0) continue;
    Eigen::Map<Eigen::MatrixXd> matrix(spread_.col(column).data(), m, m);
    matrix.noalias() += left.col(k) * right.col(k).transpose();
    matrix.noalias() += right.col(k) * left.col(k).transpose();
  }
}

}  // namespace ovf

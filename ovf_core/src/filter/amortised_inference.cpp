#include "ovf/filter/amortised_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ovf/math/assign_in_form.hpp"
#include "ovf/math/soft_limit.hpp"
#include "ovf/posterior/amortised_kernel.hpp"
#include "ovf/posterior/factor_parameters.hpp"
#include "ovf/posterior/gru_forward_network.hpp"
#include "ovf/posterior/mlp_forward_network.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 10;
constexpr double kLongestPast = 0.5;
// What the networks see ends so many deviations away: beyond it they would extrapolate, and natural
// gradients take their place.
constexpr double kReach = 10.0;
// A gradient is cut to so many times its usual length, which follows at this rate.
constexpr double kLongestGradient = 3.0;
constexpr double kLengthRate = 0.01;

void limit(Eigen::VectorXd& inputs) { inputs = inputs.cwiseMax(-kReach).cwiseMin(kReach); }

int statistics_dim(int dim) { return 2 * dim; }

std::unique_ptr<ForwardNetwork> make_forward_network(const AmortisedConfig& config, int dim,
                                                     int outputs) {
  const int summary = ObservationSummary::size(dim);
  if (config.memory == AmortisedMemory::kRecurrent) {
    return std::make_unique<GruForwardNetwork>(summary, config.recurrent_units, config.window,
                                               config.hidden_layers, outputs, config.activation);
  }
  return std::make_unique<MlpForwardNetwork>(summary, statistics_dim(dim), config.hidden_layers,
                                             outputs, config.activation);
}

bool has_backward_network(const OnlineVariationalFilterConfig& config) {
  return config.kernel == KernelFamily::kAmortised && config.objective != Objective::kAelbo1;
}

// The weights that a backward network starts with; none where there is no such network.
Eigen::VectorXd initial_kernel_weights(const OnlineVariationalFilterConfig& config, int dim) {
  if (!has_backward_network(config)) return {};
  const AmortisedKernel kernel(dim, amortised_context_dim(config.amortised, dim),
                               config.amortised.hidden_layers, config.amortised.activation,
                               config.kernel_noise, config.seed);
  Eigen::VectorXd weights(kernel.parameter_count());
  kernel.read_parameters(weights);
  return weights;
}

// Least squares need more points than coefficients, and of mirrored points, which tell of slopes
// and of squares by their differences and sums, twice as many as there are of either.
void check_points(const RegressionConfig& config, int dim) {
  const HermiteProjectionConfig& hermite = config.regressor.hermite;
  if (config.regressor.kind != RegressorKind::kHermite || !hermite.least_squares) return;
  const Eigen::Index features = hermite_feature_count(dim, hermite.degree);
  const Eigen::Index odd = hermite.degree == 0 ? 0 : dim;
  const Eigen::Index fewest = std::max(features + 1, 2 * std::max(odd, features - odd));
  if (config.points >= fewest) return;
  throw std::invalid_argument(fmt::format(
      "amortised.kernel_regression.points is {}; expected at least {} for a state of {} "
      "dimensions",
      config.points, fewest, dim));
}

}  // namespace

int amortised_context_dim(const AmortisedConfig& config, int dim) {
  return config.memory == AmortisedMemory::kRecurrent ? config.recurrent_units
                                                      : statistics_dim(dim);
}

AmortisedInference::AmortisedInference(const OnlineVariationalFilterConfig& config, int dim)
    : config_(config.amortised),
      dim_(dim),
      learned_{{}, Adam(0), 0.0},
      committed_(learned_),
      schedule_(config.amortised.schedule),
      random_(config.seed, kStream),
      committed_random_(random_),
      natural_(config.natural_gradient, dim, true),
      elbo_(config.amortised.path_derivative),
      base_(standard_gaussian(dim, config.marginal)),
      relative_(base_),
      imitated_(base_),
      target_(base_),
      memory_(config.amortised.replay, config.amortised.teacher == AmortisedTeacher::kElbo),
      noise_(dim, config.amortised.samples),
      kernel_noise_(noise_) {
  network_ = make_forward_network(config_, dim, relative_.parameter_count());
  const Eigen::VectorXd forward = network_->initial_weights(random_);
  committed_random_ = random_;
  const Eigen::VectorXd kernel = initial_kernel_weights(config, dim);
  forward_count_ = forward.size();
  kernel_count_ = kernel.size();
  learned_.weights.resize(forward_count_ + kernel_count_);
  learned_.weights << forward, kernel;
  learned_.adam = Adam(learned_.weights.size());
  committed_ = learned_;
  if (kernel_count_ > 0 && config_.joint_kernel && config.objective == Objective::kElbo) {
    check_points(config_.kernel_regression, dim);
    kernel_score_.emplace(config_.kernel_regression, config.seed);
  }
  natural_.observe([this](int iteration, const StepRecord& record) { report(iteration, record); });
  natural_.set_out_of_time([this] { return out_of_time(); });
}

void AmortisedInference::begin(const StateSpaceModel& model, const Gaussian& prediction,
                               StepRecord& record) {
  assign_in_form(prediction, base_);
  // Of q_{t-1} as the prediction sees it: how far the mean has moved and how much the deviations
  // have grown, which is much the same wherever the state is.
  const Eigen::ArrayXd before = record.previous.factor.standard_deviations().array();
  const Eigen::ArrayXd after = prediction.factor.standard_deviations().array();
  statistics_.resize(statistics_dim(dim_));
  statistics_.head(dim_) = (prediction.mean - record.previous.mean).array() / after;
  statistics_.tail(dim_) = (after / before).log();
  limit(statistics_);
  summary_.summarise(model, base_, record, seen_);
  beyond_reach_ = seen_.cwiseAbs().maxCoeff() > kReach;
  limit(seen_);
  // A guess of the state is nearer than the prediction.
  if (record.observed && record.input.start.size() == dim_) base_.mean = record.input.start;
  network_->set_weights(forward_weights());
  network_->begin(seen_, statistics_);
  if (kernel_count_ > 0 && !record.first) {
    static_cast<AmortisedKernel&>(*record.kernel).set_context(network_->context());
    if (kernel_score_ && trains()) kernel_score_->begin(record);
  }
}

void AmortisedInference::apply_weights(StepRecord& record) {
  if (kernel_count_ > 0 && !record.first) {
    record.kernel->write_parameters(kernel_weights());
  }
  network_->set_weights(forward_weights());
  // Without an observation the prediction is all that there is, and with an outlier what the inner
  // loop starts from.
  if (record.observed && !beyond_reach_) {
    outputs_ = network_->outputs(network_->inputs());
    assign_relative(outputs_, relative_);
  } else {
    relative_.gaussian() = standard_gaussian(dim_, base_.factor.form());
  }
  Gaussian& q = record.marginal.gaussian();
  const Gaussian& z = relative_.gaussian();
  base_.factor.multiply(z.mean, q.mean);
  q.mean += base_.mean;
  base_.factor.multiply(z.factor.lower(), q.factor.lower());
}

void AmortisedInference::assign_relative(Eigen::Ref<Eigen::VectorXd> outputs,
                                         FilterMarginal& z) const {
  soft_limit(kLogScaleLimit, outputs.segment(dim_, dim_));
  z.write_parameters(outputs);
}

void AmortisedInference::to_output_gradient(const FilterMarginal& z,
                                            Eigen::Ref<Eigen::VectorXd> gradient) const {
  multiply_by_limit_slope(kLogScaleLimit,
                          z.gaussian().factor.lower().diagonal().array().log().matrix(),
                          gradient.segment(dim_, dim_));
}

void AmortisedInference::move_weights(double sign) {
  const double length = gradient_.norm();
  double& usual = learned_.usual_length;
  if (usual == 0.0) usual = length;
  const double longest = kLongestGradient * usual;
  gradient_ *= -sign * (length > longest ? longest / length : 1.0);
  usual += kLengthRate * (std::min(length, longest) - usual);
  learned_.adam.step(gradient_, schedule_.rate(), learned_.weights);
}

int AmortisedInference::optimise(const StateSpaceModel& model, const Gaussian& prediction,
                                 bool restart, ValueRecursion& value, StepRecord& record) {
  if (restart) {
    begin(model, prediction, record);
    apply_weights(record);
    report(0, record);
  }
  if (record.observed && beyond_reach_) {
    return natural_.optimise(model, prediction, restart, value, record);
  }
  if (!trains() || !record.observed) return 1;
  if (config_.teacher == AmortisedTeacher::kElbo) return follow_elbo(model, value, record);
  return natural_.optimise(model, prediction, restart, value, record);
}

int AmortisedInference::follow_elbo(const StateSpaceModel& model, ValueRecursion& value,
                                    StepRecord& record) {
  for (int iteration = 1; iteration <= config_.iterations; ++iteration) {
    if (config_.antithetic) {
      random_.fill_normal_antithetic(noise_);
      random_.fill_normal_antithetic(kernel_noise_);
    } else {
      random_.fill_normal(noise_);
      random_.fill_normal(kernel_noise_);
    }
    gradient(model, value, record, noise_, kernel_noise_, gradient_);
    examples_.clear();
    targets_.clear();
    recall();
    add_examples(-1.0);
    if (!gradient_.allFinite()) return 0;
    move_weights(1.0);
    apply_weights(record);
    report(iteration, record);
    if (out_of_time()) return iteration;
  }
  return config_.iterations;
}

void AmortisedInference::gradient(const StateSpaceModel& model, ValueRecursion& value,
                                  const StepRecord& record, const Eigen::MatrixXd& noise,
                                  const Eigen::MatrixXd& kernel_noise, Eigen::VectorXd& out) {
  out.setZero(learned_.weights.size());
  auto kernel = out.tail(record.first ? 0 : kernel_count_);
  elbo_.estimate(model, value, record, noise, kernel_noise, kernel);
  if (kernel_score_ && !record.first) {
    // What U says of the past holds near the weights that it was found with: it may turn the
    // present's gradient, not outweigh it.
    past_.setZero(kernel.size());
    kernel_score_->add_increment(elbo_.previous(), past_);
    const double longest = kLongestPast * kernel.norm();
    const double length = past_.norm();
    kernel += past_ * (length > longest ? longest / length : 1.0);
  }
  // x = m + L z
  cotangent_.noalias() = base_.factor.lower().transpose() * elbo_.by_state();
  output_gradient_.resize(relative_.parameter_count());
  relative_.parameter_gradient(cotangent_, noise, output_gradient_);
  if (!elbo_.path_derivative()) relative_.add_entropy_gradient(output_gradient_);
  to_output_gradient(relative_, output_gradient_);
  network_->gradient(output_gradient_, out.head(forward_count_));
}

void AmortisedInference::recall() {
  if (memory_.empty()) return;
  for (int i = 0; i < config_.replay_batch; ++i) {
    const ReplayMemory::Example& example = memory_.draw(random_);
    // Every second one as if it were the first: a recurrent network that only knows the states of
    // one long run is lost after a restart.
    const bool forget = i % 2 == 1;
    examples_.push_back(forget ? network_->without_past(example.inputs) : example.inputs);
    targets_.push_back(&example.target);
  }
}

void AmortisedInference::add_examples(double sign) {
  if (examples_.empty()) return;
  part_.resize(forward_count_);
  network_->gradient_of_examples(
      examples_,
      [this](std::size_t k, const Eigen::Ref<Eigen::VectorXd>& outputs) {
        to_divergence_gradient(*targets_[k], outputs);
      },
      part_);
  gradient_.head(forward_count_) += sign * part_;
}

// KL(z || target): d/d mean = P (mean - target mean), d/dM = P M - M^-T, P the target's precision.
void AmortisedInference::to_divergence_gradient(const Gaussian& target,
                                                Eigen::Ref<Eigen::VectorXd> outputs) {
  assign_relative(outputs, imitated_);
  const Gaussian& z = imitated_.gaussian();
  scratch_ = z.mean - target.mean;
  multiply_by_precision(target.factor, scratch_);
  outputs.head(dim_) = scratch_.col(0);
  scratch_ = z.factor.lower();
  multiply_by_precision(target.factor, scratch_);
  factor_gradient(z.factor, scratch_, outputs.tail(outputs.size() - dim_));
  outputs.segment(dim_, dim_).array() -= 1.0;
  to_output_gradient(imitated_, outputs);
}

void AmortisedInference::assign_target(const StepRecord& record) {
  const Gaussian& q = record.marginal.gaussian();
  target_.mean = q.mean - base_.mean;
  base_.factor.whiten(target_.mean);
  target_.factor.lower() = q.factor.lower();
  base_.factor.whiten(target_.factor.lower());
}

void AmortisedInference::imitate() {
  for (int iteration = 0; iteration < config_.iterations; ++iteration) {
    network_->set_weights(forward_weights());
    gradient_.setZero(learned_.weights.size());
    examples_.assign(1, network_->inputs());
    targets_.assign(1, &target_);
    recall();
    add_examples(1.0);
    if (!gradient_.allFinite()) return;
    move_weights(-1.0);
  }
}

void AmortisedInference::commit(const StepView& step, ValueRecursion& value) {
  if (trains()) {
    if (step.record.observed && !beyond_reach_) {
      assign_target(step.record);
      if (config_.teacher == AmortisedTeacher::kNaturalGradient) imitate();
      memory_.add(network_->inputs(), target_);
      schedule_.advance();
    }
    if (kernel_score_) kernel_score_->update(step, value);
  }
  network_->set_weights(forward_weights());
  network_->commit();
  committed_ = learned_;
  committed_random_ = random_;
}

void AmortisedInference::reject() {
  learned_ = committed_;
  random_ = committed_random_;
  if (kernel_score_) kernel_score_->reject();
}

void AmortisedInference::restart() {
  network_->forget();
  if (kernel_score_) kernel_score_->restart();
}

void AmortisedInference::archive(Archive& archive) {
  archive.expect("amortised.memory", static_cast<int>(config_.memory));
  archive.vector("network weights", learned_.weights, learned_.weights.size());
  archive.require_finite("network weights", learned_.weights);
  learned_.adam.archive(archive);
  archive.number("length of gradients", learned_.usual_length);
  archive.require(std::isfinite(learned_.usual_length) && learned_.usual_length >= 0.0,
                  "length of gradients", "0 or a positive number");
  committed_ = learned_;
  schedule_.archive(archive);
  random_.archive(archive);
  committed_random_ = random_;
  network_->archive(archive);
  memory_.archive(archive, dim_, base_.factor.form(),
                  [&](const Eigen::VectorXd& inputs) { return network_->accepts(inputs); });
  archive.expect("amortised.joint_kernel", kernel_score_ ? 1 : 0);
  if (kernel_score_) kernel_score_->archive(archive, dim_, static_cast<int>(kernel_count_));
}

}  // namespace ovf

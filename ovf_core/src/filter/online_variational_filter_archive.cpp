#include <algorithm>
#include <limits>

#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

constexpr std::size_t kLongestReason = 1 << 16;

}  // namespace

void OnlineVariationalFilter::archive(Archive& archive) {
  if (!archive.checking()) {
    archive_state(archive);
    return;
  }
  backup_.clear();
  Archive backup = Archive::writer(backup_);
  archive_state(backup);
  try {
    archive_state(archive);
  } catch (...) {
    Archive restore = Archive::memory_reader(backup_);
    archive_state(restore);
    throw;
  }
}

void OnlineVariationalFilter::archive_state(Archive& archive) {
  archive.sealed("filter", [&] {
    archive_settings(archive);
    archive_result(archive);
    archive_model(archive);
    archive_records(archive);
    random_.archive(archive);
    committed_random_ = random_;
    inference_->archive(archive);
    value_->archive(archive, model_);
    if (score_) score_->archive(archive, model_);
  });
}

// What makes two filters exchange their states.
void OnlineVariationalFilter::archive_settings(Archive& archive) {
  archive.expect("state dimension", model_.state_dim());
  archive.expect("number of parameters", model_.parameters().size());
  archive.expect("objective", static_cast<int>(config_.objective));
  archive.expect("marginal", static_cast<int>(config_.marginal));
  archive.expect("kernel", static_cast<int>(config_.kernel));
  archive.expect("inference", static_cast<int>(config_.inference));
  archive.expect("value", static_cast<int>(config_.value));
  archive.expect("score", static_cast<int>(config_.score));
  archive.expect("lookback", config_.lookback);
  archive.expect("elbo_lag", config_.elbo_lag);
  archive.expect("learning.rule", static_cast<int>(config_.learning.rule));
  archive.expect("tilted", static_cast<int>(tilted_));
}

void OnlineVariationalFilter::archive_result(Archive& archive) {
  archive.choice("status", result_.status, StepStatus::kNumericalFailure);
  archive.text("reason", result_.reason, kLongestReason);
  archive.integer("step", result_.step, 0, std::numeric_limits<long>::max() - 1);
  archive.number("ELBO increment", result_.elbo_increment);
  archive.number("ELBO", result_.elbo);
  archive.require_finite("ELBO", result_.elbo);
  archive.vector("innovation", result_.innovation, Archive::kAnySize);
  archive.number("nis", result_.nis);
  archive.flag("gated", result_.gated);
  archive.integer("iterations", result_.iterations, 0, std::numeric_limits<int>::max());
  archive.flag("learned", result_.learned);
  archive.flag("cut short", result_.cut_short);
  archive.choice("health", result_.health, Health::kRestarted);
  health_.archive(archive);
}

void OnlineVariationalFilter::archive_model(Archive& archive) {
  prior_ = model_.prior();
  prior_.archive(archive, model_.state_dim());
  if (archive.reading()) model_.set_prior(prior_);
  first_belief_.archive(archive, model_.state_dim());
  archive.vector("first theta", first_parameters_, model_.parameters().size());
  if (archive.reading()) {
    ParameterVector checked = model_.parameters();
    checked.set_values(first_parameters_);  // throws outside the bounds
  }
  learner_.archive(archive);
  if (archive.reading() && model_.parameters().values() != learner_.values()) {
    model_.set_parameters(learner_.values());
  }
  const Eigen::Index count = model_.parameters().size();
  archive.vector("score increment", increment_.gradient, Archive::kAnySize);
  archive.require(increment_.gradient.size() == 0 || increment_.gradient.size() == count,
                  "score increment", "none or one number for each parameter");
  archive.matrix("information increment", increment_.information, Archive::kAnySize,
                 Archive::kAnySize);
  archive.require(increment_.information.size() == 0 || (increment_.information.rows() == count &&
                                                         increment_.information.cols() == count),
                  "information increment", "none or a row and a column for each parameter");
}

// The steps that were taken, as far as the recursions look back. Before the first there are only
// the prior and the kernel that the first step leaves as it is.
void OnlineVariationalFilter::archive_records(Archive& archive) {
  if (result_.step == 0) {
    records_[0]->kernel->archive(archive);
    records_[1]->marginal.archive(archive);
    return;
  }
  const long kept = std::min(result_.step, static_cast<long>(records_.size()) - 1);
  for (long k = 1; k <= kept; ++k) {
    StepRecord& record = *records_[static_cast<std::size_t>(k)];
    record.archive(archive, model_);
    archive.require(record.first == (k == result_.step), "first",
                    "true for the first step and no other");
  }
}

}  // namespace ovf

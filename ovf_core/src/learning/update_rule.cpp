#include "ovf/learning/update_rule.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "ovf/learning/schedule.hpp"
#include "ovf/learning/second_order.hpp"
#include "ovf/math/adam.hpp"

namespace ovf {
namespace {

class GradientAscent final : public UpdateRule {
 public:
  explicit GradientAscent(const LearningConfig& config) : schedule_(config.schedule) {}
  void step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& /*information*/,
            Eigen::VectorXd& numbers) override {
    numbers += schedule_.next() * gradient;
  }
  void archive(Archive& archive) override { schedule_.archive(archive); }

 private:
  Schedule schedule_;
};

class AdamAscent final : public UpdateRule {
 public:
  AdamAscent(const LearningConfig& config, int count) : schedule_(config.schedule), adam_(count) {}
  void step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& /*information*/,
            Eigen::VectorXd& numbers) override {
    downhill_ = -gradient;
    adam_.step(downhill_, schedule_.next(), numbers);
  }
  void archive(Archive& archive) override {
    schedule_.archive(archive);
    adam_.archive(archive);
  }

 private:
  Schedule schedule_;
  Adam adam_;
  Eigen::VectorXd downhill_;
};

void require(bool ok, const char* key, double value, const char* expected) {
  if (!ok) throw std::invalid_argument(fmt::format("{} is {}; expected {}", key, value, expected));
}

}  // namespace

void validate(const LearningConfig& config) {
  require(config.burn_in >= 0, "learning.burn_in", config.burn_in, "0 or more steps");
  require(config.schedule.rate > 0.0, "learning.schedule.rate", config.schedule.rate,
          "a positive rate");
  require(config.schedule.scale >= 0.0, "learning.schedule.scale", config.schedule.scale,
          "0 (constant rate) or more");
  require(config.schedule.power > 0.0 && config.schedule.power <= 1.0, "learning.schedule.power",
          config.schedule.power, "a power in (0, 1]");
  require(config.prior_deviation > 0.0, "learning.prior_deviation", config.prior_deviation,
          "a positive standard deviation");
  require(config.retention > 0.0 && config.retention <= 1.0, "learning.retention", config.retention,
          "a factor in (0, 1]");
  require(config.longest_step > 0.0, "learning.longest_step", config.longest_step,
          "a positive number of standard deviations");
}

std::unique_ptr<UpdateRule> make_update_rule(const LearningConfig& config, int count,
                                             const Eigen::VectorXd& prior_deviations) {
  validate(config);
  switch (config.rule) {
    case LearningRule::kNone:
      return nullptr;
    case LearningRule::kGradient:
      return std::make_unique<GradientAscent>(config);
    case LearningRule::kAdam:
      return std::make_unique<AdamAscent>(config, count);
    case LearningRule::kSecondOrder:
      return std::make_unique<SecondOrder>(config, count, prior_deviations);
  }
  return nullptr;
}

}  // namespace ovf

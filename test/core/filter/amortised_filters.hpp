#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "ovf/filter/online_variational_filter.hpp"

namespace ovf::test {

/// A configuration of amortised inference with small networks.
struct AmortisedSetting {
  std::string name;
  OnlineVariationalFilterConfig config;
};

// For the messages of failing tests.
inline void PrintTo(const AmortisedSetting& setting, std::ostream* stream) {
  *stream << setting.name;
}

inline OnlineVariationalFilterConfig small_amortised(AmortisedMemory memory,
                                                     AmortisedTeacher teacher) {
  auto config = OnlineVariationalFilterConfig::amortised_start();
  config.learning.rule = LearningRule::kNone;
  config.amortised.memory = memory;
  config.amortised.teacher = teacher;
  config.amortised.iterations = 20;
  config.amortised.samples = 8;
  config.amortised.schedule.rate = 0.01;
  config.amortised.hidden_layers = {20};
  config.amortised.recurrent_units = 16;
  config.amortised.window = 5;
  return config;
}

/// A backward network too, which needs a regressed T; `joint`: and U.
inline OnlineVariationalFilterConfig small_backward(AmortisedMemory memory, bool joint) {
  auto config = small_amortised(memory, AmortisedTeacher::kElbo);
  config.kernel = KernelFamily::kAmortised;
  config.amortised.joint_kernel = joint;
  config.amortised.iterations = 5;
  config.amortised.kernel_regression.points = 40;
  config.value = config.score = RecursionMethod::kRegression;
  config.value_regression = config.score_regression = AmortisedConfig::lines();
  config.value_regression.points = config.score_regression.points = 60;
  return config;
}

/// What a forward network remembers and learns from.
inline std::vector<AmortisedSetting> forward_settings() {
  using Memory = AmortisedMemory;
  using Teacher = AmortisedTeacher;
  return {
      {"StatisticsNaturalGradient",
       small_amortised(Memory::kStatistics, Teacher::kNaturalGradient)},
      {"StatisticsElbo", small_amortised(Memory::kStatistics, Teacher::kElbo)},
      {"RecurrentNaturalGradient", small_amortised(Memory::kRecurrent, Teacher::kNaturalGradient)},
      {"RecurrentElbo", small_amortised(Memory::kRecurrent, Teacher::kElbo)}};
}

/// And with backward networks.
inline std::vector<AmortisedSetting> all_amortised_settings() {
  auto settings = forward_settings();
  settings.push_back({"StatisticsT", small_backward(AmortisedMemory::kStatistics, false)});
  settings.push_back({"StatisticsTU", small_backward(AmortisedMemory::kStatistics, true)});
  settings.push_back({"RecurrentTU", small_backward(AmortisedMemory::kRecurrent, true)});
  return settings;
}

inline Archive::Bytes bytes_of(OnlineVariationalFilter& filter) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  filter.archive(archive);
  return bytes;
}

inline void read(OnlineVariationalFilter& filter, std::span<const std::byte> bytes) {
  Archive archive = Archive::reader(bytes);
  filter.archive(archive);
  archive.finish();
}

/// y is refused and leaves no trace, however many observations came before: from there on all is as
/// if it had not come. Nothing is archived before, which could tidy up.
inline void expect_refused_without_a_trace(
    const std::function<std::unique_ptr<OnlineVariationalFilter>()>& make,
    const Eigen::MatrixXd& observations, const Eigen::VectorXd& y, StepStatus status) {
  for (const int before : {0, 1, 7}) {
    const auto filter = make();
    const auto untouched = make();
    for (int t = 0; t < before; ++t) {
      EXPECT_TRUE(filter->step(observations.col(t)).ok());
      untouched->step(observations.col(t));
    }
    EXPECT_EQ(filter->step(y).status, status) << "after " << before;
    for (Eigen::Index t = before; t < observations.cols(); ++t) {
      const double elbo = untouched->step(observations.col(t)).elbo;
      ASSERT_EQ(filter->step(observations.col(t)).elbo, elbo) << t << " after " << before;
    }
    EXPECT_EQ(bytes_of(*filter), bytes_of(*untouched)) << "after " << before;
  }
}

}  // namespace ovf::test

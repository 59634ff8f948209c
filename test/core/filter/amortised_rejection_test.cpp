// Steps that fail when the networks have already learned from them.
#include <gtest/gtest.h>

#include <memory>

#include "filter/amortised_filters.hpp"
#include "filter/failing_observation.hpp"
#include "filter/linear_problem.hpp"

namespace ovf {
namespace {

using test::AmortisedSetting;

constexpr int kDim = 3;
constexpr int kSteps = 10;

class AmortisedRejection : public testing::TestWithParam<AmortisedSetting> {
 protected:
  std::unique_ptr<OnlineVariationalFilter> make() const {
    const LinearConditional::Spec f{"F", spec_.F, Learned::kNo, "U", spec_.U, Learned::kNo};
    const LinearConditional::Spec g{"G", spec_.G, Learned::kNo, "V", spec_.V, Learned::kNo};
    return std::make_unique<OnlineVariationalFilter>(
        StateSpaceModel(spec_.prior, std::make_unique<LinearTransition>(f),
                        std::make_unique<test::FailingObservation>(g)),
        GetParam().config);
  }

  LinearGaussianSpec spec_ = test::random_problem(kDim, true, 95);
  Eigen::MatrixXd observations_ = test::observe(spec_, kSteps, 95);
};
INSTANTIATE_TEST_SUITE_P(, AmortisedRejection, testing::ValuesIn(test::all_amortised_settings()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(AmortisedRejection, LeavesNoTraceInTheNetworks) {
  Eigen::VectorXd y = observations_.col(0);
  y[0] = test::FailingObservation::kBad;
  test::expect_refused_without_a_trace([this] { return make(); }, observations_, y,
                                       StepStatus::kNumericalFailure);
  const auto filter = make();
  int iterations = 0;
  filter->observe_iterations([&](int iteration, const StepRecord&) { iterations = iteration; });
  filter->step(y);
  EXPECT_GT(iterations, 0);
}

}  // namespace
}  // namespace ovf

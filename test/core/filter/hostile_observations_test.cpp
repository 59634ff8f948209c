// What real sensors do to a filter. Whatever comes, the step has a named status, the belief stays
// finite and positive definite, and a refused step leaves no trace.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/ensemble_kalman_filter.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_observation.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kScale = 0.1;

StateSpaceModel make_model(NoiseKind kind, int dim) {
  RandomStream random(181);
  return {{Eigen::VectorXd::Zero(dim), CovarianceFactor(dim, CovarianceForm::kDiagonal, 0.1)},
          std::make_unique<NonlinearTransition>(
              std::make_unique<ChaoticRnn>(ChaoticRnn::random(dim, random)),
              0.01 * Eigen::MatrixXd::Identity(dim, dim)),
          std::make_unique<NonlinearObservation>(
              std::make_unique<LinearMean>(LinearMean::identity(dim)),
              ObservationNoise({.kind = kind, .scales = Eigen::VectorXd::Constant(dim, kScale)}))};
}

OnlineVariationalFilterConfig paper_like() {
  auto config = OnlineVariationalFilterConfig::paper();
  config.kernel = KernelFamily::kAffineMlp;
  config.kernel_layers = {8};
  config.reparameterised.iterations = 20;
  config.reparameterised.samples = 8;
  config.value_regression.points = 40;
  config.value_regression.tune_points = 10;
  return config;
}

struct Setting {
  std::string name;
  std::function<std::unique_ptr<Filter>(StateSpaceModel)> make;
};

// For the messages of failing tests.
void PrintTo(const Setting& setting, std::ostream* stream) { *stream << setting.name; }

Setting variational(const std::string& name, const OnlineVariationalFilterConfig& config) {
  return {name, [config](StateSpaceModel model) {
            return std::make_unique<OnlineVariationalFilter>(std::move(model), config);
          }};
}

template <typename Peer, typename Config>
Setting peer(const std::string& name, const Config& config) {
  return {name, [config](StateSpaceModel model) {
            return std::make_unique<Peer>(std::move(model), config);
          }};
}

std::vector<Setting> settings() {
  return {variational("Fast", OnlineVariationalFilterConfig::fast()),
          variational("Accurate", OnlineVariationalFilterConfig::accurate()),
          variational("PaperLike", paper_like()),
          peer<KalmanFilter>("Extended", Linearisation::kTangent),
          peer<EnsembleKalmanFilter>("Ensemble", EnsembleKalmanFilterConfig{}),
          peer<BootstrapParticleFilter>("Particles", BootstrapParticleFilterConfig{})};
}

using Case = std::tuple<Setting, NoiseKind, int>;

class HostileObservations : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<Filter> make() const { return setting_.make(make_model(kind_, dim_)); }

  /// A step (or a skip, without y) of either filter, and all that must hold after any.
  StepResult step(Filter& filter, const Eigen::VectorXd* y) {
    const Gaussian before = filter.belief();
    const StepResult result = y != nullptr ? filter.step(*y) : filter.skip({});
    const std::string status = to_string(result.status);
    EXPECT_NE(status, "unknown");
    EXPECT_EQ(result.reason.empty(), result.ok()) << status << ": " << result.reason;
    EXPECT_TRUE(std::isfinite(result.elbo)) << status;
    const Gaussian& belief = filter.belief();
    EXPECT_TRUE(belief.mean.allFinite());
    EXPECT_TRUE(belief.factor.lower().allFinite());
    EXPECT_GT(belief.factor.lower().diagonal().minCoeff(), 0.0);
    if (result.ok()) {
      ++taken_;
    } else {
      EXPECT_EQ(belief.mean, before.mean) << status;
      EXPECT_EQ(belief.factor.lower(), before.factor.lower()) << status;
    }
    return result;
  }
  StepResult step(const Eigen::VectorXd& y) {
    const StepResult result = step(*filter_, &y);
    EXPECT_EQ(result.step, taken_);
    return result;
  }
  /// Some steps as the model expects them: all of them are taken.
  void calm_steps(int count) {
    for (int t = 0; t < count; ++t) {
      const StepResult result = step(calm_.col(t));
      EXPECT_EQ(result.status, StepStatus::kOk) << result.reason;
    }
  }
  /// Refused, and no trace left: from there on all as if it had not come.
  void expect_refused(const Eigen::VectorXd& y, StepStatus status) {
    calm_steps(3);
    const auto untouched = make();
    for (int t = 0; t < 3; ++t) untouched->step(calm_.col(t));
    EXPECT_EQ(step(y).status, status);
    for (int t = 3; t < 6; ++t) {
      const StepResult expected = untouched->step(calm_.col(t));
      EXPECT_EQ(step(calm_.col(t)).elbo, expected.elbo);
      EXPECT_EQ(filter_->belief().mean, untouched->belief().mean);
      EXPECT_EQ(filter_->belief().factor.lower(), untouched->belief().factor.lower());
    }
  }

  Setting setting_ = std::get<0>(GetParam());
  NoiseKind kind_ = std::get<1>(GetParam());
  int dim_ = std::get<2>(GetParam());
  Eigen::MatrixXd calm_ = [this] {
    RandomStream random(182);
    return simulate(make_model(NoiseKind::kGaussian, dim_), 20, random).observations;
  }();
  std::unique_ptr<Filter> filter_ = make();
  long taken_ = 0;
};

TEST_P(HostileObservations, RefusesNanWithoutATrace) {
  Eigen::VectorXd y = calm_.col(0);
  y[dim_ - 1] = kNan;
  expect_refused(y, StepStatus::kNotFinite);
}

TEST_P(HostileObservations, RefusesInfinityWithoutATrace) {
  Eigen::VectorXd y = calm_.col(0);
  y[0] = -kInfinity;
  expect_refused(y, StepStatus::kNotFinite);
}

TEST_P(HostileObservations, RefusesAWrongSizeWithoutATrace) {
  expect_refused(Eigen::VectorXd::Zero(dim_ + 1), StepStatus::kWrongSize);
}

TEST_P(HostileObservations, RefusesAnEmptyObservationWithoutATrace) {
  expect_refused(Eigen::VectorXd(), StepStatus::kWrongSize);
}

TEST_P(HostileObservations, RefusesABadFirstObservation) {
  EXPECT_EQ(step(Eigen::VectorXd::Constant(dim_, kNan)).status, StepStatus::kNotFinite);
  calm_steps(5);
}

// A million scales away, at the first step, later, in one coordinate and in all.
TEST_P(HostileObservations, SurvivesOutliers) {
  step(Eigen::VectorXd::Constant(dim_, 1e6 * kScale));
  calm_steps(5);
  step(Eigen::VectorXd::Constant(dim_, -1e6 * kScale));
  calm_steps(5);
  Eigen::VectorXd y = calm_.col(5);
  y[0] = 1e6 * kScale;
  step(y);
  step(y);
  calm_steps(5);
}

// So far away that the state's own noise is lost in rounding.
TEST_P(HostileObservations, SurvivesObservationsBeyondAllRounding) {
  for (const double huge : {1e20, -1e50, 1e150}) {
    calm_steps(3);
    step(Eigen::VectorXd::Constant(dim_, huge));
  }
  calm_steps(3);
}

TEST_P(HostileObservations, RefusesNumbersThatOverflowWithoutATrace) {
  expect_refused(Eigen::VectorXd::Constant(dim_, std::numeric_limits<double>::max()),
                 StepStatus::kNumericalFailure);
}

TEST_P(HostileObservations, GoesOnAfterALongTimeWithoutObservations) {
  calm_steps(3);
  for (int t = 0; t < 500; ++t) {
    const StepResult result = step(*filter_, nullptr);
    ASSERT_EQ(result.status, StepStatus::kPredicted) << result.reason;
    ASSERT_EQ(result.step, taken_);
    ASSERT_FALSE(testing::Test::HasFailure()) << "skip " << t;
  }
  const double blind = filter_->belief().factor.lower().norm();
  calm_steps(5);
  EXPECT_EQ(taken_, 508);
  EXPECT_LT(filter_->belief().factor.lower().norm(), blind);
}

TEST_P(HostileObservations, StartsWithoutAnObservation) {
  ASSERT_EQ(step(*filter_, nullptr).status, StepStatus::kPredicted);
  ASSERT_EQ(step(*filter_, nullptr).status, StepStatus::kPredicted);
  calm_steps(5);
}

// A frozen sensor.
TEST_P(HostileObservations, SurvivesAConstant) {
  for (int t = 0; t < 200; ++t) {
    const StepResult result = step(Eigen::VectorXd::Constant(dim_, 0.5));
    ASSERT_EQ(result.status, StepStatus::kOk) << result.reason;
    ASSERT_FALSE(testing::Test::HasFailure()) << "step " << t;
  }
  // The belief settles on what it is told: neither collapses nor runs away.
  EXPECT_LT((filter_->belief().mean.array() - 0.5).abs().maxCoeff(), 0.5);
  EXPECT_GT(filter_->belief().factor.standard_deviations().minCoeff(), 0.01);
}

INSTANTIATE_TEST_SUITE_P(, HostileObservations,
                         testing::Combine(testing::ValuesIn(settings()),
                                          testing::Values(NoiseKind::kGaussian,
                                                          NoiseKind::kStudentT),
                                          testing::Values(1, 3)),
                         [](const auto& tested) {
                           const bool gaussian = std::get<1>(tested.param) == NoiseKind::kGaussian;
                           return std::get<0>(tested.param).name +
                                  (gaussian ? "Gaussian" : "StudentT") + "Dimension" +
                                  std::to_string(std::get<2>(tested.param));
                         });

// With tails as heavy as a Student-t's, an outlier carries no weight.
TEST(Outliers, MoveABeliefWithHeavyTailsByLessThanADeviation) {
  for (const auto& setting : {variational("Fast", OnlineVariationalFilterConfig::fast()),
                              variational("Accurate", OnlineVariationalFilterConfig::accurate())}) {
    const auto filter = setting.make(make_model(NoiseKind::kStudentT, 3));
    const auto blind = setting.make(make_model(NoiseKind::kStudentT, 3));
    RandomStream random(183);
    const auto calm = simulate(make_model(NoiseKind::kGaussian, 3), 10, random).observations;
    for (Eigen::Index t = 0; t < calm.cols(); ++t) {
      filter->step(calm.col(t));
      blind->step(calm.col(t));
    }
    ASSERT_EQ(filter->step(Eigen::VectorXd::Constant(3, 1e6 * kScale)).status, StepStatus::kOk);
    blind->skip({});
    Eigen::VectorXd shift = filter->belief().mean - blind->belief().mean;
    blind->belief().factor.whiten(shift);
    EXPECT_LT(shift.norm(), 1.0) << setting.name;
  }
}

TEST(DegenerateModels, AreRefusedByTheirConstructorsByName) {
  const auto message = [](const auto& change) {
    ChaoticRnnSpec spec;
    spec.W = Eigen::MatrixXd::Identity(2, 2);
    change(spec);
    return test::message_of([&] { make_chaotic_rnn(spec); });
  };
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    EXPECT_PRED2(test::contains, message([&](auto& spec) { spec.process_noise = bad; }),
                 "process_noise is ");
    EXPECT_PRED2(test::contains, message([&](auto& spec) { spec.prior_deviation = bad; }),
                 "prior_deviation is ");
    EXPECT_PRED2(test::contains, message([&](auto& spec) { spec.observation_scale = bad; }),
                 "noise scale 0 is ");
    EXPECT_PRED2(test::contains, message([&](auto& spec) { spec.nu = bad; }), "noise nu is ");
    EXPECT_PRED2(test::contains, message([&](auto& spec) { spec.tau = bad; }), "tau is ");
  }
}

}  // namespace
}  // namespace ovf

// Steps that fail when the networks have already learned from them.
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "filter/amortised_filters.hpp"
#include "filter/linear_problem.hpp"

namespace ovf {
namespace {

using test::AmortisedSetting;

constexpr int kDim = 3;
constexpr int kSteps = 10;
constexpr double kBad = 0.123;

// A linear-Gaussian observation whose density is lost, but not its gradient, where the first number
// is the bad one: the inner loop goes well, and then there is no ELBO.
class FailingObservation final : public Observation {
 public:
  explicit FailingObservation(const LinearConditional::Spec& spec) : linear_(spec) {}

  int state_dim() const override { return linear_.state_dim(); }
  int observation_dim() const override { return linear_.observation_dim(); }
  const ParameterVector& parameters() const override { return linear_.parameters(); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override {
    linear_.set_parameters(values);
  }
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override {
    linear_.log_density(y, x, out);
    if (y[0] == kBad) out.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override {
    linear_.gradient(y, x, out);
  }
  void scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
              Eigen::Ref<Eigen::MatrixXd> out) const override {
    linear_.scores(y, x, out);
  }
  void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const override {
    linear_.sample(x, random, y);
  }
  void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const override {
    linear_.linearise(at, method, out);
  }
  void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                            ExpectedDerivatives& out) const override {
    linear_.expected_derivatives(y, q, out);
    if (y[0] == kBad) out.value = std::numeric_limits<double>::quiet_NaN();
  }
  bool is_conjugate() const override { return true; }

 private:
  LinearObservation linear_;
};

class AmortisedRejection : public testing::TestWithParam<AmortisedSetting> {
 protected:
  std::unique_ptr<OnlineVariationalFilter> make() const {
    const LinearConditional::Spec f{"F", spec_.F, Learned::kNo, "U", spec_.U, Learned::kNo};
    const LinearConditional::Spec g{"G", spec_.G, Learned::kNo, "V", spec_.V, Learned::kNo};
    return std::make_unique<OnlineVariationalFilter>(
        StateSpaceModel(spec_.prior, std::make_unique<LinearTransition>(f),
                        std::make_unique<FailingObservation>(g)),
        GetParam().config);
  }

  LinearGaussianSpec spec_ = test::random_problem(kDim, true, 95);
  Eigen::MatrixXd observations_ = test::observe(spec_, kSteps, 95);
};
INSTANTIATE_TEST_SUITE_P(, AmortisedRejection, testing::ValuesIn(test::all_amortised_settings()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(AmortisedRejection, LeavesNoTraceInTheNetworks) {
  Eigen::VectorXd y = observations_.col(0);
  y[0] = kBad;
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

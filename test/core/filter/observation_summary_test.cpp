#include "ovf/filter/observation_summary.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <memory>

#include "math/random_inputs.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 3;

StateSpaceModel linear_model(const Eigen::MatrixXd& G, const Eigen::MatrixXd& V) {
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(kDim, CovarianceForm::kFull);
  spec.F = spec.U = Eigen::MatrixXd::Identity(kDim, kDim);
  spec.G = G;
  spec.V = V;
  return make_linear_gaussian(spec);
}

// A Student-t around each state.
StateSpaceModel heavy_tails() {
  ChaoticRnnSpec spec;
  spec.W = Eigen::MatrixXd::Identity(kDim, kDim);
  return make_chaotic_rnn(spec);
}

Eigen::VectorXd summary_of(const StateSpaceModel& model, const Gaussian& prediction,
                           const StepRecord& record) {
  Eigen::VectorXd out;
  ObservationSummary().summarise(model, prediction, record, out);
  return out;
}

Eigen::VectorXd summary_of(const StateSpaceModel& model, const Gaussian& prediction,
                           const Eigen::VectorXd& y) {
  StepRecord record;
  record.y = y;
  return summary_of(model, prediction, record);
}

// Where the observation tells the coordinates of the prediction apart, x = m + L z, the two numbers
// of each are its Kalman update: z has the mean `head` and the variance 1 - `tail`.
void expect_kalman(const StateSpaceModel& model, const Gaussian& prediction,
                   const Eigen::VectorXd& y) {
  AffineGaussian g;
  model.observation().linearise(prediction, Linearisation::kTangent, g);
  KalmanGain kalman;
  ASSERT_TRUE(kalman.compute(prediction, g, y));
  Eigen::VectorXd shift = kalman.gain() * kalman.innovation();
  prediction.factor.whiten(shift);
  Eigen::MatrixXd gain = kalman.gain();
  prediction.factor.whiten(gain);
  const Eigen::MatrixXd covariance =
      Eigen::MatrixXd::Identity(kDim, kDim) - gain * kalman.observed_factor();

  const Eigen::VectorXd summary = summary_of(model, prediction, y);
  ASSERT_EQ(summary.size(), ObservationSummary::size(kDim));
  EXPECT_GT(shift.norm(), 0.1);
  EXPECT_TRUE(all_close(summary.head(kDim), shift, 1e-12));
  const Eigen::MatrixXd told_apart = (1.0 - summary.tail(kDim).array()).matrix().asDiagonal();
  EXPECT_TRUE(all_close(told_apart, covariance, 1e-12));
}

TEST(ObservationSummary, IsTheKalmanUpdateOfIndependentStates) {
  RandomInputs inputs(161);
  const Eigen::MatrixXd G = inputs.vector(kDim).asDiagonal();
  const auto model = linear_model(G, inputs.covariance(kDim, CovarianceForm::kDiagonal));
  expect_kalman(model, inputs.gaussian(kDim, CovarianceForm::kDiagonal), inputs.vector(kDim));
}

// The same in the coordinates of a full covariance: each number of y sees one of them.
TEST(ObservationSummary, IsTheKalmanUpdateOfIndependentCoordinatesOfThePrediction) {
  RandomInputs inputs(162);
  const Gaussian prediction = inputs.gaussian(kDim, CovarianceForm::kFull);
  const Eigen::MatrixXd G = prediction.factor.lower().inverse();
  const auto model = linear_model(G, inputs.covariance(kDim, CovarianceForm::kDiagonal));
  expect_kalman(model, prediction, inputs.vector(kDim));
}

TEST(ObservationSummary, IsZeroWithoutAnObservation) {
  RandomInputs inputs(163);
  StepRecord record;
  record.observed = false;
  record.input.start = inputs.vector(kDim);
  EXPECT_EQ(summary_of(heavy_tails(), inputs.gaussian(kDim, CovarianceForm::kFull), record),
            Eigen::VectorXd::Zero(2 * kDim));
}

TEST(ObservationSummary, IsNearlyZeroForAnObservationWithoutInformation) {
  RandomInputs inputs(164);
  const auto model = linear_model(Eigen::MatrixXd::Identity(kDim, kDim),
                                  1e12 * Eigen::MatrixXd::Identity(kDim, kDim));
  const Eigen::VectorXd summary =
      summary_of(model, inputs.gaussian(kDim, CovarianceForm::kFull), inputs.vector(kDim));
  EXPECT_LT(summary.cwiseAbs().maxCoeff(), 1e-10);
}

// A network that saw the picture has said where the state is: its guess is what is told, and the
// observation itself is not looked at.
TEST(ObservationSummary, IsTheStartOfTheStepWhereThereIsOne) {
  RandomInputs inputs(165);
  for (const auto form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    const Gaussian prediction = inputs.gaussian(kDim, form);
    const Eigen::VectorXd z = inputs.vector(kDim);
    StepRecord record;
    record.y.setConstant(kDim, std::numeric_limits<double>::quiet_NaN());
    record.input.start = prediction.mean + prediction.factor.lower() * z;
    Eigen::VectorXd expected(2 * kDim);
    expected << z, Eigen::VectorXd::Zero(kDim);
    EXPECT_TRUE(all_close(summary_of(heavy_tails(), prediction, record), expected, 1e-12));
  }
}

TEST(ObservationSummary, ForgetsAnOutlierOfHeavyTails) {
  const Gaussian prediction{Eigen::VectorXd::Zero(kDim),
                            CovarianceFactor(kDim, CovarianceForm::kFull, 0.1)};
  double last = std::numeric_limits<double>::infinity();
  for (const double far : {1.0, 1e2, 1e4, 1e6}) {
    const Eigen::VectorXd y = Eigen::VectorXd::Constant(kDim, far);
    const double size = summary_of(heavy_tails(), prediction, y).cwiseAbs().maxCoeff();
    EXPECT_LT(size, 0.1 * last);
    last = size;
  }
  EXPECT_LT(last, 1e-6);
}

// Beyond the shoulders of a Student-t its logarithm is not concave: an observation can take
// information away, and the Newton step has no precision to divide by.
TEST(ObservationSummary, StaysBoundedWhereTheLogarithmIsNotConcave) {
  const Gaussian prediction{Eigen::VectorXd::Zero(kDim),
                            CovarianceFactor(kDim, CovarianceForm::kFull, 0.3)};
  double smallest_share = 0.0;
  for (double y = -3.0; y <= 3.0; y += 0.05) {
    const Eigen::VectorXd summary =
        summary_of(heavy_tails(), prediction, Eigen::VectorXd::Constant(kDim, y));
    EXPECT_LT(summary.tail(kDim).cwiseAbs().maxCoeff(), 1.0);
    // A slope of log g is at most (nu + 1) / (2 sqrt(nu) scale), here 10.6 per unit of x.
    EXPECT_LT(summary.head(kDim).cwiseAbs().maxCoeff(), 10.7 * 0.3);
    smallest_share = std::min(smallest_share, summary.tail(kDim).minCoeff());
  }
  EXPECT_LT(smallest_share, -0.1);
}

}  // namespace
}  // namespace ovf

#include "ovf/model/linear_conditional.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "math/random_inputs.hpp"
#include "model/linear_cases.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::cubature_points;
using test::evaluate;
using test::LinearCase;
using test::message_of;
using test::RandomInputs;

constexpr double kRounding = 1e-10;
// Central differences with step 1e-5 of functions with third derivatives up to about 100.
constexpr double kDifferences = 1e-7;
constexpr int kSamples = 3;

class LinearConditionalCase : public ::testing::TestWithParam<LinearCase> {
 protected:
  int count() const { return conditional_.parameters().size(); }
  Eigen::MatrixXd scores(const Eigen::MatrixXd& input, const Eigen::MatrixXd& output) const {
    Eigen::MatrixXd out(count(), input.cols());
    conditional_.scores(input, output, out);
    return out;
  }

  RandomInputs inputs_{51};
  LinearConditional::Spec spec_ = test::linear_spec(GetParam(), inputs_);
  LinearConditional conditional_{spec_};
  Eigen::MatrixXd input_ = inputs_.matrix(GetParam().cols, kSamples);
  Eigen::MatrixXd output_ = inputs_.matrix(GetParam().rows, kSamples);
};

TEST_P(LinearConditionalCase, StartsAtTheGivenMatrices) {
  EXPECT_EQ(conditional_.affine().matrix, spec_.matrix);
  EXPECT_EQ(conditional_.affine().offset, Eigen::VectorXd::Zero(GetParam().rows));
  EXPECT_TRUE(
      all_close(conditional_.affine().noise.covariance(), spec_.noise_covariance, kRounding));
}

TEST_P(LinearConditionalCase, HasOneParameterForEachLearnedEntry) {
  const auto& c = GetParam();
  const int matrix = c.matrix == Learned::kNo         ? 0
                     : c.matrix == Learned::kDiagonal ? std::min(c.rows, c.cols)
                                                      : c.rows * c.cols;
  const int noise = c.noise == Learned::kNo         ? 0
                    : c.noise == Learned::kDiagonal ? c.rows
                                                    : c.rows * (c.rows + 1) / 2;
  EXPECT_EQ(count(), matrix + noise);
}

TEST_P(LinearConditionalCase, HasTheGaussianLogDensity) {
  Eigen::VectorXd values;
  conditional_.log_density(input_, output_, values);
  ASSERT_EQ(values.size(), kSamples);
  const auto factor =
      CovarianceFactor::from_covariance(spec_.noise_covariance, CovarianceForm::kFull);
  for (int i = 0; i < kSamples; ++i) {
    Eigen::VectorXd expected;
    log_density({spec_.matrix * input_.col(i), factor}, output_.col(i), expected);
    EXPECT_NEAR(values[i], expected[0], kRounding);
  }
}

TEST_P(LinearConditionalCase, HasTheNumericalScores) {
  if (count() == 0) return;
  const Eigen::MatrixXd exact = scores(input_, output_);
  for (int i = 0; i < kSamples; ++i) {
    const auto log_density_of_theta = [&](const Eigen::VectorXd& theta) {
      LinearConditional moved = conditional_;
      moved.set_parameters(theta);
      Eigen::VectorXd value;
      moved.log_density(input_.col(i), output_.col(i), value);
      return value[0];
    };
    const Eigen::VectorXd numerical =
        numerical_gradient(log_density_of_theta, conditional_.parameters().values());
    EXPECT_TRUE(all_close(exact.col(i), numerical, kDifferences));
  }
}

TEST_P(LinearConditionalCase, TakesNewParametersIntoItsMatrices) {
  if (count() == 0) return;
  Eigen::VectorXd theta = conditional_.parameters().values();
  for (int j = 0; j < count(); ++j) theta[j] = 1.3 * std::abs(theta[j]) + 0.1 * (j + 1);
  conditional_.set_parameters(theta);
  EXPECT_EQ(conditional_.parameters().values(), theta);
  const ParameterVector& names = conditional_.parameters();
  const AffineGaussian& affine = conditional_.affine();
  for (int i = 0; i < GetParam().rows; ++i) {
    const std::string index = "[" + std::to_string(i) + "," + std::to_string(i) + "]";
    if (GetParam().matrix != Learned::kNo && i < GetParam().cols) {
      EXPECT_EQ(affine.matrix(i, i), theta[names.index_of("A" + index)]);
    }
    if (GetParam().noise == Learned::kDiagonal) {
      EXPECT_NEAR(affine.noise.covariance()(i, i), theta[names.index_of("Q" + index)], kRounding);
    }
    if (GetParam().noise == Learned::kFull) {
      EXPECT_EQ(affine.noise.lower()(i, 0),
                theta[names.index_of("Q.cholesky[" + std::to_string(i) + ",0]")]);
    }
  }
}

TEST_P(LinearConditionalCase, ExpectsTheScoresAveragedOverTheNoise) {
  constexpr int kDimZ = 3, kDimE = 2, kFirst = 2;
  const AffineVariable input = inputs_.affine(GetParam().cols, kDimZ, kDimE);
  const AffineVariable output = inputs_.affine(GetParam().rows, kDimZ, kDimE);
  QuadraticFunctions functions = inputs_.quadratics(kDimZ, kFirst + count() + 1);
  // More points than the ten coefficients of a quadratic in three variables.
  const Eigen::MatrixXd z = inputs_.matrix(kDimZ, 15);
  const Eigen::MatrixXd before = functions.values(z);
  conditional_.expected_scores(input, output, kFirst, functions);
  const Eigen::MatrixXd added = functions.values(z) - before;

  const Eigen::MatrixXd e = cubature_points(kDimE);
  for (int i = 0; i < z.cols(); ++i) {
    const Eigen::MatrixXd brute_force =
        scores(evaluate(input, z.col(i), e), evaluate(output, z.col(i), e)).rowwise().mean();
    EXPECT_TRUE(all_close(added.col(i).segment(kFirst, count()), brute_force, 1e-9));
  }
  EXPECT_TRUE(all_close(added.topRows(kFirst), Eigen::MatrixXd::Zero(kFirst, z.cols()), 0.0));
  EXPECT_TRUE(all_close(added.bottomRows(1), Eigen::MatrixXd::Zero(1, z.cols()), 0.0));
  for (int j = 0; j < functions.count(); ++j) {
    const Eigen::MatrixXd q = functions.quadratic_of(j);
    EXPECT_TRUE(all_close(q, q.transpose(), kRounding));
  }
}

TEST_P(LinearConditionalCase, HasTheNumericalSensitivityOfItsPrediction) {
  const int rows = GetParam().rows;
  const Gaussian input = inputs_.gaussian(GetParam().cols, CovarianceForm::kFull);
  Sensitivity sensitivity;
  conditional_.sensitivity(input, sensitivity);
  ASSERT_EQ(sensitivity.mean.cols(), count());
  if (count() == 0) return;
  // Mean, then the covariance column by column.
  const auto prediction = [&](const Eigen::VectorXd& theta) -> Eigen::VectorXd {
    LinearConditional moved = conditional_;
    moved.set_parameters(theta);
    const Gaussian both = joint(moved.affine(), input);
    Eigen::VectorXd flat(rows + rows * rows);
    flat << both.mean.tail(rows), both.covariance().bottomRightCorner(rows, rows).reshaped();
    return flat;
  };
  const Eigen::MatrixXd numerical =
      numerical_jacobian(prediction, conditional_.parameters().values());
  for (int j = 0; j < count(); ++j) {
    const Eigen::MatrixXd half = sensitivity.left.col(j) * sensitivity.right.col(j).transpose();
    const Eigen::MatrixXd covariance = half + half.transpose();
    EXPECT_TRUE(all_close(sensitivity.mean.col(j), numerical.col(j).head(rows), kDifferences));
    EXPECT_TRUE(all_close(covariance.reshaped(), numerical.col(j).tail(rows * rows), kDifferences));
  }
}

INSTANTIATE_TEST_SUITE_P(, LinearConditionalCase,
                         ::testing::ValuesIn(test::linear_cases({{3, 3}, {2, 3}, {3, 2}})),
                         [](const auto& tested) { return test::case_name(tested.param); });

class LinearConditionalError : public ::testing::Test {
 protected:
  std::string message() const {
    return message_of([&] { LinearConditional{spec_}; });
  }
  RandomInputs inputs_{52};
  LinearConditional::Spec spec_ =
      test::linear_spec({2, 3, Learned::kFull, Learned::kFull}, inputs_);
};

TEST_F(LinearConditionalError, NamesTheMatrixThatIsEmptyOrNotFinite) {
  spec_.matrix(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message(), "matrix A")) << message();
  spec_.matrix.resize(0, 0);
  EXPECT_TRUE(contains(message(), "matrix A")) << message();
}

TEST_F(LinearConditionalError, NamesTheCovarianceOfTheWrongSize) {
  spec_.noise_covariance = Eigen::MatrixXd::Identity(3, 3);
  EXPECT_TRUE(contains(message(), "covariance Q has 3 rows; expected 2 as in A")) << message();
  spec_.noise_covariance = Eigen::MatrixXd::Identity(2, 3);
  EXPECT_TRUE(contains(message(), "Q:")) << message();
}

TEST_F(LinearConditionalError, NamesTheCovarianceThatIsNotPositiveDefinite) {
  spec_.noise_covariance << 1.0, 2.0, 2.0, 1.0;
  EXPECT_TRUE(contains(message(), "Q: covariance is not positive definite")) << message();
}

TEST_F(LinearConditionalError, NamesTheCovarianceWithEntriesOffItsLearnedDiagonal) {
  spec_.learn_noise = Learned::kDiagonal;
  EXPECT_TRUE(contains(message(), "Q: covariance has entries off its diagonal")) << message();
}

TEST_F(LinearConditionalError, NamesTheVarianceThatBecomesNegative) {
  LinearConditional conditional(spec_);
  Eigen::VectorXd theta = conditional.parameters().values();
  theta[conditional.parameters().index_of("Q.cholesky[1,1]")] = -1.0;
  const std::string text = message_of([&] { conditional.set_parameters(theta); });
  EXPECT_TRUE(contains(text, "Q.cholesky[1,1] is -1")) << text;
}

}  // namespace
}  // namespace ovf

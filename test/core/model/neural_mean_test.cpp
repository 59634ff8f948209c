#include "ovf/model/neural_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/mean_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// Weights of order one, so that an error shows.
NeuralMean network_of(const NeuralMean::Spec& spec, std::uint64_t seed) {
  NeuralMean network(spec);
  RandomInputs inputs(seed);
  network.set_parameters(0.6 * inputs.vector(network.parameters().size()));
  return network;
}

StepInput with_control(const Eigen::VectorXd& control) {
  StepInput input;
  input.control = control;
  return input;
}

TEST(NeuralMean, HasThePaperNumberOfParameters) {
  EXPECT_EQ(NeuralMean({}).parameters().size(), 8452);
  // A control is a further column of each W1.
  EXPECT_EQ(NeuralMean({.control_dim = 3}).parameters().size(), 8452 + 4 * 3 * 32);
  EXPECT_EQ(NeuralMean({.control_dim = 3, .control_products = true}).parameters().size(),
            8452 + 4 * 3 * 32 + 4 * 3 * 32 * 32);
}

TEST(NeuralMean, HasTheValuesOfTheFormula) {
  const NeuralMean network =
      network_of({.state_dim = 2, .control_dim = 1, .hidden = 3, .blocks = 2}, 1);
  const ParameterVector& parameters = network.parameters();
  const auto theta = [&](const std::string& name) {
    return parameters.values()[parameters.index_of(name)];
  };
  const Eigen::Vector2d start(0.7, -1.1);
  const double control = 0.4;
  Eigen::Vector2d x = start;
  for (const std::string block : {"block0.", "block1."}) {
    Eigen::Vector3d hidden;
    for (int i = 0; i < 3; ++i) {
      const std::string row = "W1[" + std::to_string(i) + ",";
      const double sum = theta(block + row + "0]") * x[0] + theta(block + row + "1]") * x[1] +
                         theta(block + row + "2]") * control +
                         theta(block + "b1[" + std::to_string(i) + "]");
      hidden[i] = std::max(0.0, sum);
    }
    for (int i = 0; i < 2; ++i) {
      double sum = theta(block + "b2[" + std::to_string(i) + "]");
      for (int j = 0; j < 3; ++j) {
        sum += theta(block + "W2[" + std::to_string(i) + "," + std::to_string(j) + "]") * hidden[j];
      }
      x[i] += theta(block + "s") * sum;
    }
  }
  Eigen::MatrixXd value;
  network.values(with_control(Eigen::VectorXd::Constant(1, control)), start, value);
  EXPECT_TRUE(all_close(value, x, 1e-14));
}

TEST(NeuralMean, HasTheNumericalGradientsOfAllParameters) {
  for (const int control_dim : {0, 2}) {
    for (const bool products : {false, true}) {
      NeuralMean network = network_of({.state_dim = 3,
                                       .control_dim = control_dim,
                                       .control_products = products,
                                       .hidden = 5,
                                       .blocks = 3},
                                      2);
      RandomInputs inputs(3);
      const StepInput input = with_control(inputs.vector(control_dim));
      test::expect_numerical_gradients(network, input, inputs.matrix(3, 6), inputs);
      // A control that did not come counts as zeros.
      test::expect_numerical_gradients(network, {}, inputs.matrix(3, 6), inputs);
    }
  }
}

TEST(NeuralMean, IsWithProductsOfControlsTheSameUntilTheyAreLearned) {
  const NeuralMean plain({.state_dim = 3, .control_dim = 2, .hidden = 5});
  const NeuralMean products(
      {.state_dim = 3, .control_dim = 2, .control_products = true, .hidden = 5});
  RandomInputs inputs(3);
  const StepInput input = with_control(inputs.vector(2));
  const Eigen::MatrixXd x = inputs.matrix(3, 4);
  Eigen::MatrixXd one, other;
  plain.values(input, x, one);
  products.values(input, x, other);
  EXPECT_EQ(one, other);
}

TEST(NeuralMean, GivesABatchWhatItGivesEachSample) {
  const NeuralMean network = network_of({.state_dim = 4, .hidden = 7}, 4);
  RandomInputs inputs(5);
  const Eigen::MatrixXd x = inputs.matrix(4, 9), cotangent = inputs.matrix(4, 9);
  Eigen::MatrixXd values, pulled, one_value, one_pulled;
  Eigen::MatrixXd by_theta(network.parameters().size(), 9), one_by_theta(by_theta.rows(), 1);
  network.values({}, x, values);
  network.pull_back({}, x, cotangent, pulled);
  network.parameter_pull_back({}, x, cotangent, by_theta);
  for (int n = 0; n < 9; ++n) {
    network.values({}, x.col(n), one_value);
    network.pull_back({}, x.col(n), cotangent.col(n), one_pulled);
    network.parameter_pull_back({}, x.col(n), cotangent.col(n), one_by_theta);
    EXPECT_TRUE(all_close(values.col(n), one_value, 1e-14));
    EXPECT_TRUE(all_close(pulled.col(n), one_pulled, 1e-14));
    EXPECT_TRUE(all_close(by_theta.col(n), one_by_theta, 1e-14));
  }
}

TEST(NeuralMean, SumsTheGradientsOfGroups) {
  const NeuralMean network = network_of({.state_dim = 4, .control_dim = 2, .hidden = 7}, 6);
  RandomInputs inputs(7);
  const StepInput input = with_control(inputs.vector(2));
  const Eigen::MatrixXd x = inputs.matrix(4, 12), cotangent = inputs.matrix(4, 12);
  const Eigen::Index count = network.parameters().size();
  Eigen::MatrixXd each(count, 12);
  network.parameter_pull_back(input, x, cotangent, each);
  for (const int groups : {1, 2, 6}) {
    Eigen::MatrixXd sums(count, groups), inherited(count, groups);
    network.grouped_parameter_pull_back(input, x, cotangent, sums);
    network.MeanFunction::grouped_parameter_pull_back(input, x, cotangent, inherited);
    const int size = 12 / groups;
    for (int g = 0; g < groups; ++g) {
      const Eigen::VectorXd expected = each.middleCols(g * size, size).rowwise().sum();
      EXPECT_TRUE(all_close(sums.col(g), expected, 1e-13));
      EXPECT_TRUE(all_close(inherited.col(g), expected, 1e-13));
    }
  }
}

// E[m] and E[dm/dx] on a fine grid of two dimensions.
TEST(NeuralMean, HasTheExactExpectationOfOneBlock) {
  const NeuralMean network = network_of({.state_dim = 2, .hidden = 6, .blocks = 1}, 8);
  RandomInputs inputs(9);
  const Gaussian x = inputs.gaussian(2, CovarianceForm::kFull);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope, jacobian, at_point;
  network.expectation({}, x, value, slope);
  constexpr int kSteps = 400;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(2);
  Eigen::MatrixXd mean_slope = Eigen::MatrixXd::Zero(2, 2);
  double weights = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; j <= kSteps; ++j) {
      const Eigen::Vector2d z(-7.0 + 14.0 * i / kSteps, -7.0 + 14.0 * j / kSteps);
      const double weight = std::exp(-0.5 * z.squaredNorm());
      const Eigen::VectorXd point = x.mean + x.factor.lower() * z;
      network.values({}, point, at_point);
      network.jacobian({}, point, jacobian);
      mean += weight * at_point;
      mean_slope += weight * jacobian;
      weights += weight;
    }
  }
  // The kinks of relu cost the grid some digits.
  EXPECT_TRUE(all_close(value, mean / weights, 1e-4));
  EXPECT_TRUE(all_close(slope, mean_slope / weights, 2e-3));
}

TEST(NeuralMean, HasTheTangentWhereTheStateIsKnown) {
  const NeuralMean network = network_of({.state_dim = 3, .control_dim = 1, .hidden = 5}, 10);
  RandomInputs inputs(11);
  const StepInput input = with_control(inputs.vector(1));
  Gaussian x = inputs.gaussian(3, CovarianceForm::kFull);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope, jacobian, at_mean;
  network.values(input, x.mean, at_mean);
  network.jacobian(input, x.mean, jacobian);
  for (const double scale : {1e-6, 0.0}) {
    x.factor.lower() *= scale;
    network.expectation(input, x, value, slope);
    EXPECT_TRUE(all_close(value, at_mean, 1e-5));
    EXPECT_TRUE(all_close(slope, jacobian, 1e-5));
  }
}

// Against draws: what is lost between blocks is small at the spread of a belief.
TEST(NeuralMean, HasNearlyTheExpectationOfManyBlocks) {
  const NeuralMean network({.seed = 12});
  RandomInputs inputs(13);
  Gaussian x = standard_gaussian(32, CovarianceForm::kDiagonal);
  x.mean = inputs.vector(32);
  x.factor.lower() *= 0.3;
  constexpr int kDraws = 20000;
  const Eigen::MatrixXd z = inputs.matrix(32, kDraws);
  Eigen::MatrixXd values, slope;
  Eigen::VectorXd value;
  network.values({}, (0.3 * z).colwise() + x.mean, values);
  network.expectation({}, x, value, slope);
  // Without the part that has mean zero, the draws know the mean to 1e-4.
  const Eigen::VectorXd mean = (values - 0.3 * slope * z).rowwise().mean();
  EXPECT_LT((value - mean).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(NeuralMean, StartsWithinTheInverseRootOfTheFanInAndFromItsSeed) {
  const NeuralMean network({.control_dim = 4, .seed = 14});
  const ParameterVector& parameters = network.parameters();
  for (int j = 0; j < parameters.size(); ++j) {
    const std::string& name = parameters.info(j).name;
    const double value = parameters.values()[j];
    if (name.ends_with(".s")) {
      EXPECT_EQ(value, 0.1);
    } else if (test::contains(name, "1[")) {
      EXPECT_LE(std::abs(value), 1.0 / 6.0) << name;
    } else {
      EXPECT_LE(std::abs(value), 1.0 / std::sqrt(32.0)) << name;
    }
  }
  EXPECT_EQ(NeuralMean({.control_dim = 4, .seed = 14}).parameters().values(), parameters.values());
  EXPECT_NE(NeuralMean({.control_dim = 4, .seed = 15}).parameters().values(), parameters.values());
}

TEST(NeuralMean, NamesWhatIsWrong) {
  const auto message = [](const NeuralMean::Spec& spec) {
    return test::message_of([&] { NeuralMean{spec}; });
  };
  EXPECT_TRUE(test::contains(message({.state_dim = 0}), "state_dim is 0"));
  EXPECT_TRUE(test::contains(message({.control_dim = -1}), "control_dim is -1"));
  EXPECT_TRUE(test::contains(message({.hidden = 0}), "hidden is 0"));
  EXPECT_TRUE(test::contains(message({.blocks = 0}), "blocks is 0"));
  EXPECT_TRUE(test::contains(message({.scale = std::nan("")}), "scale is nan"));
  const NeuralMean network({.state_dim = 2, .control_dim = 2, .hidden = 2});
  Eigen::MatrixXd out;
  const auto call = [&] {
    network.values(with_control(Eigen::Vector3d::Ones()), Eigen::Vector2d::Zero(), out);
  };
  EXPECT_TRUE(test::contains(test::message_of(call), "a control of 3 numbers"));
}

}  // namespace
}  // namespace ovf

#include "ovf/evaluation/chaotic_rnn_problem.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "evaluation/chaotic_rnn_folder.hpp"
#include "evaluation/temporary_folder.hpp"

namespace ovf {
namespace {

TEST(ChaoticRnnProblem, IsTheSameForTheSameSeed) {
  const auto problem = random_chaotic_rnn_problem(4, 7, 3);
  EXPECT_EQ(problem.dim(), 4);
  EXPECT_EQ(problem.steps(), 7);
  const auto again = random_chaotic_rnn_problem(4, 7, 3);
  EXPECT_EQ(problem.spec.W, again.spec.W);
  EXPECT_EQ(problem.states, again.states);
  EXPECT_EQ(problem.observations, again.observations);
  const auto other = random_chaotic_rnn_problem(4, 7, 4);
  EXPECT_NE(problem.spec.W, other.spec.W);
  EXPECT_NE(problem.observations, other.observations);
}

TEST(ChaoticRnnProblem, NeedsADimensionAndAStep) {
  EXPECT_THROW(random_chaotic_rnn_problem(0, 7, 3), std::invalid_argument);
  EXPECT_THROW(random_chaotic_rnn_problem(4, 0, 3), std::invalid_argument);
}

TEST(ChaoticRnnProblem, IsReadBackFromAFolder) {
  const test::TemporaryFolder folder;
  const auto problem = random_chaotic_rnn_problem(3, 9, 5);
  test::write_problem(folder.path(), problem);
  const auto read = load_chaotic_rnn_problem(folder.path(), 100);
  EXPECT_EQ(read.spec.W, problem.spec.W);
  EXPECT_EQ(read.states, problem.states);
  EXPECT_EQ(read.observations, problem.observations);
  const auto shortened = load_chaotic_rnn_problem(folder.path(), 4);
  EXPECT_EQ(shortened.states, problem.states.leftCols(4));
  EXPECT_EQ(shortened.observations, problem.observations.leftCols(4));
}

TEST(ChaoticRnnProblem, SaysWhichFileIsWrongAndWhy) {
  const auto says = [](const std::string& file, const std::string& text, const std::string& words) {
    const test::TemporaryFolder folder;
    test::write_problem(folder.path(), random_chaotic_rnn_problem(2, 3, 5));
    if (text.empty()) {
      std::filesystem::remove(folder.path() / file);
    } else {
      std::ofstream(folder.path() / file) << text;
    }
    std::string message = "accepted";
    try {
      load_chaotic_rnn_problem(folder.path(), 100);
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(file), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says("W.csv", "", "cannot be read");
  says("x_data.csv", "", "cannot be read");
  says("y_data.csv", "", "cannot be read");
  says("W.csv", "1,2,3\n4,5,6\n", "has 2 x 3 numbers; expected a square matrix");
  says("x_data.csv", "1,2,3\n", "has 3 columns; expected 2");
  says("y_data.csv", "1\n2\n3\n", "has 1 columns; expected 2");
  says("y_data.csv", "1,2\n3,4\n", "has 2 rows; expected 3");
  says("y_data.csv", "1,2\n3,inf\n5,6\n", "is not a finite number");
}

TEST(TrackingRmse, LeavesOutTheFirstTenth) {
  Eigen::MatrixXd truth = Eigen::MatrixXd::Zero(2, 10);
  Eigen::MatrixXd estimates = truth;
  estimates.col(0).setConstant(1000.0);
  EXPECT_EQ(tracking_rmse(estimates, truth), 0.0);
  // Root mean squares of 5 and 2 at two of nine steps.
  estimates.col(4) << 1.0, 7.0;
  estimates.col(9) << -2.0, 2.0;
  EXPECT_NEAR(tracking_rmse(estimates, truth), (5.0 + 2.0) / 9.0, 1e-12);
}

TEST(ChaoticRnnConfigs, LearnNothing) {
  EXPECT_EQ(chaotic_rnn_paper_config(5).learning.rule, LearningRule::kNone);
  EXPECT_EQ(chaotic_rnn_fast_config().learning.rule, LearningRule::kNone);
  EXPECT_EQ(chaotic_rnn_accurate_config().learning.rule, LearningRule::kNone);
  EXPECT_NO_THROW(validate(chaotic_rnn_paper_config(5)));
}

}  // namespace
}  // namespace ovf

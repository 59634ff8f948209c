#include "ovf/evaluation/linear_gaussian_experiments.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "evaluation/temporary_folder.hpp"
#include "ovf/evaluation/linear_gaussian_problem.hpp"
#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

TEST(LinearGaussianStates, ReportsAnExactFastSetting) {
  StatesOptions options;
  options.dim = 3;
  options.steps = 4;
  options.iterations = 2000;
  options.evidence_steps = 50;
  std::ostringstream progress;
  const Report report = linear_gaussian_states(options, progress);
  EXPECT_NO_THROW(check_report(report));
  EXPECT_LT(report.values.at("fast_worst_kl"), 1e-6);
  EXPECT_LT(report.values.at("fast_full_worst_kl"), 1e-6);
  EXPECT_NEAR(report.values.at("fast_relbo_gap"), 0.0, 1e-6);
  EXPECT_NEAR(report.values.at("fast_full_relbo_gap"), 0.0, 1e-6);
  // The inner loop converges: far closer at the end of each step than at its start.
  const Series& paper = report.charts.at(0).series.at(0);
  EXPECT_EQ(paper.x.size(), 4 * 2000 / 50);
  EXPECT_LT(report.values.at("paper_mean_kl"), 0.02);
  EXPECT_NE(progress.str().find("paper"), std::string::npos);
}

TEST(LinearGaussianParameters, FastGradientCoincidesWithExactRmle) {
  ParametersOptions options;
  options.dim = 2;
  options.steps = 300;
  options.sampled_steps = 20;
  options.peers = true;
  options.draws = 20;
  std::ostringstream progress;
  const Report report = linear_gaussian_parameters(options, progress);
  EXPECT_NO_THROW(check_report(report));
  for (const char* matrix : {" F", " G"}) {
    EXPECT_NEAR(report.values.at(std::string("fast (gradient)") + matrix),
                report.values.at(std::string("exact RMLE") + matrix), 1e-7);
  }
  std::set<std::string> methods;
  for (const auto& row : report.tables.at(0).rows) methods.insert(row.at(0));
  EXPECT_EQ(methods,
            (std::set<std::string>{"fast (second order)", "fast (gradient)", "exact RMLE", "paper",
                                   "AELBO-2", "AELBO-1", "backward weights (second order)",
                                   "backward weights (gradient)", "batch maximum likelihood"}));
  EXPECT_NE(report.configuration.find("fast_second_order:"), std::string::npos);
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

TEST(LearningProblem, IsReadFromAFolder) {
  const test::TemporaryFolder folder;
  for (const char* name : {"F_diag", "G_diag", "U_diag", "V_diag", "F_init_diag", "G_init_diag"}) {
    write(folder.path() / (std::string(name) + ".csv"), "0.5, 0.75\n");
  }
  write(folder.path() / "y_data.csv", "1,2\n-3.5,4e-2\r\n\n5,6\n");
  const auto problem = load_learning_problem(folder.path(), 2);
  EXPECT_EQ(problem.truth.F.diagonal(), Eigen::Vector2d(0.5, 0.75));
  EXPECT_EQ(problem.observations, (Eigen::Matrix2d{{1.0, -3.5}, {2.0, 0.04}}));
}

TEST(CsvMatrix, SaysWhatIsWrongAndWhere) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "matrix.csv";
  const auto message_of = [&](const std::string& text) -> std::string {
    write(path, text);
    try {
      read_csv_matrix(path);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto says = [&](const std::string& text, const std::string& words) {
    const std::string message = message_of(text);
    EXPECT_NE(message.find("matrix.csv"), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says("", "is empty");
  says("\n\n", "is empty");
  says("1,2\n3\n", "line 2 has 1 numbers; expected 2");
  says("1,x\n", "line 1: \"x\" is not a finite number");
  says("1,nan\n", "\"nan\" is not a finite number");
  says("1,1e999\n", "is not a finite number");
  says("1,\n", "is not a finite number");
  says("1 2\n", "line 1: expected a comma");
  says(std::string("1,\0002", 4), "is not a finite number");
  EXPECT_THROW(read_csv_matrix(folder.path() / "none.csv"), std::runtime_error);
}

// The figures promised for the paper's own data set, which is not part of this repository.
TEST(RecordedLinearGaussianDataSlow, SecondOrderReachesTheBatchEstimate) {
  const char* folder = std::getenv("OVF_DATA_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "set OVF_DATA_DIR to a folder with linear_gaussian_d10 to run this";
  }
  auto problem =
      load_learning_problem(std::filesystem::path(folder) / "linear_gaussian_d10", 50000);
  problem.start.learn_F = problem.start.learn_G = Learned::kDiagonal;
  OnlineVariationalFilter filter(make_linear_gaussian(problem.start),
                                 OnlineVariationalFilterConfig::fast());
  for (Eigen::Index t = 0; t < problem.observations.cols(); ++t) {
    ASSERT_EQ(filter.step(problem.observations.col(t)).status, StepStatus::kOk);
  }
  const Eigen::VectorXd& theta = filter.parameters();
  EXPECT_LT((theta.head(10) - problem.truth.F.diagonal()).cwiseAbs().mean(), 0.0125);
  EXPECT_LT((theta.tail(10) - problem.truth.G.diagonal()).cwiseAbs().mean(), 0.018);
}

}  // namespace
}  // namespace ovf

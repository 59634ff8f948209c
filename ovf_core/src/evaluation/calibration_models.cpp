// The models of the calibration study that are no robots.
#include "evaluation/calibration_run.hpp"
#include "ovf/evaluation/calibration_study.hpp"
#include "ovf/evaluation/linear_gaussian_problem.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kLinearStream = 120;
constexpr std::uint64_t kFullLinearStream = 121;
constexpr std::uint64_t kNetworkStream = 122;
constexpr int kFullLinearStates = 4;
constexpr int kNetworkStates = 5;

// The prior of F has values for which there is no stationary process.
CalibrationRun calibrate(const LinearGaussianSpec& start, bool full,
                         const CalibrationOptions& options, RandomStream& random) {
  const auto config = OnlineVariationalFilterConfig::fast();
  const auto dim = static_cast<int>(start.F.rows());
  StateSpaceModel truth = make_linear_gaussian(start);
  Eigen::VectorXd values = draw_from_prior(truth.parameters(), config.learning, random);
  const Eigen::MatrixXd F = random_stable_matrix(dim, full, random);
  values.head(F.size()) = F.reshaped();
  truth.set_parameters(values);
  return run_calibration(truth, make_linear_gaussian(start), config, options.steps, options.times,
                         random);
}

LinearGaussianSpec linear_start(int dim) {
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(dim, CovarianceForm::kFull);
  spec.F = 0.75 * Eigen::MatrixXd::Identity(dim, dim);
  spec.G = Eigen::MatrixXd::Identity(dim, dim);
  spec.U = 0.1 * Eigen::MatrixXd::Identity(dim, dim);
  spec.V = 0.1 * Eigen::MatrixXd::Identity(dim, dim);
  spec.learn_F = Learned::kFull;
  spec.learn_V = Learned::kDiagonal;
  return spec;
}

}  // namespace

CalibrationRun calibrate_linear(const CalibrationOptions& options, std::uint64_t seed) {
  RandomStream random(seed, kLinearStream);
  LinearGaussianSpec start = linear_start(1);
  start.learn_U = Learned::kDiagonal;
  return calibrate(start, false, options, random);
}

CalibrationRun calibrate_full_linear(const CalibrationOptions& options, std::uint64_t seed) {
  RandomStream random(seed, kFullLinearStream);
  return calibrate(linear_start(kFullLinearStates), true, options, random);
}

CalibrationRun calibrate_network(const CalibrationOptions& options, std::uint64_t seed) {
  RandomStream random(seed, kNetworkStream);
  auto config = OnlineVariationalFilterConfig::fast();
  config.seed = seed;
  ChaoticRnnSpec start;
  start.W = ChaoticRnn::random(kNetworkStates, random).weights();
  start.learn_process_noise = start.learn_observation_scale = start.learn_nu = true;
  StateSpaceModel truth = make_chaotic_rnn(start);
  truth.set_parameters(draw_from_prior(truth.parameters(), config.learning, random));
  return run_calibration(truth, make_chaotic_rnn(start), config, options.steps, options.times,
                         random);
}

}  // namespace ovf

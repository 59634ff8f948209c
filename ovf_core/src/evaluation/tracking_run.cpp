#include "evaluation/tracking_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/ensemble_kalman_filter.hpp"
#include "ovf/posterior/affine_kernel.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 111;

// The mean of x_{t-1} under q_t: in closed form where q_t is Gaussian, by draws otherwise.
Eigen::VectorXd mean_of_previous(const StateSpaceModel& model, const StepRecord& record, int draws,
                                 RandomStream& random) {
  const AffineGaussian* kernel = record.kernel->affine();
  if (kernel != nullptr && !record.tilted_marginal && !record.tilted_kernel) {
    return kernel->matrix * record.marginal.gaussian().mean + kernel->offset;
  }
  Eigen::MatrixXd x;
  Eigen::MatrixXd previous;
  Eigen::VectorXd log_density;
  record.draw(model, draws, random, x, log_density);
  record.draw_previous(model, x, random, previous, log_density);
  return previous.rowwise().mean();
}

// A Kalman filter's step as a factor of q(x_{1:t}).
StepRecord kalman_record(const ChaoticRnnProblem& problem, const SmoothedSequence& sequence,
                         const Gaussian& prior, int t) {
  const auto k = static_cast<std::size_t>(t);
  StepRecord record;
  record.first = t == 0;
  record.y = problem.observations.col(t);
  record.previous = t == 0 ? prior : sequence.filtered[k - 1];
  record.marginal = FilterMarginal(sequence.filtered[k]);
  auto kernel =
      std::make_unique<AffineKernel>(problem.dim(), CovarianceForm::kFull, CovarianceForm::kFull);
  if (t > 0) kernel->assign(sequence.kernels[k - 1]);
  record.kernel = std::move(kernel);
  return record;
}

}  // namespace

TrackingRun track(Filter& filter, const ChaoticRnnProblem& problem, Progress& progress,
                  const TrackingObserver& after_step) {
  using Clock = std::chrono::steady_clock;
  TrackingRun run;
  run.filtered.resize(problem.dim(), problem.steps());
  Eigen::VectorXd y;
  const StepInput input;
  Clock::duration spent{};
  for (int t = 0; t < problem.steps(); ++t) {
    y = problem.observations.col(t);
    const auto start = Clock::now();
    const StepResult& result = filter.step(y, input);
    spent += Clock::now() - start;
    if (!result.ok()) {
      run.failure = fmt::format("observation {}: {}", t + 1, result.reason);
      progress.advance(static_cast<std::size_t>(problem.steps() - t));
      break;
    }
    run.filtered.col(t) = filter.belief().mean;
    run.online.push_back(result.elbo);
    if (after_step) after_step(t, run);
    progress.advance();
  }
  run.seconds_per_step = std::chrono::duration<double>(spent).count() / problem.steps();
  return run;
}

TrackingRun track_variational(const ChaoticRnnProblem& problem,
                              const OnlineVariationalFilterConfig& config, int draws,
                              Progress& progress, const TrackingObserver& after_step) {
  OnlineVariationalFilter filter(make_chaotic_rnn(problem.spec), config);
  RandomStream random(config.seed, kStream);
  // The kernel of AELBO-1 is q_{t-1}: it smooths nothing.
  const bool smooths = config.objective != Objective::kAelbo1 && problem.steps() > 1;
  return track(filter, problem, progress, [&](int t, TrackingRun& run) {
    run.chain.append(filter.record());
    if (smooths && t == 0) run.smoothed.resize(problem.dim(), problem.steps() - 1);
    if (smooths && t > 0) {
      run.smoothed.col(t - 1) = mean_of_previous(filter.model(), filter.record(), draws, random);
    }
    if (after_step) after_step(t, run);
  });
}

TrackingRun track_kalman(const ChaoticRnnProblem& problem, Linearisation method,
                         Progress& progress) {
  KalmanFilter filter(make_chaotic_rnn(problem.spec), method);
  TrackingRun run = track(filter, problem, progress, {});
  if (!run.failure.empty()) return run;
  const auto sequence = rts_smoother(make_chaotic_rnn(problem.spec), problem.observations, method);
  run.smoothed.resize(problem.dim(), problem.steps() - 1);
  for (int t = 0; t < problem.steps(); ++t) {
    const auto k = static_cast<std::size_t>(t);
    run.chain.append(kalman_record(problem, sequence, filter.model().prior(), t));
    if (t == 0) continue;
    const AffineGaussian& kernel = sequence.kernels[k - 1];
    run.smoothed.col(t - 1) = kernel.matrix * sequence.filtered[k].mean + kernel.offset;
  }
  return run;
}

TrackingRun track_ensemble(const ChaoticRnnProblem& problem, int members, std::uint64_t seed,
                           Progress& progress) {
  EnsembleKalmanFilter filter(make_chaotic_rnn(problem.spec), {.members = members, .seed = seed});
  return track(filter, problem, progress, {});
}

TrackingRun track_particles(const ChaoticRnnProblem& problem, int particles, std::uint64_t seed,
                            Progress& progress) {
  BootstrapParticleFilter filter(make_chaotic_rnn(problem.spec),
                                 {.particles = particles, .seed = seed});
  return track(filter, problem, progress, [&](int t, TrackingRun& run) {
    if (t == 0) run.smoothed.resize(problem.dim(), problem.steps() - 1);
    if (t > 0) run.smoothed.col(t - 1) = filter.smoothed_previous();
  });
}

void require_complete(const TrackingRun& run, const std::string& name) {
  if (!run.failure.empty()) throw std::runtime_error(fmt::format("{}: {}", name, run.failure));
}

}  // namespace ovf

// Steps on the chaotic recurrent network: every setting and every peer, against d and samples.
#include "feed.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/ensemble_kalman_filter.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

constexpr int kObservations = 512;

ChaoticRnnProblem problem(benchmark::State& state) {
  return random_chaotic_rnn_problem(static_cast<int>(state.range(0)), kObservations, 1);
}

void step(benchmark::State& state, const OnlineVariationalFilterConfig& config) {
  const auto data = problem(state);
  OnlineVariationalFilter filter(make_chaotic_rnn(data.spec), config);
  feed(state, filter, data.observations);
}

void rnn_fast(benchmark::State& state) { step(state, chaotic_rnn_fast_config()); }
BENCHMARK(rnn_fast)->Arg(1)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(50)->Arg(100)->Arg(200);

void rnn_fast_without_T(benchmark::State& state) {
  auto config = chaotic_rnn_fast_config();
  config.objective = Objective::kAelbo2;
  step(state, config);
}
BENCHMARK(rnn_fast_without_T)->Arg(5)->Arg(20)->Arg(100);

void rnn_accurate(benchmark::State& state) { step(state, chaotic_rnn_accurate_config()); }
BENCHMARK(rnn_accurate)->Arg(5)->Arg(20)->Arg(100)->Unit(benchmark::kMillisecond);

void rnn_paper(benchmark::State& state, Objective objective) {
  auto config = chaotic_rnn_paper_config(static_cast<int>(state.range(0)));
  config.objective = objective;
  step(state, config);
}
BENCHMARK_CAPTURE(rnn_paper, elbo, Objective::kElbo)
    ->Arg(5)
    ->Arg(20)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rnn_paper, aelbo_2, Objective::kAelbo2)
    ->Arg(5)
    ->Arg(20)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rnn_paper, aelbo_1, Objective::kAelbo1)
    ->Arg(5)
    ->Arg(20)
    ->Arg(100)
    ->Unit(benchmark::kMillisecond);

// The networks of the appendix on amortisation, while they learn and as they are.
void rnn_networks(benchmark::State& state, bool joint, int iterations) {
  auto config = chaotic_rnn_amortised_config(static_cast<int>(state.range(0)));
  config.amortised.joint_kernel = joint;
  config.amortised.iterations = iterations;
  step(state, config);
}
BENCHMARK_CAPTURE(rnn_networks, t, false, 50)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rnn_networks, tu, true, 50)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rnn_networks, at_test_time, true, 0)->Arg(5)->Arg(20);

// A network that starts natural gradients.
void rnn_network_start(benchmark::State& state, int iterations) {
  auto config = OnlineVariationalFilterConfig::amortised_start();
  config.learning.rule = LearningRule::kNone;
  config.amortised.iterations = iterations;
  step(state, config);
}
BENCHMARK_CAPTURE(rnn_network_start, learning, 4)->Arg(5)->Arg(20)->Arg(100);
BENCHMARK_CAPTURE(rnn_network_start, at_test_time, 0)->Arg(5)->Arg(20)->Arg(100);

// range(1) samples per inner iteration.
void rnn_paper_samples(benchmark::State& state) {
  auto config = chaotic_rnn_paper_config(static_cast<int>(state.range(0)));
  config.reparameterised.samples = static_cast<int>(state.range(1));
  step(state, config);
}
BENCHMARK(rnn_paper_samples)->ArgsProduct({{5, 20}, {10, 40, 160}})->Unit(benchmark::kMillisecond);

// Learning gamma, tau, the noise, the scale and nu; with W, its d^2 entries too.
void rnn_learning(benchmark::State& state, bool with_W) {
  auto data = problem(state);
  auto& spec = data.spec;
  spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu = true;
  spec.learn_gamma = spec.learn_tau = !with_W;
  spec.learn_W = with_W;
  OnlineVariationalFilter filter(make_chaotic_rnn(spec), OnlineVariationalFilterConfig::fast());
  feed(state, filter, data.observations);
}
BENCHMARK_CAPTURE(rnn_learning, five_numbers, false)->Arg(5)->Arg(20)->Arg(100);
BENCHMARK_CAPTURE(rnn_learning, with_W, true)->Arg(5)->Arg(20);

void rnn_kalman(benchmark::State& state, Linearisation method) {
  const auto data = problem(state);
  KalmanFilter filter(make_chaotic_rnn(data.spec), method);
  feed(state, filter, data.observations);
}
BENCHMARK_CAPTURE(rnn_kalman, extended, Linearisation::kTangent)->Arg(5)->Arg(20)->Arg(100);
BENCHMARK_CAPTURE(rnn_kalman, unscented, Linearisation::kMoments)->Arg(5)->Arg(20)->Arg(100);

// range(1) members or particles.
void rnn_ensemble(benchmark::State& state) {
  const auto data = problem(state);
  EnsembleKalmanFilterConfig config;
  config.members = static_cast<int>(state.range(1));
  EnsembleKalmanFilter filter(make_chaotic_rnn(data.spec), config);
  feed(state, filter, data.observations);
}
BENCHMARK(rnn_ensemble)->Args({5, 100000})->Args({20, 100000})->Unit(benchmark::kMillisecond);

void rnn_particles(benchmark::State& state) {
  const auto data = problem(state);
  BootstrapParticleFilterConfig config;
  config.particles = static_cast<int>(state.range(1));
  BootstrapParticleFilter filter(make_chaotic_rnn(data.spec), config);
  feed(state, filter, data.observations);
}
BENCHMARK(rnn_particles)
    ->Args({5, 100000})
    ->Args({5, 1000000})
    ->Args({20, 100000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ovf

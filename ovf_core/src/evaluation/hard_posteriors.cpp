#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "ovf/evaluation/hard_problems.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/filter_schema.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/posterior_chain.hpp"

namespace ovf {
namespace {

constexpr int kDraws = 4000;
constexpr std::uint64_t kStream = 23;
// The bootstrap filter is of no use in so many dimensions.
constexpr int kMaxParticleDim = 10;

// Errors of a belief against the true states.
class Errors {
 public:
  void add(const Gaussian& belief, const Eigen::VectorXd& truth) {
    error_ = belief.mean - truth;
    squares_ += error_.squaredNorm() / static_cast<double>(error_.size());
    belief.factor.whiten(error_);
    normalised_ += error_.squaredNorm() / static_cast<double>(error_.size());
    ++count_;
  }
  std::string rmse() const { return fmt::format("{:.3f}", std::sqrt(squares_ / count_)); }
  std::string nees() const { return fmt::format("{:.2f}", normalised_ / count_); }

 private:
  Eigen::VectorXd error_;
  double squares_ = 0.0;
  double normalised_ = 0.0;
  int count_ = 0;
};

void add_particle_filter(const HardProblem& problem, const HardPosteriorOptions& options,
                         std::vector<std::string>& row) {
  if (problem.sequence.states.rows() > kMaxParticleDim) {
    row.insert(row.end(), {"", ""});
    return;
  }
  BootstrapParticleFilter filter(problem.make_model(),
                                 {.particles = options.particles, .seed = options.seed});
  Errors errors;
  double log_evidence = 0.0;
  for (int t = 0; t < problem.steps(); ++t) {
    log_evidence = filter.step(problem.sequence.observations.col(t), HardProblem::input(t)).elbo;
    errors.add(filter.belief(), problem.sequence.states.col(t));
  }
  row.insert(row.end(), {fmt::format("{:.1f}", log_evidence), errors.rmse()});
}

void add_variational(const HardProblem& problem, const OnlineVariationalFilterConfig& config,
                     std::vector<std::string>& row) {
  OnlineVariationalFilter filter(problem.make_model(), config);
  PosteriorChain chain;
  Errors errors;
  int alarms = 0;
  std::string first = "none";
  for (int t = 0; t < problem.steps(); ++t) {
    const StepResult& result =
        filter.step(problem.sequence.observations.col(t), HardProblem::input(t));
    if (result.ok()) chain.append(filter.record());
    errors.add(filter.belief(), problem.sequence.states.col(t));
    if (result.ok() && result.health == Health::kGood) continue;
    if (alarms++ == 0) first = fmt::format("{}, step {}", to_string(result.health), t + 1);
  }
  RandomStream random(config.seed, kStream);
  const auto bound = chain.bound(filter.model(), kDraws, random);
  row.insert(row.end(), {errors.rmse(), errors.nees(),
                         fmt::format("{:.1f} ± {:.1f}", bound.elbo, bound.standard_error),
                         fmt::format("{:+.2f}", filter.last_result().elbo - bound.elbo),
                         fmt::format("{:.0f} %", 100.0 * alarms / problem.steps()), first});
}

}  // namespace

Report hard_posteriors(const HardPosteriorOptions& options, std::ostream& stream) {
  Report report;
  report.name = "hard-posteriors";
  report.title = "Posteriors that are hard for a Gaussian";
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kNone;
  report.configuration = write_filter_config(config, "filter");
  Table table{.title = "fast beside a particle filter",
              .caption =
                  "NEES for each dimension (ideal 1). True ELBO by draws of the whole posterior; "
                  "RELBO, the filter's running estimate, minus it. Alarms: steps whose health is "
                  "not good.",
              .header = {"model", "seed", "log evidence", "RMSE of particles", "RMSE", "NEES",
                         "true ELBO", "RELBO - true", "alarms", "first alarm"}};
  const std::size_t problems = hard_problems(options.seed).size();
  Progress progress("hard posteriors", problems * static_cast<std::size_t>(options.seeds), stream);
  for (std::size_t i = 0; i < problems; ++i) {
    for (int k = 0; k < options.seeds; ++k) {
      const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(k);
      const HardProblem problem = hard_problems(seed)[i];
      std::vector<std::string> row = {problem.name, std::to_string(seed)};
      add_particle_filter(problem, options, row);
      add_variational(problem, config, row);
      table.rows.push_back(std::move(row));
      progress.advance();
    }
  }
  progress.finish();
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace ovf

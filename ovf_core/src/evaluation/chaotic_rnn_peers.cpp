#include "evaluation/chaotic_rnn_peers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <string>
#include <utility>

#include "evaluation/tracking_run.hpp"

namespace ovf {
namespace {

double test_elbo(const ChaoticRnnSpec& spec, const Eigen::VectorXd& theta,
                 const ChaoticRnnProblem& test, std::uint64_t seed, const std::string& label,
                 std::ostream& stream) {
  auto model = make_chaotic_rnn(spec);
  model.set_parameters(theta);
  auto config = chaotic_rnn_accurate_config();
  config.seed = seed;
  OnlineVariationalFilter filter(std::move(model), config);
  Progress progress(label, static_cast<std::size_t>(test.steps()), stream);
  const auto run = track(filter, test, progress, {});
  progress.finish();
  require_complete(run, label);
  return run.online.back();
}

}  // namespace

void add_peers(const LearningCase& learning, const std::vector<LearningRun>& runs,
               const ChaoticRnnProblem& test, std::uint64_t seed, std::ostream& progress,
               Report& report) {
  const auto model = make_chaotic_rnn(learning.truth);
  const Eigen::VectorXd& truth = model.parameters().values();
  const Eigen::Index weights = learning.truth.learn_W ? learning.truth.W.size() : 0;
  Table table{.title = fmt::format("Peers: {}", learning.title),
              .caption = fmt::format(
                  "Errors relative to the truth, of W the mean absolute error. ELBO: of the test "
                  "sequence ({} steps), by accurate with the learned parameters. Time: one step "
                  "including learning, this machine.",
                  test.steps()),
              .header = {"method"}};
  if (weights > 0) table.header.emplace_back("W");
  for (Eigen::Index j = weights; j < truth.size(); ++j) {
    table.header.push_back(model.parameters().info(static_cast<int>(j)).name);
  }
  table.header.emplace_back("ELBO, nats");
  table.header.emplace_back("time per step, µs");

  const auto add = [&](const std::string& name, const Eigen::VectorXd& theta) {
    std::vector<std::string> row{name};
    if (weights > 0) {
      row.push_back(fmt::format("{:.4f}", (theta - truth).head(weights).cwiseAbs().mean()));
    }
    for (Eigen::Index j = weights; j < truth.size(); ++j) {
      row.push_back(fmt::format("{:.4f}", std::abs(theta[j] / truth[j] - 1.0)));
    }
    const double elbo = test_elbo(learning.truth, theta, test, seed,
                                  fmt::format("{}, ELBO, {}", learning.id, name), progress);
    row.push_back(fmt::format("{:.1f}", elbo));
    report.values[fmt::format("{} {} test_elbo", learning.id, name)] = elbo;
    return row;
  };
  for (const auto& run : runs) {
    table.rows.push_back(add(run.name, run.parameters.back()));
    table.rows.back().push_back(fmt::format("{:.1f}", run.seconds_per_step * 1e6));
  }
  table.rows.push_back(add("truth", truth));
  table.rows.back().emplace_back("–");
  report.tables.push_back(table);
}

}  // namespace ovf

#include "evaluation/chaotic_rnn_settings.hpp"

#include "ovf/evaluation/chaotic_rnn_problem.hpp"

namespace ovf {

std::vector<ChaoticRnnSetting> chaotic_rnn_settings(int dim) {
  const auto paper = chaotic_rnn_paper_config(dim);
  auto aelbo_1 = paper;
  aelbo_1.objective = Objective::kAelbo1;
  auto aelbo_2 = paper;
  aelbo_2.objective = Objective::kAelbo2;
  return {{kAelbo1Name, "aelbo_1", aelbo_1},
          {kAelbo2Name, "aelbo_2", aelbo_2},
          {kPaperName, "paper", paper},
          {kFastName, "fast", chaotic_rnn_fast_config()},
          {kAccurateName, "accurate", chaotic_rnn_accurate_config()}};
}

ChaoticRnnSetting fast_without_recursion() {
  auto config = chaotic_rnn_fast_config();
  config.objective = Objective::kAelbo2;
  return {"fast without T", "fast_without_t", config};
}

}  // namespace ovf

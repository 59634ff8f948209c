#include "evaluation/chaotic_rnn_settings.hpp"

#include "ovf/evaluation/chaotic_rnn_problem.hpp"

namespace ovf {

std::vector<ChaoticRnnSetting> chaotic_rnn_settings(int dim, bool published) {
  const auto paper = published ? chaotic_rnn_published_config() : chaotic_rnn_paper_config(dim);
  auto aelbo_1 = paper;
  aelbo_1.objective = Objective::kAelbo1;
  auto aelbo_2 = paper;
  aelbo_2.objective = Objective::kAelbo2;
  return {{kAelbo1Name, "aelbo_1", aelbo_1},
          {kAelbo2Name, "aelbo_2", aelbo_2},
          {published ? kPublishedName : kPaperName, published ? "published" : "paper", paper},
          {kFastName, "fast", chaotic_rnn_fast_config()},
          {kAccurateName, "accurate", chaotic_rnn_accurate_config()}};
}

std::string sampled_settings_text(bool published) {
  if (published) {
    return "AELBO-1, AELBO-2 and \"ours (published)\" are the three objectives of the paper with "
           "the "
           "authors' iterations, samples, rates, starts, kernel and ridge. One thing is added: T "
           "falls to zero outside the region that its points covered.";
  }
  return "AELBO-1, AELBO-2 and \"ours (paper)\" are the three objectives of the paper, maximised "
         "with "
         "samples and Adam, T by kernel ridge, but not with the published iterations, starts and "
         "kernel (config.yaml has those used; --published takes the authors').";
}

ChaoticRnnSetting fast_without_recursion() {
  auto config = chaotic_rnn_fast_config();
  config.objective = Objective::kAelbo2;
  return {"fast without T", "fast_without_t", config};
}

}  // namespace ovf

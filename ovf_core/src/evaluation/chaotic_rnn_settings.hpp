#pragma once

#include <string>
#include <vector>

#include "ovf/filter/online_variational_filter_config.hpp"

namespace ovf {

/// A variational filter that the experiments compare, by its name in tables and in a parameter
/// file.
struct ChaoticRnnSetting {
  std::string name;
  std::string node;
  OnlineVariationalFilterConfig config;
};

inline constexpr const char* kAelbo1Name = "AELBO-1";
inline constexpr const char* kAelbo2Name = "AELBO-2";
inline constexpr const char* kPaperName = "ours (paper)";
inline constexpr const char* kFastName = "ours (fast)";
inline constexpr const char* kAccurateName = "ours (accurate)";

/// AELBO-1 and AELBO-2 on the paper's setting, the paper's, fast, accurate. Nothing is learned.
std::vector<ChaoticRnnSetting> chaotic_rnn_settings(int dim);

/// Fast with T dropped: what the backward recursion adds to natural gradients is the difference.
ChaoticRnnSetting fast_without_recursion();

}  // namespace ovf

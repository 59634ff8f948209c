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
inline constexpr const char* kPublishedName = "ours (published)";
inline constexpr const char* kFastName = "ours (fast)";
inline constexpr const char* kAccurateName = "ours (accurate)";

/// The paper's algorithm with its three objectives (AELBO-1, AELBO-2, the ELBO), fast, accurate.
/// `published`: the first three as the authors ran them. Nothing is learned.
std::vector<ChaoticRnnSetting> chaotic_rnn_settings(int dim, bool published);

/// What a report says of the first three.
std::string sampled_settings_text(bool published);

/// Fast with T dropped: what the backward recursion adds to natural gradients is the difference.
ChaoticRnnSetting fast_without_recursion();

}  // namespace ovf

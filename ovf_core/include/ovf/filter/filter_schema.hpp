#pragma once

#include <filesystem>
#include <string>

#include "ovf/config/schema.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"

namespace ovf {

/// The ready-made configuration that a file starts from, named by its key `setting`.
enum class FilterSetting { kFast, kAccurate, kAmortised, kPaper };

OnlineVariationalFilterConfig filter_preset(FilterSetting setting);

/// The schema: every field with key, range and meaning.
void visit(ConfigVisitor& visitor, FilterSetting& setting);
void visit(ConfigVisitor& visitor, LearningConfig& config);
void visit(ConfigVisitor& visitor, RegressionConfig& config);
void visit(ConfigVisitor& visitor, OnlineVariationalFilterConfig& config);

/// The preset that `setting` names (fast if absent) with the other keys of the text applied, and
/// validated. Throws std::invalid_argument as read_yaml and validate do, with the source name.
OnlineVariationalFilterConfig read_filter_config(const std::string& text,
                                                 const std::string& source_name);
/// The same from a file; also throws std::runtime_error if it cannot be read.
OnlineVariationalFilterConfig load_filter_config(const std::filesystem::path& path);

/// A ROS parameter file with every key; read_filter_config gives the same configuration back.
std::string write_filter_config(const OnlineVariationalFilterConfig& config,
                                const std::string& node_name = "ovf");

/// The first part of docs/parameters.md.
std::string filter_parameter_reference();

}  // namespace ovf

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "ovf/evaluation/report.hpp"

namespace ovf {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity: both become null.
Json number_or_null(double value);

Json series_json(const Series& series);

/// Text that is not valid UTF-8 gets replacement characters instead of failing the whole file.
std::string json_text(const Json& json, int indent);

}  // namespace ovf

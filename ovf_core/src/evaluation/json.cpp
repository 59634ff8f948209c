#include "evaluation/json.hpp"

#include <cmath>

namespace ovf {
namespace {

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number_or_null(value));
  return array;
}

}  // namespace

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json series_json(const Series& series) {
  Json json = {{"name", series.name},
               {"style", series.style},
               {"x", numbers(series.x)},
               {"y", numbers(series.y)}};
  if (series.style == "band") {
    json["lower"] = numbers(series.lower);
    json["upper"] = numbers(series.upper);
  }
  return json;
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace ovf

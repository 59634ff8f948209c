#pragma once

#include <string>
#include <vector>

#include "ovf/config/schema.hpp"

namespace ovf {

/// One field of a configuration as text for people; `value` is as in a YAML file.
struct Parameter {
  std::string key;
  std::string type;  ///< bool, int, double, string, int[], double[] or string[]
  std::string value;
  std::string range;  ///< empty: any
  std::string doc;
};

/// In the order of the schema.
std::vector<Parameter> list_parameters(const VisitFields& visit);

/// A Markdown table of key, type, default, range and meaning; the values shown are the defaults.
std::string parameter_reference(const VisitFields& visit);
std::string parameter_reference(const std::vector<Parameter>& parameters);

}  // namespace ovf

#pragma once

#include <string>

namespace ovf {

/// Names in the order that people expect: bag_2 before bag_10.
bool comes_before(const std::string& a, const std::string& b);

}  // namespace ovf

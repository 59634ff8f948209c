#pragma once

#include <string>
#include <vector>

#include "ovf/estimator/estimator.hpp"

namespace ovf {

/// What speaks against the model or its configuration so far, in sentences with the sensor or
/// parameter and the numbers; empty if nothing does.
std::vector<std::string> findings(const Estimator& estimator);

}  // namespace ovf

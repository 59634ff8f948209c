#pragma once

#include <string>
#include <vector>

#include "ovf/estimator/estimator.hpp"

namespace ovf {

/// Appends what speaks against the inputs themselves, in sentences: sensors that contradicted each
/// other, and clocks that are off.
void add_input_findings(const Estimator& estimator, std::vector<std::string>& out);

}  // namespace ovf

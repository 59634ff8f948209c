#pragma once

#include <string>
#include <vector>

#include "ovf/evaluation/calibration.hpp"
#include "ovf/evaluation/report.hpp"

namespace ovf {

/// Table, rank histograms, coverage and z-scores of one model. The id names charts and values.
void add_calibration(const std::string& id, const std::string& title,
                     const std::vector<CalibrationRun>& runs, Report& report);

}  // namespace ovf

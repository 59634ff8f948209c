#pragma once

#include <string>

#include "ovf/evaluation/report.hpp"
#include "ovf/evaluation/result_folder.hpp"

namespace ovf {

/// All values, tables and series; non-finite numbers are null.
std::string results_json(const Report& report);

/// A cell of a CSV file, in quotes if it needs them.
std::string csv_field(const std::string& text);

/// Long format, one line per point: series,x,y, and lower,upper if the chart has a band.
std::string chart_csv(const Chart& chart);

/// Writes results.json, <chart id>.csv for each chart, config.yaml, report.html and the report's
/// own files. Checks the report first (check_report), so that a bad one leaves no half-written
/// folder.
void write_report(const ResultFolder& folder, const Report& report);

}  // namespace ovf

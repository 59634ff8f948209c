#pragma once

#include <string>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// The report as one HTML page that needs no network: style, data and Chart.js are inside. Series
/// of more than about 2000 points are drawn downsampled. Throws as check_report does.
std::string html_page(const Report& report);

}  // namespace ovf

#pragma once

#include <string>

namespace ovf {

/// Offered profiles with numbers for policies (reliability: 1) instead of the words that rosbag2
/// writes since Jazzy (reliability: reliable): Humble reads only those, later ones both.
std::string numeric_qos(const std::string& profiles);

}  // namespace ovf

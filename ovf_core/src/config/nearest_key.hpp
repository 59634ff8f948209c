#pragma once

#include <string>
#include <vector>

namespace ovf {

/// The known key that somebody most likely meant: few letters apart, or in another group under the
/// same name. Empty if none is near.
std::string nearest_key(const std::string& unknown, const std::vector<std::string>& known);

}  // namespace ovf

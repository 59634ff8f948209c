#include "ovf_ros/checkpoint_file.hpp"

#include <stdexcept>
#include <system_error>

namespace ovf_ros {

std::string checkpoint_file(const std::string& named, const std::string& configured) {
  if (!named.empty()) return named;
  if (configured.empty()) {
    throw std::invalid_argument("no path; expected one, or the parameter checkpoint to be set");
  }
  return configured;
}

std::filesystem::path set_aside(const std::filesystem::path& file) {
  std::filesystem::path aside = file;
  aside += ".unfit";
  std::error_code failed;
  std::filesystem::rename(file, aside, failed);
  return failed ? file : aside;
}

}  // namespace ovf_ros

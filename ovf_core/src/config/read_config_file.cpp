#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "ovf/config/yaml.hpp"

namespace ovf {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw std::runtime_error(
      fmt::format("cannot read the configuration file {}: {}", path.string(), reason));
}

}  // namespace

std::string read_config_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "it is a folder");
  // A pipe may never end, and a device neither begins nor ends.
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(path, "it is no plain file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, errno != 0 ? std::strerror(errno) : "it cannot be opened");

  // Not by the file's size, which may change.
  std::string text(kLargestConfigBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) fail(path, "reading failed");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestConfigBytes) {
    fail(path, fmt::format("it has more than {} bytes", kLargestConfigBytes));
  }
  return text;
}

}  // namespace ovf

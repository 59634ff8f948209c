#include "ovf/evaluation/result_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace ovf {
namespace {

namespace fs = std::filesystem;

std::string time_stamp(std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
}

// A name that stays inside its folder and is not hidden.
void require_plain_name(const std::string& name, const char* what) {
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos) {
    throw std::invalid_argument(fmt::format(
        "{} '{}' must be a plain name, without '/' and without a leading dot", what, name));
  }
}

[[noreturn]] void fail_to_create(const fs::path& path, const std::string& reason) {
  throw std::runtime_error(
      fmt::format("cannot create the result folder {}: {}. Choose another output folder, or make "
                  "this one a writable directory.",
                  path.string(), reason));
}

fs::path create_unique_folder(const fs::path& out, const std::string& base) {
  for (int attempt = 1; attempt <= 10000; ++attempt) {
    fs::path path = out / (attempt == 1 ? base : fmt::format("{}-{}", base, attempt));
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) fail_to_create(path, error.message());
  }
  fail_to_create(out / base, "10000 folders of this name exist already");
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& out, const std::string& name,
                           std::chrono::system_clock::time_point now) {
  require_plain_name(name, "experiment name");
  std::error_code error;
  const fs::path absolute_out = fs::absolute(out.empty() ? fs::path(".") : out, error);
  if (error) fail_to_create(out, error.message());
  fs::create_directories(absolute_out, error);
  if (error) fail_to_create(absolute_out, error.message());
  path_ = create_unique_folder(absolute_out, name + "-" + time_stamp(now));
}

void ResultFolder::write(const std::string& file_name, std::string_view content) const {
  require_plain_name(file_name, "result file");
  const fs::path target = path_ / file_name;
  const fs::path temporary = path_ / ("." + file_name + ".part");
  errno = 0;
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  std::error_code error;
  if (file.fail()) {
    error = std::error_code(errno != 0 ? errno : EIO, std::generic_category());
  } else {
    fs::rename(temporary, target, error);
  }
  if (error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw std::runtime_error(
        fmt::format("cannot write {}: {}. Check the free space and the permissions of the folder.",
                    target.string(), error.message()));
  }
}

std::optional<std::string> ResultFolder::link_latest() const {
  const fs::path link = path_.parent_path() / "latest";
  std::error_code error;
  const fs::file_status status = fs::symlink_status(link, error);
  if (fs::exists(status) && !fs::is_symlink(status)) {
    return fmt::format("{} is not a link and was left as it is; the results are in {}",
                       link.string(), path_.string());
  }
  // A link cannot be changed in place: make a new one and rename it over the old one.
  const fs::path temporary =
      path_.parent_path() / fmt::format(".latest-{}", path_.filename().string());
  fs::remove(temporary, error);
  fs::create_directory_symlink(path_.filename(), temporary, error);
  if (!error) fs::rename(temporary, link, error);
  if (!error) return std::nullopt;
  const std::string reason = error.message();
  fs::remove(temporary, error);
  return fmt::format("cannot update the link {}: {}; the results are in {}", link.string(), reason,
                     path_.string());
}

}  // namespace ovf

#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ovf {

/// A new folder <out>/<name>-YYYYMMDD-HHMMSS (local time) for the files of one run. A second run in
/// the same second gets -2 at the end, then -3. Errors are std::runtime_error with the path, the
/// reason and what to do.
class ResultFolder {
 public:
  ResultFolder(const std::filesystem::path& out, const std::string& name,
               std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

  /// A folder that is there already.
  static ResultFolder existing(const std::filesystem::path& path) { return ResultFolder(path); }

  const std::filesystem::path& path() const { return path_; }

  /// A reader sees the whole file or none: written beside its place, then renamed.
  void write(const std::string& file_name, std::string_view content) const;

  /// Points the relative link <out>/latest at this folder; to be called when all files are written.
  /// The results are safe without the link, so a failure is returned as a message, not thrown.
  [[nodiscard]] std::optional<std::string> link_latest() const;

 private:
  explicit ResultFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace ovf

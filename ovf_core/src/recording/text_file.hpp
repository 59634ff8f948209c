#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace ovf {

/// A new text file that notices when nothing more can be written.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path);

  template <typename... Args>
  void print(fmt::format_string<Args...> text, Args&&... args) {
    line_.clear();
    fmt::format_to(std::back_inserter(line_), text, std::forward<Args>(args)...);
    write(line_);
  }
  /// Throws RecordingError, as a full disk may show only then.
  void close();

 private:
  void write(const std::string& text);

  std::filesystem::path path_;
  std::ofstream file_;
  std::string line_;
};

}  // namespace ovf

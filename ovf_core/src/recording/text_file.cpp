#include "recording/text_file.hpp"

#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw RecordingError(fmt::format(
      "{}: cannot be written; is the disk full, or the folder not writable?", path.string()));
}

}  // namespace

TextFile::TextFile(const std::filesystem::path& path)
    : path_(path), file_(path, std::ios::binary | std::ios::trunc) {
  if (!file_) fail(path_);
}

void TextFile::write(const std::string& text) {
  file_ << text;
  if (!file_) fail(path_);
}

void TextFile::close() {
  file_.close();
  if (file_.fail()) fail(path_);
}

}  // namespace ovf

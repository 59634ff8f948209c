#include "ovf/recording/recording_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "recording/bag/bag_metadata.hpp"
#include "recording/bag/qos_text.hpp"
#include "recording/bag/write_whole.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

class FolderWriter : public RecordingWriter {
 public:
  FolderWriter(fs::path folder, const McapOptions& options) : folder_(std::move(folder)) {
    summary_.file = fmt::format("{}_0.mcap", folder_.filename().string());
    file_ = create_mcap(folder_ / summary_.file, options);
  }

  int add_topic(const Topic& topic) override {
    Topic stored = topic;
    stored.qos = numeric_qos(topic.qos);
    const int index = file_->add_topic(stored);
    const auto size = static_cast<std::size_t>(index) + 1;
    if (summary_.topics.size() < size) {
      summary_.topics.resize(size);
      summary_.counts.resize(size);
      stored.definition.clear();
      summary_.topics.back() = std::move(stored);
    }
    return index;
  }

  void write(const RecordedMessage& message) override {
    file_->write(message);
    ++summary_.counts.at(static_cast<std::size_t>(message.topic));
    summary_.first_time = std::min(summary_.first_time, message.log_time);
    summary_.last_time = std::max(summary_.last_time, message.log_time);
  }

  void close() override {
    if (std::exchange(closed_, true)) return;
    file_->close();
    write_whole(folder_ / "metadata.yaml", bag_metadata_text(summary_));
  }

 private:
  fs::path folder_;
  BagSummary summary_;
  std::unique_ptr<RecordingWriter> file_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<RecordingWriter> create_recording(const fs::path& path,
                                                  const McapOptions& options) {
  std::error_code error;
  // Without "." and a slash at the end: the file is called like the folder.
  fs::path folder = fs::weakly_canonical(fs::absolute(path, error), error);
  if (!folder.has_filename()) folder = folder.parent_path();
  if (!error && folder.has_filename()) fs::create_directories(folder, error);
  if (error || !folder.has_filename()) {
    throw RecordingError(
        fmt::format("{}: cannot be created ({}). Check the path and its permissions.",
                    path.string(), error ? error.message() : "not a folder"));
  }
  const bool empty = fs::is_empty(folder, error);
  if (error || !empty) {
    throw RecordingError(fmt::format(
        "{}: is not an empty folder. Give a new one, or delete what is in it.", path.string()));
  }
  return std::make_unique<FolderWriter>(std::move(folder), options);
}

}  // namespace ovf

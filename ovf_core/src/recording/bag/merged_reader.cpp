#include "recording/bag/merged_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "recording/bag/merged_topics.hpp"
#include "recording/bag/message_decompressor.hpp"

namespace ovf {
namespace {

std::uint64_t size_of(const std::vector<std::filesystem::path>& paths) {
  std::uint64_t bytes = 0;
  for (const auto& path : paths) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (!error) bytes += size;
  }
  return bytes;
}

// Beyond, files are opened a second time when their turn comes: descriptors are few.
constexpr std::size_t kMostOpen = 64;

struct File {
  std::filesystem::path path;
  std::unique_ptr<RecordingReader> reader;
  std::int64_t first_time = INT64_MIN;
  /// For each of the file's topics, the recording's.
  std::vector<int> topics;
  std::size_t warnings_taken = 0;
  RecordedMessage message;
};

class MergedReader : public RecordingReader {
 public:
  MergedReader(RecordingFiles files, const ReadOptions& options, std::shared_ptr<UnpackPool> pool,
               OpenFile open)
      : open_(std::move(open)),
        budget_(size_of(files.paths), std::move(pool)),
        warnings_(std::move(files.warnings)),
        topics_(files.metadata.topics),
        compressed_(files.metadata.compression_mode == "message") {
    const bool keep_open = files.paths.size() <= kMostOpen;
    bool all_counted = true;
    for (auto& path : files.paths) look_into(std::move(path), options, keep_open, all_counted);
    if (!all_counted) count_ = 0;
    if (unknown_times_) std::tie(first_, last_) = std::pair{INT64_MAX, INT64_MIN};
    if (!usable_) throw RecordingError(first_error_);
    std::stable_sort(files_.begin(), files_.end(),
                     [](const File& a, const File& b) { return a.first_time < b.first_time; });
  }

  const std::vector<Topic>& topics() const override { return topics_.topics(); }
  std::int64_t first_time() const override { return first_; }
  std::int64_t last_time() const override { return last_; }
  std::uint64_t message_count() const override { return count_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }

  bool next(RecordedMessage& message) override {
    while (true) {
      if (current_) advance(*std::exchange(current_, std::nullopt));
      // A file has its turn when the others reach its first time.
      while (unstarted_ < files_.size() &&
             (waiting_.empty() || files_[unstarted_].first_time <= waiting_.begin()->first)) {
        start(unstarted_++);
      }
      if (waiting_.empty()) return finish();
      current_ = waiting_.begin()->second;
      waiting_.erase(waiting_.begin());
      message = files_[*current_].message;
      if (translate(files_[*current_], message) && unpack(message)) return true;
    }
  }

 private:
  void look_into(std::filesystem::path path, const ReadOptions& options, bool keep_open,
                 bool& all_counted) {
    File file{.path = std::move(path), .reader = {}, .topics = {}, .message = {}};
    try {
      file.reader = open_(file.path);
    } catch (const RecordingError& error) {
      if (first_error_.empty()) first_error_ = error.what();
      warnings_.push_back(fmt::format("{} (this file is left out)", error.what()));
      return;
    }
    usable_ = true;
    file.topics = topics_.translate(file.reader->topics());
    take_warnings(file);
    count_ += file.reader->message_count();
    const std::int64_t first = file.reader->first_time();
    const std::int64_t last = file.reader->last_time();
    const bool known = first <= last;
    if (known) {
      file.first_time = first;
      first_ = std::min(first_, first);
      last_ = std::max(last_, last);
      if (file.reader->message_count() == 0) all_counted = false;
      if (last < options.start || (first >= options.end && options.end != INT64_MAX)) return;
    } else {
      // An empty file and one that does not say look the same.
      unknown_times_ = unknown_times_ || file.reader->message_count() > 0;
    }
    if (!keep_open) file.reader.reset();
    files_.push_back(std::move(file));
  }

  void take_warnings(File& file) {
    const auto& found = file.reader->warnings();
    for (; file.warnings_taken < found.size(); ++file.warnings_taken) {
      warnings_.push_back(found[file.warnings_taken]);
    }
  }

  void start(std::size_t index) {
    File& file = files_[index];
    try {
      if (!file.reader) file.reader = open_(file.path);
    } catch (const RecordingError& error) {
      warnings_.push_back(fmt::format("{} (this file is left out)", error.what()));
      return;
    }
    advance(index);
  }

  void advance(std::size_t index) {
    File& file = files_[index];
    bool more = false;
    try {
      more = file.reader->next(file.message);
    } catch (const RecordingError& error) {
      warnings_.emplace_back(error.what());
    }
    take_warnings(file);
    if (more) {
      waiting_.emplace(file.message.log_time, index);
    } else {
      file.reader.reset();
    }
  }

  bool translate(File& file, RecordedMessage& message) {
    const auto topic = static_cast<std::size_t>(message.topic);
    // A file that changed since, or that told of a topic only now.
    if (topic >= file.topics.size()) file.topics = topics_.translate(file.reader->topics());
    if (topic >= file.topics.size()) return false;
    message.topic = file.topics[topic];
    return true;
  }

  // Messages compressed one by one; those of a .db3 file are decompressed already.
  bool unpack(RecordedMessage& message) {
    if (!compressed_ || !is_zstd(message.data)) return true;
    if (decompressor_.decompress(message.data, budget_, message.data)) return true;
    if (++left_out_ == 1) {
      warnings_.push_back(fmt::format("{}: the message at {} ns is left out: {}",
                                      files_[*current_].path.string(), message.log_time,
                                      kNotDecompressed));
    }
    return false;
  }

  bool finish() {
    if (left_out_ > 1) {
      warnings_.push_back(fmt::format("{} messages in all could not be decompressed", left_out_));
    }
    left_out_ = 0;
    return false;
  }

  OpenFile open_;
  UnpackBudget budget_;
  std::vector<std::string> warnings_;
  MergedTopics topics_;
  bool compressed_;
  bool usable_ = false;
  bool unknown_times_ = false;
  std::string first_error_;
  std::int64_t first_ = INT64_MAX;
  std::int64_t last_ = INT64_MIN;
  std::uint64_t count_ = 0;
  std::vector<File> files_;
  std::size_t unstarted_ = 0;
  /// Started files by the time of their next message.
  std::set<std::pair<std::int64_t, std::size_t>> waiting_;
  /// The file whose message was given out, and is still in use.
  std::optional<std::size_t> current_;
  MessageDecompressor decompressor_;
  std::uint64_t left_out_ = 0;
};

}  // namespace

std::unique_ptr<RecordingReader> merge_files(RecordingFiles files, const ReadOptions& options,
                                             std::shared_ptr<UnpackPool> pool, OpenFile open) {
  return std::make_unique<MergedReader>(std::move(files), options, std::move(pool),
                                        std::move(open));
}

}  // namespace ovf

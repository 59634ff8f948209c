#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "recording/mcap/mcap_index.hpp"

namespace ovf::mcap {

/// Which messages the options ask for.
class Selection {
 public:
  Selection(const ReadOptions& options, const TopicTable& topics);

  bool has(const Chunk& chunk) const;
  bool has_channel(std::uint16_t channel) const {
    return channel < channels_.size() && channels_[channel];
  }
  bool has_time(std::uint64_t time) const { return time >= start_ && time < end_; }
  std::uint64_t end() const { return end_; }

 private:
  std::vector<bool> channels_ = {};
  std::uint64_t start_;
  std::uint64_t end_;
};

/// Messages of one part of a file, one after the other. Everything is known of one but its data.
class Stream {
 public:
  virtual ~Stream() = default;

  virtual bool at_end() const = 0;
  /// Of the message at hand, for the merge with other streams: this time never falls.
  virtual std::uint64_t time() const = 0;
  /// Where it lies in the file, or its chunk.
  virtual std::uint64_t offset() const = 0;
  /// The message at hand; its data is valid until the stream moves on. False: it cannot be read.
  virtual bool read(Message& message) = 0;
  virtual void advance() = 0;
};

/// The messages of a chunk in the order of their log times; those of one time, in that of the file.
/// Null if the chunk cannot be read.
std::unique_ptr<Stream> open_chunk_stream(ByteSource& source, const Chunk& chunk,
                                          const TopicTable& topics, const Selection& selection,
                                          UnpackBudget& budget, Warnings& warnings);

/// The messages outside of chunks, in the order of the file. All arguments have to outlive it.
std::unique_ptr<Stream> open_loose_stream(ByteSource& source, const LooseMessages& loose,
                                          const TopicTable& topics, const Selection& selection,
                                          Warnings& warnings);

}  // namespace ovf::mcap

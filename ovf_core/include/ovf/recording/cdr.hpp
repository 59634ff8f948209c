#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ovf/recording/recording.hpp"

namespace ovf {

/// Bytes that are not the message they should be: names the type, the field and the byte.
class CdrError : public RecordingError {
 public:
  using RecordingError::RecordingError;
};

// For every message of ros_messages.hpp.

/// A message from its serialized form: CDR as ROS 2 has it, of either byte order, with its header
/// of four bytes; also plain CDR of version 2. Bytes beyond the last field, as a later release of
/// the message may have them, are left alone. Throws CdrError.
template <typename M>
M decode(std::span<const std::byte> bytes);

/// The same into a message whose memory is used again. After an error its content is unspecified.
template <typename M>
void decode(std::span<const std::byte> bytes, M& message);

/// Replaces the bytes by the message's serialized form, little-endian.
template <typename M>
void encode(const M& message, std::vector<std::byte>& bytes);

}  // namespace ovf

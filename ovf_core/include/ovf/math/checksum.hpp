#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ovf {

/// 64 bits that tell damaged bytes from sound ones: any change within eight bytes is seen, any
/// other with overwhelming probability. Not against forgery.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace ovf

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ovf {

/// The CRC32 of zlib and of MCAP; `crc` is that of the bytes before, so that it can be taken in
/// parts.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

}  // namespace ovf

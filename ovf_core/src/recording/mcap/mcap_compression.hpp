#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ovf/recording/mcap_writer.hpp"

namespace ovf::mcap {

/// As MCAP names it.
std::string_view compression_name(Compression compression);

/// Throws std::runtime_error.
std::vector<std::byte> pack(Compression compression, std::span<const std::byte> bytes);

/// Puts the unpacked bytes in the place of the packed ones; there have to be `size` of them.
/// Returns what is wrong, empty if nothing is; the bytes before that are there all the same. Memory
/// grows with what comes out, whatever `size` claims, and ends at it.
std::string unpack(std::string_view compression, std::uint64_t size, std::vector<std::byte>& bytes);

}  // namespace ovf::mcap

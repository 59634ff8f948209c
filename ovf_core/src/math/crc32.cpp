#include "math/crc32.hpp"

#include <array>

namespace ovf {
namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320U;  // reflected
constexpr std::size_t kSlices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

// tables[s][b]: what byte b does to the remainder s bytes later, so that eight go at once.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1U) ^ kPolynomial : crc >> 1U;
    tables[0][b] = crc;
  }
  for (std::size_t s = 1; s < kSlices; ++s) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t before = tables[s - 1][b];
      tables[s][b] = (before >> 8U) ^ tables[0][before & 0xffU];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
  crc = ~crc;
  const auto value = [&](std::size_t at) { return std::to_integer<std::uint32_t>(bytes[at]); };
  while (bytes.size() >= kSlices) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < kSlices; ++k) {
      // The remainder lies over the first four bytes.
      const std::uint32_t over = k < sizeof(crc) ? (crc >> (8U * k)) & 0xffU : 0;
      next ^= kTables[kSlices - 1 - k][value(k) ^ over];
    }
    crc = next;
    bytes = bytes.subspan(kSlices);
  }
  for (const std::byte byte : bytes) {
    crc = (crc >> 8U) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
  }
  return ~crc;
}

}  // namespace ovf

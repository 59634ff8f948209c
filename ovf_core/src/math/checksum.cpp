#include "ovf/math/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace ovf {
namespace {

constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;  // odd, so that a product loses nothing
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kLanes = 4;  // independent, to hide the latency of the products
constexpr std::size_t kBlock = kLanes * kWord;
using Lanes = std::array<std::uint64_t, kLanes>;

// One to one in each of the two.
std::uint64_t mix(std::uint64_t sum, std::uint64_t word) {
  return std::rotl((sum ^ word) * kFactor, 29);
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Lanes lanes{1, 2, 3, 4};
  Lanes words{};
  const auto mix_block = [&] {
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = mix(lanes[k], words[k]);
  };
  const std::size_t whole = bytes.size() / kBlock * kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) {
    std::memcpy(words.data(), bytes.data() + at, kBlock);
    mix_block();
  }
  if (whole < bytes.size()) {
    words = {};
    std::memcpy(words.data(), bytes.data() + whole, bytes.size() - whole);
    mix_block();
  }
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) sum = mix(sum, lane);
  return sum ^ (sum >> 32);
}

}  // namespace ovf

#include "ovf/math/archive.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "ovf/math/checksum.hpp"

namespace ovf {
namespace {

// Length and checksum.
using Seal = std::array<std::uint64_t, 2>;

bool fits(Eigen::Index size, Eigen::Index expected) {
  return expected == Archive::kAnySize || size == expected;
}

std::string size_text(Eigen::Index size) {
  return size == Archive::kAnySize ? "any" : fmt::format("{}", size);
}

}  // namespace

void Archive::refuse(const char* name, const std::string& expected) const {
  throw std::invalid_argument(fmt::format("archive: {}: expected {} (before byte {} of {})", name,
                                          expected, at_, in_.size()));
}

void Archive::refuse_end(const char* name, std::size_t count) const {
  refuse(name, fmt::format("{} more bytes, but {} are left", count, in_.size() - at_));
}

void Archive::flag(const char* name, bool& value) {
  auto byte = static_cast<std::uint8_t>(value);
  plain(name, byte);
  if (byte > 1) refuse(name, "0 or 1");
  value = byte != 0;
}

void Archive::text(const char* name, std::string& value, std::size_t longest) {
  auto length = static_cast<std::uint64_t>(value.size());
  plain(name, length);
  if (reading()) {
    if (length > longest)
      refuse(name, fmt::format("at most {} characters, not {}", longest, length));
    if (length > in_.size() - at_) refuse_end(name, length);
    value.resize(length);
  }
  raw(name, value.data(), length);
}

void Archive::size(const char* name, Eigen::Index& rows, Eigen::Index& cols,
                   Eigen::Index expected_rows, Eigen::Index expected_cols, std::size_t entry) {
  std::array<std::uint32_t, 2> sizes{static_cast<std::uint32_t>(rows),
                                     static_cast<std::uint32_t>(cols)};
  plain(name, sizes);
  if (!reading()) return;
  rows = static_cast<Eigen::Index>(sizes[0]);
  cols = static_cast<Eigen::Index>(sizes[1]);
  if (!fits(rows, expected_rows) || !fits(cols, expected_cols)) {
    refuse(name, fmt::format("{} x {} numbers, not {} x {}", size_text(expected_rows),
                             size_text(expected_cols), rows, cols));
  }
  const std::uint64_t count = std::uint64_t{sizes[0]} * sizes[1];
  // No bytes vouch for the other size of an empty matrix, and loops may run over it.
  if (count == 0 &&
      ((expected_rows == kAnySize && rows > 0) || (expected_cols == kAnySize && cols > 0))) {
    refuse(name, fmt::format("numbers, or 0 x 0 of them, not {} x {}", rows, cols));
  }
  if (count > (in_.size() - at_) / entry) {
    refuse(name, fmt::format("{} x {} more numbers, but {} bytes are left", rows, cols,
                             in_.size() - at_));
  }
}

void Archive::check_range(const char* name, std::int64_t value, std::int64_t lowest,
                          std::int64_t highest) const {
  if (value >= lowest && value <= highest) return;
  refuse(name, fmt::format("an integer from {} to {}, not {}", lowest, highest, value));
}

void Archive::expect(const char* name, std::int64_t value) {
  std::int64_t found = value;
  plain(name, found);
  if (found != value) refuse(name, fmt::format("{}, not {}", value, found));
}

std::size_t Archive::open_seal(const char* name) {
  Seal seal{};
  plain(name, seal);
  if (!reading()) return out_->size();
  if (seal[0] > in_.size() - at_) refuse_end(name, seal[0]);
  if (checking_ && seal[1] != checksum(in_.subspan(at_, seal[0]))) {
    refuse(name, "bytes that agree with their checksum: they are damaged");
  }
  return at_ + seal[0];
}

void Archive::close_seal(const char* name, std::size_t mark) {
  if (reading()) {
    if (at_ != mark) refuse(name, fmt::format("its end at byte {}", mark));
    return;
  }
  const std::span<const std::byte> body(out_->data() + mark, out_->size() - mark);
  const Seal seal{body.size(), checksum(body)};
  std::memcpy(out_->data() + mark - sizeof(seal), seal.data(), sizeof(seal));
}

void Archive::finish() const {
  if (!reading() || at_ == in_.size()) return;
  refuse("the end", fmt::format("no more bytes, but {} are left", in_.size() - at_));
}

}  // namespace ovf

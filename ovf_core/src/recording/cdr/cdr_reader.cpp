#include "ovf/recording/cdr_reader.hpp"

#include <fmt/format.h>

#include <bit>

namespace ovf {
namespace {

constexpr std::size_t kHeader = 4;

std::string units(std::size_t count, std::size_t size) {
  if (size == 1) return fmt::format("{} byte{}", count, count == 1 ? " was" : "s were");
  if (count == 1) return fmt::format("a number of {} bytes was", size);
  return fmt::format("{} numbers of {} bytes were", count, size);
}

}  // namespace

CdrReader::CdrReader(std::span<const std::byte> bytes, const char* type) : type_(type) {
  if (bytes.size() < kHeader) {
    throw CdrError(fmt::format("{}: the message has {} bytes; it begins with a header of {}", type,
                               bytes.size(), kHeader));
  }
  const auto kind = static_cast<unsigned>(bytes[0]) << 8 | static_cast<unsigned>(bytes[1]);
  if (kind != 0 && kind != 1 && kind != 6 && kind != 7) {
    throw CdrError(fmt::format(
        "{}: the message's encoding is {:#06x}; plain CDR is read, which is 0x0000 or 0x0001, or "
        "in version 2 0x0006 or 0x0007",
        type, kind));
  }
  body_ = bytes.subspan(kHeader);
  const auto order = kind % 2 == 1 ? std::endian::little : std::endian::big;
  swap_ = order != std::endian::native;
  version_2_ = kind >= 6;
}

void CdrReader::read(std::string& value) {
  const std::size_t length = read_count(1);
  const auto* text = reinterpret_cast<const char*>(take(length, 1));
  // The length counts a closing NUL, which some writers leave out.
  value.assign(text, length > 0 && text[length - 1] == '\0' ? length - 1 : length);
}

void CdrReader::refuse(const std::string& what) const {
  std::string path;
  for (const Place* place = place_; place != &outside_; place = place->outer) {
    std::string name = place->name;
    if (place->index != kNoIndex) name += fmt::format("[{}]", place->index);
    path = path.empty() ? name : fmt::format("{}.{}", name, path);
  }
  throw CdrError(fmt::format("{}: {}: {}", type_, path, what));
}

void CdrReader::refuse_end(std::size_t count, std::size_t size, std::size_t begin) const {
  refuse(fmt::format("the message ends after {} bytes; {} expected from byte {} on",
                     body_.size() + kHeader, units(count, size), begin + kHeader));
}

void CdrReader::refuse_count(std::size_t count, std::size_t element_size) const {
  refuse(fmt::format(
      "a length of {} before byte {}, each of at least {} bytes; but the message ends after {}",
      count, at_ + kHeader, element_size, body_.size() + kHeader));
}

}  // namespace ovf

#include "ovf/recording/cdr_writer.hpp"

#include <fmt/format.h>

#include <limits>

namespace ovf {

CdrWriter::CdrWriter(std::vector<std::byte>& bytes, const char* type) : bytes_(bytes), type_(type) {
  bytes.assign(kHeader, std::byte{0});
  bytes[1] = std::byte{1};  // plain CDR, little-endian
}

void CdrWriter::write(const std::string& value) {
  write_count(value.size() + 1);
  append(value.c_str(), value.size() + 1);
}

void CdrWriter::write_count(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    throw CdrError(
        fmt::format("{}: {}: a length of {} does not fit into 32 bits", type_, name_, count));
  }
  write(static_cast<std::uint32_t>(count));
}

}  // namespace ovf

#include "config/message_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "ovf/config/printable.hpp"

namespace ovf {
namespace {

constexpr std::size_t kLongest = 80;

}  // namespace

std::string located(const std::string& source_name, int line, const std::string& message) {
  return line > 0 ? fmt::format("{}:{}: {}", source_name, line, message)
                  : fmt::format("{}: {}", source_name, message);
}

void fail_at(const std::string& source_name, int line, const std::string& message) {
  throw std::invalid_argument(located(source_name, line, message));
}

std::string shown(const std::string& text) { return printable(text, kLongest); }

}  // namespace ovf

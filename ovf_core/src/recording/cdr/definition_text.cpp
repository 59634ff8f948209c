#include "recording/cdr/definition_text.hpp"

#include <fmt/format.h>

namespace ovf {

std::string definition_name(const std::string& type) {
  const std::size_t middle = type.find("/msg/");
  if (middle == std::string::npos) return type;
  return fmt::format("{}/{}", type.substr(0, middle), type.substr(middle + 5));
}

std::string join_definitions(const DefinitionTexts& texts) {
  std::string result;
  for (const auto& [name, text] : texts) {
    if (!result.empty()) result += fmt::format("{:=<80}\nMSG: {}\n", "", name);
    result += text;
  }
  return result;
}

std::string default_text(double value) {
  return value == 0.0 ? std::string() : fmt::format("{}", value);
}

void DefinitionWriter::line(const std::string& type, const char* name, const std::string& tail) {
  lines_ += fmt::format("{} {}{}{}\n", type, name, tail.empty() ? "" : " ", tail);
}

}  // namespace ovf

#include "recording/bag/qos_text.hpp"

#include <array>
#include <string_view>

namespace ovf {
namespace {

struct Policy {
  std::string_view word;
  std::string_view number;
};

// The enumerators of rmw.
constexpr std::array<Policy, 20> kPolicies{{{"history: system_default", "history: 0"},
                                            {"history: keep_last", "history: 1"},
                                            {"history: keep_all", "history: 2"},
                                            {"history: unknown", "history: 3"},
                                            {"reliability: system_default", "reliability: 0"},
                                            {"reliability: reliable", "reliability: 1"},
                                            {"reliability: best_effort", "reliability: 2"},
                                            {"reliability: unknown", "reliability: 3"},
                                            {"reliability: best_available", "reliability: 4"},
                                            {"durability: system_default", "durability: 0"},
                                            {"durability: transient_local", "durability: 1"},
                                            {"durability: volatile", "durability: 2"},
                                            {"durability: unknown", "durability: 3"},
                                            {"durability: best_available", "durability: 4"},
                                            {"liveliness: system_default", "liveliness: 0"},
                                            {"liveliness: automatic", "liveliness: 1"},
                                            {"liveliness: manual_by_topic", "liveliness: 3"},
                                            {"liveliness: unknown", "liveliness: 4"},
                                            {"liveliness: best_available", "liveliness: 5"},
                                            {"liveliness: manual_by_node", "liveliness: 2"}}};

std::string numeric_line(std::string_view line) {
  const std::size_t indentation = line.find_first_not_of(" -");
  if (indentation == std::string_view::npos) return std::string(line);
  for (const Policy& policy : kPolicies) {
    if (line.substr(indentation) != policy.word) continue;
    return std::string(line.substr(0, indentation)).append(policy.number);
  }
  return std::string(line);
}

}  // namespace

std::string numeric_qos(const std::string& profiles) {
  std::string result;
  std::string_view rest = profiles;
  while (true) {
    const std::size_t end = rest.find('\n');
    result += numeric_line(rest.substr(0, end));
    if (end == std::string_view::npos) return result;
    result += '\n';
    rest.remove_prefix(end + 1);
  }
}

}  // namespace ovf

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/message_text.hpp"
#include "config/yaml_tree.hpp"
#include "ovf/config/yaml.hpp"
#include "ovf/evaluation/benchmark_entry.hpp"
#include "ovf/evaluation/robot_log_kind.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

// One entry of the file.
class EntryReader {
 public:
  EntryReader(const YamlNode& node, const fs::path& file) : node_(node), file_(file) {}

  BenchmarkEntry read() const {
    if (node_.kind != YamlNode::Kind::kMap) fail(node_.line, "an entry", "a mapping, `key: value`");
    check_keys();
    BenchmarkEntry entry;
    entry.recording = path("recording");
    entry.log = path("log");
    if (entry.recording.empty() == entry.log.empty()) {
      fail(node_.line, "an entry", "either `recording` or `log`");
    }
    if (!entry.log.empty()) {
      for (const char* key : {"ground_truth", "initial", "time_offset"}) {
        if (const YamlNode* found = find(key)) fail(found->line, key, "it only beside `recording`");
      }
    }
    entry.kind = one_of("kind", robot_log_kinds(), entry.kind);
    entry.robot = static_cast<int>(number("robot", 1.0, 1.0, 5.0, true));
    entry.configs = paths("config");
    if (entry.configs.empty()) fail(node_.line, "an entry", "`config` with one file or more");
    entry.ground_truth = truth();
    entry.initial = text("initial");
    entry.alignment = *alignment_kind(one_of("align", alignments(), "none"));
    constexpr double kMaxOffset = 4e9;
    entry.time_offset = number("time_offset", 0.0, -kMaxOffset, kMaxOffset, false);
    if (find("planar") != nullptr) {
      entry.planar = one_of("planar", {"true", "false"}, "") == "true";
    }
    entry.name = text("name");
    if (entry.name.empty()) {
      entry.name = (entry.recording.empty() ? entry.log : entry.recording).stem().string();
    }
    return entry;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what, const std::string& expected) const {
    fail_at(file_.string(), line, fmt::format("{}: expected {}", what, expected));
  }

  static std::vector<std::string> alignments() {
    std::vector<std::string> names;
    names.reserve(kAlignmentKinds);
    for (int i = 0; i < kAlignmentKinds; ++i) {
      names.emplace_back(to_string(static_cast<AlignmentKind>(i)));
    }
    return names;
  }

  void check_keys() const {
    const std::vector<std::string> known = {"name",         "recording", "log",   "kind",
                                            "robot",        "config",    "align", "time_offset",
                                            "ground_truth", "initial",   "planar"};
    for (const YamlNode& child : node_.children) {
      if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
      fail(child.line, fmt::format("unknown key {}", shown(child.key)),
           fmt::format("one of {}", fmt::join(known, ", ")));
    }
  }

  const YamlNode* find(const char* key) const {
    for (const YamlNode& child : node_.children) {
      if (child.key == key) return &child;
    }
    return nullptr;
  }

  std::string text(const char* key) const {
    const YamlNode* found = find(key);
    if (found == nullptr) return {};
    if (found->kind != YamlNode::Kind::kScalar || found->text.empty()) {
      fail(found->line, key, "one value");
    }
    return found->text;
  }

  std::string one_of(const char* key, const std::vector<std::string>& names,
                     const std::string& usual) const {
    std::string value = text(key);
    if (value.empty()) return usual;
    if (std::find(names.begin(), names.end(), value) == names.end()) {
      fail(find(key)->line, fmt::format("{} is {}", key, shown(value)),
           fmt::format("one of {}", fmt::join(names, ", ")));
    }
    return value;
  }

  double number(const char* key, double usual, double least, double most, bool whole) const {
    const std::string value = text(key);
    if (value.empty()) return usual;
    double result = 0.0;
    const char* end = value.data() + value.size();
    const auto [stopped, error] = std::from_chars(value.data(), end, result);
    if (error != std::errc{} || stopped != end || !(result >= least && result <= most) ||
        (whole && result != std::floor(result))) {
      fail(find(key)->line, fmt::format("{} is {}", key, shown(value)),
           fmt::format("a {}number from {} to {}", whole ? "whole " : "", least, most));
    }
    return result;
  }

  fs::path beside(const std::string& name) const { return file_.parent_path() / name; }

  fs::path path(const char* key) const {
    const std::string value = text(key);
    return value.empty() ? fs::path() : beside(value);
  }

  std::vector<fs::path> paths(const char* key) const {
    const YamlNode* found = find(key);
    if (found == nullptr) return {};
    if (found->kind == YamlNode::Kind::kScalar) return {path(key)};
    std::vector<fs::path> all;
    for (const YamlNode& child : found->children) {
      if (child.kind != YamlNode::Kind::kScalar || child.text.empty()) {
        fail(child.line, key, "a list of files");
      }
      all.push_back(beside(child.text));
    }
    return all;
  }

  // A file beside this one, or a topic.
  std::string truth() const {
    std::string value = text("ground_truth");
    std::error_code error;
    return !value.empty() && fs::is_regular_file(beside(value), error) ? beside(value).string()
                                                                       : value;
  }

  const YamlNode& node_;
  const fs::path& file_;
};

}  // namespace

std::vector<BenchmarkEntry> read_benchmark_file(const fs::path& path) {
  const YamlNode root = parse_yaml_tree(read_config_file(path), path.string());
  if (root.kind != YamlNode::Kind::kList || root.children.empty()) {
    fail_at(path.string(), root.line, "expected a list of entries, `- name: ...`");
  }
  std::vector<BenchmarkEntry> entries;
  for (const YamlNode& node : root.children) entries.push_back(EntryReader(node, path).read());
  return entries;
}

}  // namespace ovf

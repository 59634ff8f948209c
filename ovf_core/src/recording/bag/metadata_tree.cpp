#include "recording/bag/metadata_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "ovf/config/printable.hpp"
#include "ovf/recording/recording.hpp"

namespace ovf {
namespace {

using Kind = MetadataNode::Kind;

constexpr std::size_t kDeepest = 16;
constexpr int kMostNodes = 1'000'000;
// Quoted, with an escape for each of its bytes, it must stay below 1024, the most that YAML allows.
constexpr std::size_t kLongestKey = 128;

// Takes the parser's events instead of YAML::Node, so that limits hold while parsing: the parser
// calls in here before it goes one level deeper, and would go until its stack ends.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& source_name) : source_name_(source_name) {}

  MetadataNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& /*name*/) override {
    fail(mark, "has an anchor, which rosbag2 does not write");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    fail(mark, "has an alias, which rosbag2 does not write");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    add(make(mark, Kind::kEmpty));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    if (expects_key() && value.size() > kLongestKey) fail(mark, "has a key that is too long");
    MetadataNode node = make(mark, Kind::kScalar);
    node.text = value;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
    open(mark, Kind::kList);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, Kind::kMap);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    MetadataNode node;
    std::optional<std::string> key;  // of the next child
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const char* what) const {
    throw RecordingError(fmt::format("{}:{}: {}", source_name_, mark.line + 1, what));
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == Kind::kMap && !open_.back().key;
  }

  MetadataNode make(const YAML::Mark& mark, Kind kind) {
    if (++nodes_ > kMostNodes) fail(mark, "has too many values");
    if (kind != Kind::kScalar && expects_key()) fail(mark, "has a key that is not a name");
    return {.kind = kind};
  }

  void open(const YAML::Mark& mark, Kind kind) {
    if (open_.size() == kDeepest) fail(mark, "is nested too deeply");
    open_.push_back({.node = make(mark, kind), .key = {}});
  }

  void close() {
    MetadataNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(MetadataNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (expects_key()) {
      open_.back().key = std::move(node.text);
    } else {
      Open& parent = open_.back();
      node.key = std::exchange(parent.key, std::nullopt).value_or("");
      parent.node.children.push_back(std::move(node));
    }
  }

  const std::string& source_name_;
  int nodes_ = 0;
  std::vector<Open> open_;
  MetadataNode root_;
};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7f || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
}

bool is_plain(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void write(const MetadataNode& node, std::size_t indentation, std::string& out) {
  bool first = true;
  for (const MetadataNode& child : node.children) {
    if (!first) out += fmt::format("\n{:{}}", "", indentation);
    first = false;
    const bool nested = child.kind == Kind::kList || child.kind == Kind::kMap;
    if (node.kind == Kind::kList) {
      out += "- ";
    } else {
      out += fmt::format("{}:", is_plain(child.key) ? child.key : yaml_quoted(child.key));
      out += nested ? fmt::format("\n{:{}}", "", indentation + 2) : " ";
    }
    if (nested && !child.children.empty()) {
      write(child, indentation + 2, out);
    } else if (nested) {
      out += child.kind == Kind::kList ? "[]" : "{}";
    } else {
      out += is_plain(child.text) ? child.text : yaml_quoted(child.text);
    }
  }
}

}  // namespace

const MetadataNode* MetadataNode::find(std::string_view name) const {
  if (kind != Kind::kMap) return nullptr;
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const MetadataNode& child) { return child.key == name; });
  return found == children.end() ? nullptr : &*found;
}

MetadataNode parse_metadata_tree(const std::string& text, const std::string& source_name) {
  // yaml-cpp would stop at some of them without a word.
  if (std::any_of(text.begin(), text.end(), is_control)) {
    throw RecordingError(fmt::format("{}: has control characters", source_name));
  }
  TreeBuilder builder(source_name);
  try {
    // An end mark, because the parser takes the end of the file for the end of an open quote.
    std::istringstream stream(text + "\n...\n");
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    throw RecordingError(fmt::format("{}:{}: is not YAML ({})", source_name, error.mark.line + 1,
                                     printable(error.msg)));
  }
  return builder.take_root();
}

std::string metadata_text(const MetadataNode& node) {
  std::string out;
  write(node, 0, out);
  return out;
}

std::string yaml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (is_control(c) || c == '\t' || c == '\r') {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace ovf

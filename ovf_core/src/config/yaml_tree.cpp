#include "config/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "config/message_text.hpp"
#include "config/text_check.hpp"

namespace ovf {
namespace {

constexpr std::size_t kDeepest = 16;
constexpr int kMostNodes = 10'000;
// A dotted key repeats the names above it, so long ones would multiply.
constexpr std::size_t kLongestKey = 1000;

// Builds the tree from the parser's events instead of YAML::Node, so that limits hold while
// parsing: the parser calls in here before it goes one level deeper.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& source_name) : source_name_(source_name) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      fail(mark, "is not part of the document before it; expected one YAML document");
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    fail(mark, fmt::format("has the anchor &{}; anchors are not supported", shown(name)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    fail(mark, "has an alias; aliases are not supported");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    add(make(mark, YamlNode::Kind::kEmpty));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    check_tag(mark, tag);
    YamlNode node = make(mark, YamlNode::Kind::kScalar);
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, YamlNode::Kind::kList);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, YamlNode::Kind::kMap);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    std::set<std::string> keys;
    std::optional<YamlNode> key;  // of the next child
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    fail_at(source_name_, mark.line + 1, message);
  }

  // The parser says "?" for plain text and collections without a tag, "!" for quoted text.
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    fail(mark, fmt::format("has the tag {}; tags are not supported", shown(tag)));
  }

  YamlNode make(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (++nodes_ > kMostNodes) fail(mark, fmt::format("has more than {} values", kMostNodes));
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    return node;
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::kMap && !open_.back().key;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
    check_tag(mark, tag);
    if (expects_key()) fail(mark, "has a list or a mapping as a key; expected a name");
    if (open_.size() == kDeepest) fail(mark, fmt::format("is nested deeper than {}", kDeepest));
    open_.push_back({.node = make(mark, kind), .keys = {}, .key = {}});
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (expects_key()) {
      add_key(parent, std::move(node));
      return;
    }
    if (parent.key) {
      node.key = std::move(parent.key->text);
      node.line = parent.key->line;
      parent.key.reset();
    }
    parent.node.children.push_back(std::move(node));
  }

  void add_key(Open& parent, YamlNode key) const {
    if (key.kind != YamlNode::Kind::kScalar) {
      fail_at(source_name_, key.line, "has an empty key; expected a name");
    }
    if (key.text.size() > kLongestKey) {
      fail_at(source_name_, key.line, fmt::format("has a key longer than {}", kLongestKey));
    }
    if (!parent.keys.insert(key.text).second) {
      fail_at(source_name_, key.line, fmt::format("duplicate key {}", shown(key.text)));
    }
    parent.key = std::move(key);
  }

  const std::string& source_name_;
  int documents_ = 0;
  int nodes_ = 0;
  std::vector<Open> open_;
  YamlNode root_;
};

}  // namespace

YamlNode parse_yaml_tree(const std::string& text, const std::string& source_name) {
  check_text(text, source_name);
  TreeBuilder builder(source_name);
  try {
    // An end mark, because the parser takes the end of the file for the end of an open quote.
    std::istringstream stream(text + "\n...\n");
    YAML::Parser parser(stream);
    // The second call finds a second document, which the builder refuses.
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    const bool open_quote = error.msg == YAML::ErrorMsg::DOC_IN_SCALAR;
    const std::string reason = open_quote ? "a quote is still open here" : shown(error.msg);
    fail_at(source_name, error.mark.line + 1, "is not YAML: " + reason);
  }
  return builder.take_root();
}

}  // namespace ovf

#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ovf {

/// Both ends belong to the range; values are `step` apart, counted from the lowest.
struct IntRange {
  int lowest = std::numeric_limits<int>::min();
  int highest = std::numeric_limits<int>::max();
  int step = 1;

  bool contains(int value) const;
  std::string text() const;
};

/// Both ends belong to the range unless `above_lowest`. Neither NaN nor infinity is in any range.
struct NumberRange {
  double lowest = std::numeric_limits<double>::lowest();
  double highest = std::numeric_limits<double>::max();
  bool above_lowest = false;

  bool contains(double value) const;
  std::string text() const;
};

struct IntListRange {
  IntRange element;
  int longest = 0;

  std::string text() const;
};

struct NumberListRange {
  NumberRange element;
  int longest = 0;

  std::string text() const;
};

/// Names: letters, digits and underscores, the first no digit, each once.
struct NameListRange {
  int longest = 0;

  bool contains(const std::vector<std::string>& names) const;
  std::string text() const;
};

inline NumberRange at_least(double lowest) { return {.lowest = lowest}; }
inline NumberRange above(double lowest) { return {.lowest = lowest, .above_lowest = true}; }
/// (0, 1].
inline NumberRange factor() { return {.lowest = 0.0, .highest = 1.0, .above_lowest = true}; }

/// A ROS parameter is a signed number, so half of the unsigned ones have no place in a file.
inline constexpr std::uint64_t kLargestUnsigned = std::numeric_limits<std::int64_t>::max();

/// What is said about a value besides its type and range.
struct Field {
  std::string key;  ///< dotted, from the root
  std::string doc;  ///< one line
};

/// Is shown every field of a configuration, and may read or replace its value. A configuration
/// struct has one function visit(ConfigVisitor&, Struct&) with a line per field: that function is
/// the schema. Defaults are the values of a default-constructed struct.
class ConfigVisitor {
 public:
  virtual ~ConfigVisitor() = default;

  void field(const char* key, bool& value, const char* doc) { on_field(name(key, doc), value); }
  void field(const char* key, int& value, const IntRange& range, const char* doc) {
    on_field(name(key, doc), value, range);
  }
  void field(const char* key, double& value, const NumberRange& range, const char* doc) {
    on_field(name(key, doc), value, range);
  }
  /// The range is 0 to kLargestUnsigned.
  void field(const char* key, std::uint64_t& value, const char* doc) {
    on_field(name(key, doc), value);
  }
  void field(const char* key, std::string& value, const char* doc) {
    on_field(name(key, doc), value);
  }
  void field(const char* key, std::vector<int>& value, const IntListRange& range, const char* doc) {
    on_field(name(key, doc), value, range);
  }
  void field(const char* key, std::vector<double>& value, const NumberListRange& range,
             const char* doc) {
    on_field(name(key, doc), value, range);
  }
  void field(const char* key, std::vector<std::string>& value, const NameListRange& range,
             const char* doc) {
    on_field(name(key, doc), value, range);
  }

  /// An enumeration, by the names of its values. Names are plain YAML text other than the words
  /// for true, false and null.
  template <typename Enum>
  void choice(const char* key, Enum& value,
              std::initializer_list<std::pair<const char*, std::type_identity_t<Enum>>> names,
              const char* doc);

  /// Fields of a nested struct, below `key`. Each group is visited once.
  template <typename Config>
  void group(const char* key, Config& config,
             void (*visit)(ConfigVisitor&, std::type_identity_t<Config>&));

 private:
  virtual void on_field(const Field& field, bool& value) = 0;
  virtual void on_field(const Field& field, int& value, const IntRange& range) = 0;
  virtual void on_field(const Field& field, double& value, const NumberRange& range) = 0;
  virtual void on_field(const Field& field, std::uint64_t& value) = 0;
  virtual void on_field(const Field& field, std::string& value) = 0;
  virtual void on_field(const Field& field, std::vector<int>& value, const IntListRange& range) = 0;
  virtual void on_field(const Field& field, std::vector<double>& value,
                        const NumberListRange& range) = 0;
  virtual void on_field(const Field& field, std::vector<std::string>& value,
                        const NameListRange& range) = 0;
  /// `value` is one of `allowed`, and must stay one of them.
  virtual void on_choice(const Field& field, std::string& value,
                         const std::vector<std::string>& allowed) = 0;

  Field name(const char* key, const char* doc) const { return {prefix_ + key, doc}; }

  std::string prefix_;
};

/// Shows a whole configuration to the visitor. May be called several times, with the same fields.
using VisitFields = std::function<void(ConfigVisitor&)>;

template <typename Enum>
void ConfigVisitor::choice(
    const char* key, Enum& value,
    std::initializer_list<std::pair<const char*, std::type_identity_t<Enum>>> names,
    const char* doc) {
  std::vector<std::string> allowed;
  std::string chosen;
  for (const auto& [text, candidate] : names) {
    allowed.emplace_back(text);
    if (candidate == value) chosen = text;
  }
  if (chosen.empty()) throw std::invalid_argument(prefix_ + key + " has a value without a name");
  on_choice(name(key, doc), chosen, allowed);
  for (const auto& [text, candidate] : names) {
    if (chosen == text) value = candidate;
  }
}

template <typename Config>
void ConfigVisitor::group(const char* key, Config& config,
                          void (*visit)(ConfigVisitor&, std::type_identity_t<Config>&)) {
  const std::string outer = prefix_;
  prefix_ += std::string(key) + '.';
  visit(*this, config);
  prefix_ = outer;
}

}  // namespace ovf

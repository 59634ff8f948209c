#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/yaml_entries.hpp"
#include "ovf/config/schema.hpp"

namespace ovf {

/// The value as a message shows it.
std::string shown_value(const YamlNode& node);

/// Checks the values of a file against the schema, and sets the fields only if told so: the first
/// visit finds every mistake, the second cannot fail.
class FieldReader : public ConfigVisitor {
 public:
  /// The tree behind the entries must outlive the reader.
  explicit FieldReader(const std::vector<YamlEntry>& entries);

  void set_fields() { set_fields_ = true; }
  const std::vector<std::string>& known_keys() const { return known_keys_; }
  /// What is wrong with the value of a known key, or null.
  const std::string* mistake(const std::string& key) const;

 private:
  void on_field(const Field& field, bool& value) override;
  void on_field(const Field& field, int& value, const IntRange& range) override;
  void on_field(const Field& field, double& value, const NumberRange& range) override;
  void on_field(const Field& field, std::uint64_t& value) override;
  void on_field(const Field& field, std::string& value) override;
  void on_field(const Field& field, std::vector<int>& value, const IntListRange& range) override;
  void on_field(const Field& field, std::vector<double>& value,
                const NumberListRange& range) override;
  void on_field(const Field& field, std::vector<std::string>& value,
                const NameListRange& range) override;
  void on_choice(const Field& field, std::string& value,
                 const std::vector<std::string>& allowed) override;

  /// The field's value in the file, or null.
  const YamlNode* find(const Field& field);
  /// Sets the field to what was read, or notes that it was nothing usable.
  template <typename Value>
  void take(const Field& field, const YamlNode& node, const std::optional<Value>& read,
            Value& value, const std::string& expected);

  bool set_fields_ = false;
  std::unordered_map<std::string, const YamlNode*> nodes_;
  std::vector<std::string> known_keys_;
  std::unordered_map<std::string, std::string> mistakes_;
};

}  // namespace ovf

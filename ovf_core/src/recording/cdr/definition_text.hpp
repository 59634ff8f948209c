#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ovf/recording/ros_fields.hpp"

namespace ovf {

/// Names of types and the texts of their definitions.
using DefinitionTexts = std::vector<std::pair<std::string, std::string>>;

/// geometry_msgs/msg/Pose as definitions have it: geometry_msgs/Pose.
std::string definition_name(const std::string& type);
/// With the lines of '=' between them.
std::string join_definitions(const DefinitionTexts& texts);
/// For a line of a definition; empty for 0, the default of all numbers.
std::string default_text(double value);

template <typename T>
std::string type_text() {
  if constexpr (ros::Message<T>) return definition_name(T::kType);
  if constexpr (std::is_same_v<T, std::string>) return "string";
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, double>) return "float64";
  if constexpr (std::is_same_v<T, std::int8_t>) return "int8";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "uint16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "uint32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "uint64";
  static_assert(ros::Message<T> || std::is_same_v<T, std::string> || std::is_arithmetic_v<T>);
}

/// Visits the fields of a message and adds the lines and the parts of its definition.
class DefinitionWriter {
 public:
  /// The message and the parts that are new to the texts.
  template <ros::Message M>
  static void add(DefinitionTexts& texts) {
    std::string name = definition_name(M::kType);
    for (const auto& [known, text] : texts) {
      if (known == name) return;
    }
    const std::size_t index = texts.size();
    texts.emplace_back(std::move(name), std::string());
    DefinitionWriter writer(texts);
    const M example;
    M::fields(example, writer);
    texts[index].second = std::move(writer.lines_);
  }

  template <typename T>
  void operator()(const char* name, const T& value) {
    std::string tail;
    if constexpr (std::is_arithmetic_v<T>) tail = default_text(static_cast<double>(value));
    line(type_text<T>(), name, tail);
    add_part<T>();
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>&) {
    line(type_text<T>() + "[]", name, "");
    add_part<T>();
  }
  template <typename T, std::size_t Count>
  void operator()(const char* name, const std::array<T, Count>&) {
    line(type_text<T>() + '[' + std::to_string(Count) + ']', name, "");
    add_part<T>();
  }
  template <typename T>
  void operator()(const char* name, const T& value, ros::MayBeAbsent) {
    (*this)(name, value);
  }

 private:
  explicit DefinitionWriter(DefinitionTexts& texts) : texts_(texts) {}

  void line(const std::string& type, const char* name, const std::string& tail);
  template <typename T>
  void add_part() {
    if constexpr (ros::Message<T>) add<T>(texts_);
  }

  DefinitionTexts& texts_;
  std::string lines_ = {};
};

}  // namespace ovf

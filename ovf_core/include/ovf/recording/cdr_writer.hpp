#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/cdr_number.hpp"
#include "ovf/recording/ros_fields.hpp"

namespace ovf {

/// Visits the fields of a message and appends them to its bytes: plain CDR, little-endian.
class CdrWriter {
 public:
  /// Replaces what the bytes held. Both outlive the writer.
  explicit CdrWriter(std::vector<std::byte>& bytes, const char* type = "CDR");

  template <ros::Message M>
  void write(const M& message) {
    M::fields(message, *this);
  }

  template <typename T>
  void operator()(const char* name, const T& value) {
    name_ = name;
    write(value);
  }
  template <typename T>
  void operator()(const char* name, const T& value, ros::MayBeAbsent) {
    (*this)(name, value);
  }

 private:
  static constexpr std::size_t kHeader = 4;

  template <CdrNumber T>
  void write(T value) {
    write_numbers(&value, 1);
  }
  void write(bool value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void write(const std::string& value);

  template <typename T, std::size_t Count>
  void write(const std::array<T, Count>& values) {
    if constexpr (CdrNumber<T>) {
      write_numbers(values.data(), Count);
    } else {
      for (const T& value : values) write(value);
    }
  }

  template <typename T>
  void write(const std::vector<T>& values) {
    write_count(values.size());
    if constexpr (CdrNumber<T>) {
      if (!values.empty()) write_numbers(values.data(), values.size());
    } else {
      for (const auto& value : values) write(value);
    }
  }

  template <typename T>
  void write_numbers(const T* values, std::size_t count) {
    align(sizeof(T));
    if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) {
      append(values, count * sizeof(T));
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const T reversed = with_bytes_reversed(values[i]);
        append(&reversed, sizeof(T));
      }
    }
  }

  void write_count(std::size_t count);

  void align(std::size_t alignment) {
    const std::size_t at = bytes_.size() - kHeader;
    bytes_.resize(kHeader + ((at + alignment - 1) & ~(alignment - 1)));
  }
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  std::vector<std::byte>& bytes_;
  const char* type_;
  const char* name_ = "";
};

}  // namespace ovf

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/cdr_number.hpp"
#include "ovf/recording/ros_fields.hpp"

namespace ovf {

/// Visits the fields of a message and takes them from its bytes. Nothing is allocated that the
/// bytes do not account for. Serves messages that are not in ros_messages.hpp, too:
///     CdrReader(bytes, M::kType).read(message);
class CdrReader {
 public:
  /// Throws CdrError if the first four bytes do not announce plain CDR.
  explicit CdrReader(std::span<const std::byte> bytes, const char* type = "CDR");

  template <ros::Message M>
  void read(M& message) {
    Place place(*this);
    M::fields(message, *this);
  }

  template <typename T>
  void operator()(const char* name, T& value) {
    place_->name = name;
    read(value);
  }
  template <typename T>
  void operator()(const char* name, T& value, ros::MayBeAbsent) {
    value = {};
    if (left() > 0) (*this)(name, value);
  }

 private:
  static constexpr std::size_t kNoIndex = SIZE_MAX;

  /// Where the reader is within the message, for the text of an error: innermost first.
  struct Place {
    explicit Place(CdrReader& r) : reader(r), outer(r.place_) { reader.place_ = this; }
    ~Place() { reader.place_ = outer; }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    CdrReader& reader;
    Place* outer;
    const char* name = "";
    std::size_t index = kNoIndex;
  };

  std::size_t left() const { return body_.size() - at_; }

  template <CdrNumber T>
  void read(T& value) {
    read_numbers(&value, 1);
  }
  void read(bool& value) { value = *take(1, 1) != std::byte{0}; }
  void read(std::string& value);

  template <typename T, std::size_t Count>
  void read(std::array<T, Count>& values) {
    if constexpr (CdrNumber<T>) {
      read_numbers(values.data(), Count);
    } else {
      read_delimiter<T>();
      read_each(values);
    }
  }

  template <typename T>
  void read(std::vector<T>& values) {
    read_delimiter<T>();
    const std::size_t count = read_count(minimal_cdr_size<T>());
    if constexpr (CdrNumber<T> && sizeof(T) == 1) {
      const auto* first = reinterpret_cast<const T*>(take(count, 1));
      values.assign(first, first + count);
    } else if constexpr (CdrNumber<T>) {
      values.resize(count);
      if (count > 0) read_numbers(values.data(), count);
    } else {
      values.resize(count);
      read_each(values);
    }
  }

  void read_each(std::vector<bool>& values) {
    const std::byte* first = take(values.size(), 1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = first[i] != std::byte{0};
  }
  template <typename Values>
  void read_each(Values& values) {
    Place& place = *place_;
    for (place.index = 0; place.index < values.size(); ++place.index) read(values[place.index]);
    place.index = kNoIndex;
  }

  template <typename T>
  void read_numbers(T* values, std::size_t count) {
    const std::byte* first = take(count, sizeof(T));
    std::memcpy(values, first, count * sizeof(T));
    if (!swap_) return;
    for (std::size_t i = 0; i < count; ++i) values[i] = with_bytes_reversed(values[i]);
  }

  /// Of a sequence whose elements take at least so many bytes.
  std::size_t read_count(std::size_t element_size) {
    std::uint32_t count = 0;
    read_numbers(&count, 1);
    if (count > left() / element_size) refuse_count(count, element_size);
    return count;
  }

  /// Version 2 puts their size before arrays and sequences of what is not a number.
  template <typename T>
  void read_delimiter() {
    if constexpr (!CdrNumber<T> && !std::same_as<T, bool>) {
      if (version_2_) read_count(1);
    }
  }

  /// The next `count` units of `size` bytes, beyond the gap that aligns them.
  const std::byte* take(std::size_t count, std::size_t size) {
    const std::size_t alignment = size > 4 && version_2_ ? 4 : size;
    const std::size_t begin = (at_ + alignment - 1) & ~(alignment - 1);
    // No count that gets here makes count * size overflow: it is part of the type, or checked.
    if (begin > body_.size() || count * size > body_.size() - begin) refuse_end(count, size, begin);
    at_ = begin + count * size;
    return body_.data() + begin;
  }

  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_end(std::size_t count, std::size_t size, std::size_t begin) const;
  [[noreturn]] void refuse_count(std::size_t count, std::size_t element_size) const;

  std::span<const std::byte> body_ = {};  ///< what alignment counts from
  std::size_t at_ = 0;
  bool swap_ = false;
  bool version_2_ = false;
  const char* type_;
  Place* place_ = nullptr;
  Place outside_{*this};
};

}  // namespace ovf

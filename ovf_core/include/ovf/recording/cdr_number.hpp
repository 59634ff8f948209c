#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ovf/recording/ros_fields.hpp"

namespace ovf {

template <typename T>
concept CdrNumber = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

template <CdrNumber T>
T with_bytes_reversed(T value) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

/// Bytes that a value takes at least, whatever its place and its content.
template <typename T>
std::size_t minimal_cdr_size();

/// Visits the fields of a message and adds up their minimal sizes.
struct MinimalCdrSize {
  std::size_t bytes = 0;

  template <typename T>
  void operator()(const char*, const T&) {
    bytes += minimal_cdr_size<T>();
  }
  template <typename T>
  void operator()(const char*, const T&, ros::MayBeAbsent) {}
};

template <typename T>
std::size_t minimal_cdr_size() {
  if constexpr (std::is_arithmetic_v<T>) {
    return sizeof(T);
  } else if constexpr (ros::Message<T>) {
    static const std::size_t kSize = [] {
      MinimalCdrSize size;
      const T example;
      T::fields(example, size);
      return size.bytes;
    }();
    return kSize;
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    return std::tuple_size_v<T> * minimal_cdr_size<typename T::value_type>();
  } else {
    return sizeof(std::uint32_t);  // text and sequences begin with their length
  }
}

}  // namespace ovf

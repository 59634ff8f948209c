#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "ovf/recording/ros_fields.hpp"

namespace ovf::test {

/// Writes messages in all four kinds of plain CDR, byte by byte, as the specification has it.
class PlainCdr {
 public:
  PlainCdr(std::endian order, int version) : big_(order == std::endian::big), version_(version) {
    bytes_ = {std::byte{0}, static_cast<std::byte>((version == 2 ? 6 : 0) + (big_ ? 0 : 1)),
              std::byte{0}, std::byte{0}};
  }

  template <typename M>
  static std::vector<std::byte> of(const M& message, std::endian order, int version) {
    PlainCdr cdr(order, version);
    cdr.write(message);
    return cdr.bytes_;
  }

  template <typename T>
  void operator()(const char*, const T& value, auto...) {
    write(value);
  }

 private:
  template <typename T>
  void write(const T& value) {
    if constexpr (ros::Message<T>) {
      T::fields(value, *this);
    } else {
      const std::size_t alignment = version_ == 2 ? std::min<std::size_t>(4, sizeof(T)) : sizeof(T);
      while ((bytes_.size() - 4) % alignment != 0) bytes_.push_back(std::byte{0});
      auto parts = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
      if (big_ != (std::endian::native == std::endian::big)) std::ranges::reverse(parts);
      for (const std::byte part : parts) bytes_.push_back(part);
    }
  }
  void write(const std::string& value) {
    write(static_cast<std::uint32_t>(value.size() + 1));
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
    bytes_.push_back(std::byte{0});
  }
  template <typename T, std::size_t Count>
  void write(const std::array<T, Count>& values) {
    for (const T& value : values) write(value);
  }
  template <typename T>
  void write(const std::vector<T>& values) {
    // Version 2 puts the size of what follows before sequences of what is not a number.
    const bool delimited = version_ == 2 && !std::is_arithmetic_v<T>;
    if (delimited) write(std::uint32_t{0});
    const std::size_t begin = bytes_.size();
    write(static_cast<std::uint32_t>(values.size()));
    for (const auto& value : values) write(value);
    if (!delimited) return;
    const std::size_t end = bytes_.size();
    std::vector<std::byte> whole = std::move(bytes_);
    bytes_.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(begin - 4));
    write(static_cast<std::uint32_t>(end - begin));
    std::copy(bytes_.begin(), bytes_.end(), whole.begin());
    bytes_ = std::move(whole);
  }

  bool big_;
  int version_;
  std::vector<std::byte> bytes_ = {};
};

}  // namespace ovf::test

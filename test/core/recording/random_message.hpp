#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "ovf/recording/ros_fields.hpp"

namespace ovf::test {

/// Visits the fields of a message and fills them: numbers finite, text and sequences short.
class RandomFiller {
 public:
  explicit RandomFiller(std::uint64_t seed) : random_(seed) {}

  template <typename T>
  void operator()(const char*, T& value, auto...) {
    fill(value);
  }

  template <typename T>
  void fill(T& value) {
    if constexpr (ros::Message<T>) {
      T::fields(value, *this);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = random_() % 2 == 1;
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(random_());
    } else {
      value = static_cast<T>(static_cast<std::int64_t>(random_())) / static_cast<T>(1 << 20);
    }
  }
  void fill(std::string& value) {
    value.resize(random_() % 20);
    for (char& c : value) c = static_cast<char>('a' + random_() % 26);
  }
  template <typename T, std::size_t Count>
  void fill(std::array<T, Count>& values) {
    for (T& value : values) fill(value);
  }
  template <typename T>
  void fill(std::vector<T>& values) {
    values.resize(random_() % 6);
    for (T& value : values) fill(value);
  }
  void fill(std::vector<bool>& values) {
    values.resize(random_() % 6);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_() % 2 == 1;
  }

 private:
  std::mt19937_64 random_;
};

template <typename M>
M random_message(std::uint64_t seed) {
  M message;
  RandomFiller(seed).fill(message);
  return message;
}

}  // namespace ovf::test

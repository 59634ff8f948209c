#pragma once

#include <concepts>
#include <cstddef>

/// Messages of ROS 2 as plain structs: names, nesting and types of the fields as rosidl generates
/// them, so that a template written for one serves the other. Each lists its fields once,
///     static void fields(auto& m, auto& visit) { visit("x", m.x); ... }
/// in the order of the .msg file; reading, writing and the text of the definition follow from that.
namespace ovf::ros {

template <typename T>
concept Message = requires {
  { T::kType } -> std::convertible_to<const char*>;
};

/// Marks, as a third argument of `visit`, a field at the end of a message that older releases of
/// ROS do not have; without it in the bytes, its value is 0.
struct MayBeAbsent {};
inline constexpr MayBeAbsent kMayBeAbsent{};

template <typename... Messages>
struct MessageList {
  /// Calls visit.operator()<M>() for every message M.
  static void each(auto&& visit) { (visit.template operator()<Messages>(), ...); }
  static constexpr std::size_t kSize = sizeof...(Messages);
};

}  // namespace ovf::ros

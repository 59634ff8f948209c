#pragma once

#include <cstddef>
#include <string>

#include "ovf/recording/recording.hpp"
#include "ovf/recording/ros_fields.hpp"

namespace ovf {

/// The message's definition as recordings keep it (ros2msg): its fields, then the parts that they
/// are made of, each after a line of '=' and "MSG: package/Type". For every message of
/// ros_messages.hpp.
template <typename M>
std::string definition();

/// Throws RecordingError if messages of a definition `found` in a recording have other fields than
/// `expected`, in their names, types or order; it names the first. A later release of the message
/// may have more fields at its end, an earlier one lack the last `may_be_absent`. Not checked: an
/// empty text, one in IDL, and parts that have no definition in it.
void check_definition(const std::string& expected, const std::string& found,
                      const std::string& type, std::size_t may_be_absent = 0);

/// Throws RecordingError if the messages of a topic are not of this type, not CDR, or have other
/// fields.
void check_topic(const Topic& topic, const std::string& type, const std::string& expected,
                 std::size_t may_be_absent = 0);

/// Fields at the end of a message that older releases of ROS do not have.
template <ros::Message M>
std::size_t count_may_be_absent() {
  std::size_t count = 0;
  auto visit = [&](const char*, const auto&, auto... mark) { count += sizeof...(mark); };
  const M example;
  M::fields(example, visit);
  return count;
}

template <ros::Message M>
void check_topic(const Topic& topic) {
  check_topic(topic, M::kType, definition<M>(), count_may_be_absent<M>());
}

}  // namespace ovf

#include <cstdint>
#include <string>
#include <vector>

#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/ros_messages.hpp"

namespace {

struct Expected {
  std::string type;
  std::string definition;
  std::size_t may_be_absent;
};

std::vector<Expected> all_expected() {
  std::vector<Expected> all;
  ovf::ros::AllMessages::each([&]<typename M>() {
    all.push_back({M::kType, ovf::definition<M>(), ovf::count_may_be_absent<M>()});
  });
  return all;
}

}  // namespace

/// The first byte chooses the message, the rest is the text found for it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Expected> all = all_expected();
  if (size == 0) return 0;
  const Expected& expected = all[*data % all.size()];
  const std::string found(data + 1, data + size);
  try {
    ovf::check_definition(expected.definition, found, expected.type, expected.may_be_absent);
  } catch (const ovf::RecordingError&) {
    return 0;
  }
  return 0;
}

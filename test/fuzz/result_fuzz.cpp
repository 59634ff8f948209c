// The folder of a replay, one of whose files is anything: a record or a RecordingError. The first
// byte chooses the file.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ovf/evaluation/read_run.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/mcap_writer.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "scratch_folder.hpp"

namespace {

namespace fs = std::filesystem;

// A recording with one estimate.
void write_estimates(const fs::path& folder) {
  fs::create_directories(folder);
  const auto writer = ovf::create_mcap(folder / "estimates_0.mcap");
  ovf::ros::Odometry odometry;
  odometry.pose.pose.orientation.w = 1.0;
  const int topic = writer->add_topic({.name = "/ovf/odometry",
                                       .type = ovf::ros::Odometry::kType,
                                       .definition = ovf::definition<ovf::ros::Odometry>(),
                                       .definition_encoding = "ros2msg"});
  std::vector<std::byte> bytes;
  ovf::encode(odometry, bytes);
  writer->write({.topic = topic, .log_time = 1, .publish_time = 1, .data = bytes});
  writer->close();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const std::array<std::string, 4> kFiles = {"summary.json", "machine.json", "config.yaml",
                                                    "estimates/estimates_0.mcap"};
  const fs::path folder = ovf::scratch_folder() / "run";
  fs::remove_all(folder);
  write_estimates(folder / "estimates");
  ovf::write_bytes(folder / kFiles[*data % kFiles.size()], data + 1, size - 1);
  try {
    static_cast<void>(ovf::read_run(folder));
  } catch (const ovf::RecordingError&) {
  }
  return 0;
}

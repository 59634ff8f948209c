#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

#include "ovf/config/printable.hpp"
#include "ovf/evaluation/read_run.hpp"
#include "ovf/math/local_frame.hpp"
#include "ovf/recording/message_input.hpp"
#include "ovf/recording/recording.hpp"
#include "recording/truth_topic.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

// "1700000000.123456789" to nanoseconds, which a double could not hold.
std::optional<Stamp> stamp_of_seconds(const std::string& text) {
  const auto point = text.find('.');
  const std::string whole = text.substr(0, point);
  std::string part = point == std::string::npos ? "" : text.substr(point + 1);
  const auto digits = [](const std::string& s) {
    return std::all_of(s.begin(), s.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
  };
  if (whole.empty() || whole.size() > 10 || !digits(whole) || !digits(part)) return std::nullopt;
  part.resize(9, '0');
  const Stamp seconds = std::stoll(whole);
  if (seconds >= kFarthestStamp / 1'000'000'000) return std::nullopt;
  return seconds * 1'000'000'000 + std::stoll(part);
}

GroundTruth read_file(const fs::path& path) {
  GroundTruth truth{.source = path.string()};
  std::ifstream file(path);
  std::string line;
  long number = 0;
  const auto fail = [&](const char* expected) {
    throw RecordingError(fmt::format("{}:{}: expected {}", path.string(), number, expected));
  };
  bool csv = false;
  while (std::getline(file, line)) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("stamp,")) {
      csv = true;
      continue;
    }
    if (csv) std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::string time;
    words >> time;
    PoseSample pose;
    const std::optional<Stamp> stamp =
        csv ? stamp_of_seconds(time.size() > 9 ? time.substr(0, time.size() - 9) + "." +
                                                     time.substr(time.size() - 9)
                                               : "0." + std::string(9 - time.size(), '0') + time)
            : stamp_of_seconds(time);
    if (!stamp) fail(csv ? "a stamp in nanoseconds first" : "a stamp in seconds first");
    pose.stamp = *stamp;
    if (csv) {
      double yaw = 0.0;
      if (!(words >> pose.position.x() >> pose.position.y() >> yaw)) fail("stamp,x,y,yaw");
      pose.orientation = Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ());
    } else {
      auto& q = pose.orientation.coeffs();
      if (!(words >> pose.position.x() >> pose.position.y() >> pose.position.z() >> q[0] >> q[1] >>
            q[2] >> q[3])) {
        fail("stamp x y z qx qy qz qw");
      }
    }
    truth.poses.push_back(pose);
  }
  if (truth.poses.empty()) {
    throw RecordingError(
        fmt::format("{}: has no poses; expected lines of stamp x y z qx qy qz qw", path.string()));
  }
  return truth;
}

GroundTruth read_topic(const fs::path& recording, const Topic& topic) {
  GroundTruth truth{.source = printable(topic.name)};
  const auto reader = open_recording(recording, {.topics = {topic.name}});
  std::optional<LocalFrame> frame;
  RecordedMessage message;
  while (reader->next(message)) {
    const Sensed sensed = sense_message(topic.type, message.data, message.log_time);
    PoseSample pose{.stamp = sensed.stamp};
    if (sensed.fix) {
      if (!frame) frame.emplace(*sensed.fix);
      pose.position = frame->to_local(*sensed.fix);
      truth.has_orientation = false;
    } else if (sensed.position) {
      pose.position = *sensed.position;
      truth.has_orientation = truth.has_orientation && sensed.orientation.has_value();
      if (sensed.orientation) pose.orientation = *sensed.orientation;
    } else {
      continue;
    }
    truth.poses.push_back(pose);
  }
  truth.warnings = reader->warnings();
  if (truth.poses.empty()) {
    throw RecordingError(
        fmt::format("{}: topic {} has no poses", recording.string(), printable(topic.name)));
  }
  return truth;
}

}  // namespace

GroundTruth read_ground_truth(const std::string& name, const fs::path& run,
                              const RunRecord& record) {
  if (!name.empty() && fs::is_regular_file(name)) return read_file(name);
  std::vector<std::string> known;
  // In what the run wrote, and in what it was made from.
  for (const fs::path& recording :
       {fs::exists(run / "estimates") ? run / "estimates" : run, fs::path(record.recording)}) {
    if (recording.empty() || !fs::exists(recording)) continue;
    const auto reader = open_recording(recording);
    for (const Topic& topic : reader->topics()) {
      const bool wanted = name.empty() ? is_truth_topic(topic.name) : topic.name == name;
      if (wanted) return read_topic(recording, topic);
      known.push_back(printable(topic.name));
    }
  }
  if (name.empty()) return {};
  throw RecordingError(
      fmt::format("there is no file and no topic {} for the ground truth; the topics are {}", name,
                  fmt::join(known, ", ")));
}

}  // namespace ovf

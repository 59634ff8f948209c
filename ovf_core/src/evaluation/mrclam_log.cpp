#include "ovf/evaluation/mrclam_log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/merge_messages.hpp"
#include "evaluation/table_reader.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr int kRobots = 5;  // subjects 1 to 5 are robots
constexpr int kLargestId = std::numeric_limits<int>::max();
constexpr double kFullTurn = 6.283185307179587;
constexpr TableFormat kFormat{.commas = false, .comments = true};

// Subjects by barcode.
std::map<int, int> read_barcodes(const fs::path& path) {
  TableReader table(path, kFormat, {"subject", "barcode"});
  std::map<int, int> subjects;
  while (table.next()) {
    const int subject = table.integer(0, 1, kLargestId);
    if (!subjects.emplace(table.integer(1, 0, kLargestId), subject).second) {
      table.fail(1, "a barcode that no row before has");
    }
  }
  return subjects;
}

std::vector<Landmark> read_landmarks(const fs::path& path) {
  TableReader table(path, kFormat, {"subject", "x", "y", "x_deviation", "y_deviation"});
  std::vector<Landmark> landmarks;
  std::set<int> seen;
  while (table.next()) {
    const int subject = table.integer(0, kRobots + 1, kLargestId);
    if (!seen.insert(subject).second) table.fail(0, "a subject that no row before has");
    for (const int column : {3, 4}) {
      if (table.number(column) < 0.0) table.fail(column, "a number of at least 0");
    }
    landmarks.push_back({subject, {table.number(1), table.number(2), 0.0}});
  }
  return landmarks;
}

std::vector<Control> read_odometry(const fs::path& path) {
  TableReader table(path, kFormat, {"t", "forward_velocity", "yaw_rate"});
  std::vector<Control> controls;
  while (table.next()) {
    controls.push_back({table.seconds(0), Eigen::Vector2d(table.number(1), table.number(2))});
  }
  return controls;
}

std::vector<Measurement> read_measurements(const fs::path& path, const std::map<int, int>& subjects,
                                           const std::vector<Landmark>& landmarks,
                                           MrclamLeftOut& left_out) {
  std::set<int> known;
  for (const Landmark& landmark : landmarks) known.insert(landmark.id);
  TableReader table(path, kFormat, {"t", "barcode", "range", "bearing"});
  std::vector<Measurement> measurements;
  while (table.next()) {
    const Stamp stamp = table.seconds(0);
    const auto subject = subjects.find(table.integer(1, 0, kLargestId));
    const Eigen::Vector2d y(table.number(2), table.number(3));
    if (y[0] < 0.0) table.fail(2, "a number of at least 0");
    if (std::abs(y[1]) > kFullTurn) table.fail(3, "radians, at most a full turn");
    if (subject != subjects.end() && subject->second <= kRobots) {
      ++left_out.other_robots;
    } else if (subject == subjects.end() || !known.contains(subject->second)) {
      ++left_out.unknown_barcodes;
    } else {
      measurements.push_back(
          {.stamp = stamp, .sensor = "camera", .y = y, .target = subject->second});
    }
  }
  return measurements;
}

std::vector<TruePose> read_truth(const fs::path& path) {
  TableReader table(path, kFormat, {"t", "x", "y", "orientation"});
  std::vector<TruePose> truth;
  while (table.next()) {
    truth.push_back({table.seconds(0), table.number(1), table.number(2), table.number(3)});
  }
  sort_by_stamp(truth);
  return truth;
}

}  // namespace

RobotLog read_mrclam_log(const fs::path& folder, int robot, MrclamLeftOut* left_out) {
  if (robot < 1 || robot > kRobots) {
    throw std::invalid_argument(
        fmt::format("robot {} of an MRCLAM recording; expected 1 to {}", robot, kRobots));
  }
  const auto file = [&](const char* what) {
    return folder / fmt::format("Robot{}_{}.dat", robot, what);
  };
  RobotLog log;
  MrclamLeftOut counts;
  log.landmarks = read_landmarks(folder / "Landmark_Groundtruth.dat");
  const auto subjects = read_barcodes(folder / "Barcodes.dat");
  auto controls = read_odometry(file("Odometry"));
  auto measurements = read_measurements(file("Measurement"), subjects, log.landmarks, counts);
  log.messages = merge_messages(std::move(controls), std::move(measurements));
  log.truth = read_truth(file("Groundtruth"));
  if (left_out != nullptr) *left_out = counts;
  return log;
}

}  // namespace ovf

#include "ovf/evaluation/plaza_log.hpp"

#include <fmt/format.h>

#include <limits>
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

constexpr int kLargestId = std::numeric_limits<int>::max();
constexpr TableFormat kFormat{.header = TableFormat::Header::kAny};

fs::path only_file(const fs::path& folder, const std::string& suffix) {
  std::error_code error;
  fs::path found;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().string().ends_with(suffix)) continue;
    if (!found.empty()) {
      throw std::runtime_error(fmt::format("{} has both {} and {}; expected one file *{}",
                                           folder.string(), found.filename().string(),
                                           it->path().filename().string(), suffix));
    }
    found = it->path();
  }
  if (error) {
    throw std::runtime_error(
        fmt::format("{}: cannot be read as a folder ({})", folder.string(), error.message()));
  }
  if (found.empty()) {
    throw std::runtime_error(fmt::format("{} has no file *{}", folder.string(), suffix));
  }
  return found;
}

std::vector<Control> read_odometry(const fs::path& path) {
  TableReader table(path, kFormat, {"t", "delta_distance", "delta_heading"});
  std::vector<Control> controls;
  Stamp last = 0;
  for (bool first = true; table.next(); first = false) {
    const Stamp stamp = table.seconds(0);
    const Eigen::Vector2d moved(table.number(1), table.number(2));
    if (!first) {
      if (stamp <= last) table.fail(0, "a time after that of the last row");
      controls.push_back({stamp, moved / seconds_between(last, stamp)});
    }
    last = stamp;
  }
  return controls;
}

std::vector<Landmark> read_beacons(const fs::path& path) {
  TableReader table(path, kFormat, {"node", "x", "y"});
  std::vector<Landmark> beacons;
  std::set<int> seen;
  while (table.next()) {
    const int id = table.integer(0, 0, kLargestId);
    if (!seen.insert(id).second) table.fail(0, "a node that no row before has");
    beacons.push_back({id, {table.number(1), table.number(2), 0.0}});
  }
  return beacons;
}

std::vector<Measurement> read_ranges(const fs::path& path, const std::vector<Landmark>& beacons) {
  std::set<int> known;
  for (const Landmark& beacon : beacons) known.insert(beacon.id);
  TableReader table(path, kFormat, {"t", "sender", "node", "range"});
  std::vector<Measurement> ranges;
  while (table.next()) {
    table.integer(1, 0, kLargestId);
    const int node = table.integer(2, 0, kLargestId);
    if (!known.contains(node)) table.fail(2, "a node of the *_TL.csv file");
    const double range = table.number(3);
    if (range < 0.0) table.fail(3, "a number of at least 0");
    ranges.push_back({.stamp = table.seconds(0),
                      .sensor = "uwb",
                      .y = Eigen::VectorXd::Constant(1, range),
                      .target = node});
  }
  return ranges;
}

std::vector<TruePose> read_truth(const fs::path& path) {
  TableReader table(path, kFormat, {"t", "x", "y", "heading"});
  std::vector<TruePose> truth;
  while (table.next()) {
    truth.push_back({table.seconds(0), table.number(1), table.number(2), table.number(3)});
  }
  sort_by_stamp(truth);
  return truth;
}

}  // namespace

RobotLog read_plaza_log(const fs::path& folder) {
  RobotLog log;
  log.landmarks = read_beacons(only_file(folder, "_TL.csv"));
  auto controls = read_odometry(only_file(folder, "_DR.csv"));
  auto ranges = read_ranges(only_file(folder, "_TD.csv"), log.landmarks);
  log.messages = merge_messages(std::move(controls), std::move(ranges));
  log.truth = read_truth(only_file(folder, "_GT.csv"));
  return log;
}

}  // namespace ovf

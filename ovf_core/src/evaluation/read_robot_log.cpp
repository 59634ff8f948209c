#include <fmt/format.h>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/merge_messages.hpp"
#include "evaluation/robot_log_format.hpp"
#include "ovf/evaluation/robot_log_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr int kLargestId = std::numeric_limits<int>::max();

TableFormat with_header(const char* further = nullptr) {
  return {.header = TableFormat::Header::kExact, .further = further};
}

// The numbers from column `first` on.
Eigen::VectorXd numbers(const TableReader& table, int first, int count) {
  Eigen::VectorXd values(count);
  for (int i = 0; i < count; ++i) values[i] = table.number(first + i);
  return values;
}

std::vector<Control> read_controls(const fs::path& path) {
  TableReader table(path, with_header("u..."), {"stamp", "size"});
  std::vector<Control> controls;
  while (table.next()) {
    const int size = table.integer(1, 0, kMostMessageNumbers);
    if (table.fields() != 2 + size) {
      table.fail(
          fmt::format("has {} fields; expected {} for size {}", table.fields(), 2 + size, size));
    }
    controls.push_back({table.nanoseconds(0), numbers(table, 2, size)});
  }
  return controls;
}

std::vector<Measurement> read_measurements(const fs::path& path) {
  TableReader table(path, with_header("y...,covariance..."), {"stamp", "sensor", "target", "size"});
  std::vector<Measurement> measurements;
  while (table.next()) {
    const int size = table.integer(3, 0, kMostMessageNumbers);
    const bool has_covariance = size > 0 && table.fields() == 4 + size + size * size;
    if (!has_covariance && table.fields() != 4 + size) {
      table.fail(fmt::format("has {} fields; expected {}, or {} with a covariance, for size {}",
                             table.fields(), 4 + size, 4 + size + size * size, size));
    }
    if (!is_sensor_name(table.text(1))) {
      table.fail(1, "the name of a sensor: 1 to 64 letters, digits and _-./");
    }
    Measurement measurement{.stamp = table.nanoseconds(0),
                            .sensor = std::string(table.text(1)),
                            .y = numbers(table, 4, size),
                            .target = table.integer(2, -1, kLargestId)};
    if (has_covariance) {
      // Row by row in the file, column by column in memory.
      const Eigen::VectorXd rows = numbers(table, 4 + size, size * size);
      measurement.covariance =
          Eigen::Map<const Eigen::MatrixXd>(rows.data(), size, size).transpose();
    }
    measurements.push_back(std::move(measurement));
  }
  return measurements;
}

std::vector<Landmark> read_landmarks(const fs::path& path) {
  TableReader table(path, with_header(), {"id", "x", "y", "z"});
  std::vector<Landmark> landmarks;
  std::set<int> seen;
  while (table.next()) {
    const int id = table.integer(0, 0, kLargestId);
    if (!seen.insert(id).second) table.fail(0, "a number that no row before has");
    landmarks.push_back({id, {table.number(1), table.number(2), table.number(3)}});
  }
  return landmarks;
}

std::vector<TruePose> read_truth(const fs::path& path) {
  TableReader table(path, with_header(), {"stamp", "x", "y", "yaw"});
  std::vector<TruePose> truth;
  while (table.next()) {
    truth.push_back({table.nanoseconds(0), table.number(1), table.number(2), table.number(3)});
  }
  sort_by_stamp(truth);
  return truth;
}

}  // namespace

RobotLog read_robot_log(const fs::path& folder) {
  auto controls = read_controls(folder / kControlsFile);
  auto measurements = read_measurements(folder / kMeasurementsFile);
  return {.messages = merge_messages(std::move(controls), std::move(measurements)),
          .landmarks = read_landmarks(folder / kLandmarksFile),
          .truth = read_truth(folder / kTruthFile)};
}

}  // namespace ovf

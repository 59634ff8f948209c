#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

#include "evaluation/merge_messages.hpp"
#include "evaluation/robot_log_format.hpp"
#include "ovf/evaluation/robot_log_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

// What is being written; numbers are the shortest text that is read back exactly.
class Rows {
 public:
  explicit Rows(const char* header) : text_(header) { text_ += '\n'; }

  void stamp(Stamp stamp) {
    require(stamp >= -kFarthestStamp && stamp <= kFarthestStamp, "a stamp is too far from zero");
    fmt::format_to(std::back_inserter(text_), "{}", stamp);
  }
  void integer(std::int64_t value) { fmt::format_to(std::back_inserter(text_), ",{}", value); }
  void number(double value) {
    require(std::isfinite(value), "a number is not finite");
    fmt::format_to(std::back_inserter(text_), ",{}", value);
  }
  void numbers(const Eigen::VectorXd& values) {
    require(values.size() <= kMostMessageNumbers, "a message has too many numbers");
    integer(values.size());
    for (const double value : values) number(value);
  }
  void word(const std::string& word) {
    require(is_sensor_name(word), "the name of a sensor is not 1 to 64 letters, digits and _-./");
    text_ += ',' + word;
  }
  void end() {
    text_ += '\n';
    require(++rows_ <= kMostTableRows, "it has too many rows");
  }
  void require(bool holds, const char* otherwise) const {
    if (holds) return;
    throw std::invalid_argument(fmt::format("the log cannot be written: {} (row {} of {})",
                                            otherwise, rows_ + 1,
                                            text_.substr(0, text_.find('\n'))));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int rows_ = 0;
};

std::string controls_csv(const RobotLog& log) {
  Rows rows(kControlsHeader);
  for (const Message& message : log.messages) {
    const auto* control = std::get_if<Control>(&message);
    if (control == nullptr) continue;
    rows.stamp(control->stamp);
    rows.numbers(control->u);
    rows.end();
  }
  return rows.text();
}

std::string measurements_csv(const RobotLog& log) {
  Rows rows(kMeasurementsHeader);
  for (const Message& message : log.messages) {
    const auto* measurement = std::get_if<Measurement>(&message);
    if (measurement == nullptr) continue;
    const auto& [stamp, sensor, y, covariance, target] = *measurement;
    rows.require(target >= -1, "a target is less than -1");
    rows.require(
        covariance.size() == 0 || (covariance.rows() == y.size() && covariance.cols() == y.size()),
        "a covariance does not fit its measurement");
    rows.stamp(stamp);
    rows.word(sensor);
    rows.integer(target);
    rows.numbers(y);
    for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
      for (Eigen::Index j = 0; j < covariance.cols(); ++j) rows.number(covariance(i, j));
    }
    rows.end();
  }
  return rows.text();
}

std::string landmarks_csv(const RobotLog& log) {
  std::string text = std::string(kLandmarksHeader) + '\n';
  std::set<int> seen;
  for (const Landmark& landmark : log.landmarks) {
    if (landmark.id < 0 || !seen.insert(landmark.id).second || !landmark.position.allFinite()) {
      throw std::invalid_argument(fmt::format(
          "the log cannot be written: landmark {} has a negative or repeated number, or a position "
          "that is not finite",
          landmark.id));
    }
    text += fmt::format("{},{},{},{}\n", landmark.id, landmark.position.x(), landmark.position.y(),
                        landmark.position.z());
  }
  return text;
}

std::string truth_csv(const RobotLog& log) {
  Rows rows(kTruthHeader);
  Stamp last = log.truth.empty() ? 0 : log.truth.front().stamp;
  for (const TruePose& pose : log.truth) {
    rows.require(pose.stamp >= last, "a stamp is before that of the last row");
    last = pose.stamp;
    rows.stamp(pose.stamp);
    for (const double value : {pose.x, pose.y, pose.yaw}) rows.number(value);
    rows.end();
  }
  return rows.text();
}

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("cannot write the log {}: {}", path.string(), reason));
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file.fail()) fail(path, "check the free space and the permissions of the folder");
}

}  // namespace

void write_robot_log(const fs::path& folder, const RobotLog& log) {
  require_merged(log.messages);
  const std::string controls = controls_csv(log);
  const std::string measurements = measurements_csv(log);
  const std::string landmarks = landmarks_csv(log);
  const std::string truth = truth_csv(log);

  // A path that ends in a slash names the same folder.
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (error) fail(folder, error.message());
  if (!target.has_filename()) target = target.parent_path();
  if (fs::exists(target, error) && !fs::is_empty(target, error)) {
    fail(target, "it exists and is not an empty folder; choose another one, or remove it");
  }
  fs::create_directories(target.parent_path(), error);
  if (error) fail(target, error.message());
  const fs::path part = target.parent_path() / fmt::format(".{}.part", target.filename().string());
  if (!fs::create_directory(part, error)) {
    fail(target, error ? error.message()
                       : fmt::format("{} is in the way: another program writes the same log, or "
                                     "one was stopped; then remove it",
                                     part.string()));
  }
  try {
    write_file(part / kControlsFile, controls);
    write_file(part / kMeasurementsFile, measurements);
    write_file(part / kLandmarksFile, landmarks);
    write_file(part / kTruthFile, truth);
    fs::rename(part, target, error);
    if (error) fail(target, error.message());
  } catch (...) {
    fs::remove_all(part, error);
    throw;
  }
}

}  // namespace ovf

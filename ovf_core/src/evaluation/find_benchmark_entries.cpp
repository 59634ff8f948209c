#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "ovf/config/yaml.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/evaluation/benchmark_entry.hpp"
#include "ovf/recording/recording.hpp"
#include "recording/truth_topic.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 16;

// Names a file or folder like a recording's, in the order of names. Empty if it cannot be read.
std::vector<fs::path> sorted_paths(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->path().filename().string().starts_with('.')) paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_recording_file(const fs::path& path) {
  std::error_code error;
  return (path.extension() == ".mcap" || path.extension() == ".db3") &&
         fs::is_regular_file(path, error);
}

// Whether a file configures a robot; whatever cannot be read does not.
bool is_robot_config(const fs::path& path) {
  std::error_code error;
  if (path.extension() != ".yaml" || !fs::is_regular_file(path, error)) return false;
  try {
    return !read_yaml_names(read_config_file(path), path.string(), "sensors", kSensorNames).empty();
  } catch (const std::exception&) {
    return false;
  }
}

// Those of the first of these folders that has any.
std::vector<fs::path> robot_configs(const std::vector<fs::path>& folders) {
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    for (const fs::path& path : sorted_paths(folder)) {
      if (is_robot_config(path)) found.push_back(path);
    }
    if (!found.empty()) break;
  }
  return found;
}

bool has_truth(const fs::path& recording) {
  const auto reader = open_recording(recording);
  const auto& topics = reader->topics();
  return std::any_of(topics.begin(), topics.end(),
                     [](const Topic& topic) { return is_truth_topic(topic.name); });
}

class Finder {
 public:
  explicit Finder(fs::path root) : root_(std::move(root)) {}

  std::vector<BenchmarkEntry> entries;

  void search(const fs::path& folder, int depth) {
    const std::vector<fs::path> paths = sorted_paths(folder);
    std::error_code error;
    if (fs::is_regular_file(folder / "metadata.yaml", error) &&
        std::any_of(paths.begin(), paths.end(), is_recording_file)) {
      const fs::path parent = folder.parent_path();
      add(folder, {folder, parent, parent.parent_path()}, {folder, parent});
      return;
    }
    for (const fs::path& path : paths) {
      if (is_recording_file(path)) {
        add(path, {folder, folder.parent_path()}, {folder});
      } else if (depth < kMaxDepth && fs::is_directory(fs::symlink_status(path, error))) {
        search(path, depth + 1);
      }
    }
  }

 private:
  void add(const fs::path& recording, const std::vector<fs::path>& config_folders,
           const std::vector<fs::path>& landmark_folders) {
    BenchmarkEntry entry{.recording = recording, .configs = robot_configs(config_folders)};
    if (entry.configs.empty()) return;
    entry.name = recording.lexically_relative(root_).replace_extension().string();
    if (entry.name == ".") entry.name = recording.filename().string();
    try {
      if (!has_truth(recording)) return;
    } catch (const std::exception& error) {
      entry.error = error.what();
    }
    if (entry.configs.size() > 1) {
      std::vector<std::string> names;
      for (const fs::path& path : entry.configs) names.push_back(path.string());
      entry.error = fmt::format("there are several configurations: {}; expected one, or a {}",
                                fmt::join(names, ", "), kBenchmarkFile);
    }
    for (const fs::path& folder : landmark_folders) {
      std::error_code error;
      if (!fs::is_regular_file(folder / "landmarks.yaml", error)) continue;
      entry.configs.push_back(folder / "landmarks.yaml");
      break;
    }
    entries.push_back(std::move(entry));
  }

  fs::path root_;
};

}  // namespace

std::vector<BenchmarkEntry> find_benchmark_entries(const fs::path& folder) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error || !fs::is_directory(root, error)) {
    throw std::runtime_error(fmt::format("{}: expected a folder", folder.string()));
  }
  Finder finder(root);
  finder.search(root, 0);
  return std::move(finder.entries);
}

}  // namespace ovf

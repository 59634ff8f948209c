#include "ovf/evaluation/read_run.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "evaluation/motion_of_states.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf/recording/sense.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t kLargestText = 64 << 20;

// Empty if there is no such file.
std::string read_text(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return {};
  if (size > kLargestText) {
    throw RecordingError(
        fmt::format("{}: has {} bytes; expected at most {}", path.string(), size, kLargestText));
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A file that the replay wrote, or anything else under its name.
json read_json(const fs::path& path) {
  const std::string text = read_text(path);
  if (text.empty()) return json::object();
  json parsed = json::parse(text, nullptr, false);
  if (!parsed.is_object()) {
    throw RecordingError(fmt::format("{}: is no JSON object; run the replay again", path.string()));
  }
  return parsed;
}

double number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void read_machine(const json& machine, MachineFigures& out) {
  out.seconds = number(machine, "seconds");
  out.times_real_time = number(machine, "times real time");
  out.peak_megabytes = number(machine, "peak memory in MB");
  if (const auto times = machine.find("microseconds per message"); times != machine.end()) {
    out.mean = number(*times, "mean");
    out.p50 = number(*times, "p50");
    out.p95 = number(*times, "p95");
    out.p99 = number(*times, "p99");
    out.max = number(*times, "max");
  }
  const auto bins = machine.find("histogram");
  if (bins == machine.end() || !bins->is_array()) return;
  for (const json& bin : *bins) {
    out.edges.push_back(number(bin, "from"));
    out.counts.push_back(number(bin, "count"));
  }
  if (!bins->empty()) out.edges.push_back(number(bins->back(), "to"));
}

void read_summary(const json& summary, RunRecord& out) {
  out.recording = text(summary, "recording");
  const auto topics = summary.find("topics");
  if (topics == summary.end() || !topics->is_array()) return;
  for (const json& topic : *topics) {
    const auto unused = topic.find("unused");
    if (unused == topic.end() || !unused->is_object()) continue;
    for (const auto& [reason, count] : unused->items()) {
      if (!count.is_number()) continue;
      out.unused.push_back({text(topic, "sensor"), reason, count.get<long>()});
    }
  }
}

// A replay writes its summary last.
void check_completion(const json& summary, const fs::path& path, RunRecord& out) {
  if (summary.empty()) {
    out.warnings.push_back(
        fmt::format("{}: has no summary.json: the replay was broken off, and this is what it had "
                    "written until then",
                    path.string()));
    return;
  }
  const auto complete = summary.find("complete");
  // Earlier versions wrote none unless they reached the end.
  if (complete == summary.end() || *complete == true) return;
  out.warnings.push_back(
      fmt::format("{}: the replay was interrupted after {:.1f} s of the recording", path.string(),
                  number(summary, "seconds")));
}

void read_configuration(const fs::path& path, RunRecord& out) {
  out.configuration = read_text(path);
  if (out.configuration.empty()) return;
  EstimatorConfig config;
  try {
    config = read_estimator_config(out.configuration, path.string());
  } catch (const std::invalid_argument& error) {
    throw RecordingError(error.what());
  }
  for (std::size_t i = 0; i < config.landmark_ids.size(); ++i) {
    const double z = config.landmark_z.empty() ? 0.0 : config.landmark_z[i];
    out.landmarks.push_back(
        {config.landmark_ids[i], {config.landmark_x[i], config.landmark_y[i], z}});
  }
}

template <typename PoseWithCovariance>
PoseSample pose_of(Stamp stamp, const PoseWithCovariance& message) {
  PoseSample pose{.stamp = stamp, .position = to_eigen(message.pose.position)};
  const auto& q = message.pose.orientation;
  pose.orientation = Eigen::Quaterniond(q.w, q.x, q.y, q.z);
  pose.covariance = to_matrix(message.covariance);
  pose.has_covariance = true;
  return pose;
}

// What the messages of a run say, one after the other.
class RunReader {
 public:
  explicit RunReader(RunRecord& record) : record_(record) {}

  void read(const std::string& type, std::span<const std::byte> bytes) {
    if (type == ros::Posterior::kType) {
      add(decode<ros::Posterior>(bytes));
    } else if (type == ros::Odometry::kType) {
      const auto message = decode<ros::Odometry>(bytes);
      record_.poses.push_back(pose_of(to_stamp(message.header.stamp), message.pose));
      record_.relbo.push_back(relbo_);
    } else if (type == ros::Rollout::kType) {
      add(decode<ros::Rollout>(bytes));
    } else if (type == ros::ModelParameters::kType) {
      auto message = decode<ros::ModelParameters>(bytes);
      const std::size_t count = message.names.size();
      if (message.values.size() != count || message.standard_deviations.size() != count) {
        throw RecordingError("a message of parameters whose lists differ in length");
      }
      std::vector<ParameterStatus> statuses;
      for (const std::uint8_t status : message.status) {
        if (status > static_cast<std::uint8_t>(ParameterStatus::kInDoubt)) {
          throw RecordingError(
              fmt::format("a parameter has the status {}; expected 0 to 4", status));
        }
        statuses.push_back(static_cast<ParameterStatus>(status));
      }
      record_.parameters.push_back({to_stamp(message.header.stamp), std::move(message.names),
                                    std::move(message.values),
                                    std::move(message.standard_deviations), std::move(statuses)});
    } else if (type == ros::FilterStatus::kType) {
      const auto message = decode<ros::FilterStatus>(bytes);
      for (const std::string& event : message.events) {
        record_.events.push_back({to_stamp(message.header.stamp), event});
      }
      if (message.initialised && !message.health.empty()) {
        record_.health.push_back(
            {to_stamp(message.header.stamp), message.health, message.sample_efficiency});
      }
    }
  }

 private:
  void add(const ros::Posterior& message) {
    relbo_ = message.relbo;
    set_motion_of_states(message.state.names, record_);
    for (const ros::SensorUpdate& update : message.updates) {
      record_.updates.push_back(
          {.stamp = to_stamp(update.stamp),
           .sensor = update.sensor,
           .target = update.target,
           .outcome = update.outcome,
           .elbo_increment = update.elbo_increment,
           .innovation = Eigen::Map<const Eigen::VectorXd>(
               update.innovation.data(), static_cast<Eigen::Index>(update.innovation.size())),
           .nis = update.nis,
           .gate = update.gate});
    }
  }
  void add(const ros::Rollout& message) {
    if (message.times.size() != message.poses.size()) {
      throw RecordingError("a rollout with another number of poses than of times");
    }
    const Stamp start = to_stamp(message.header.stamp);
    RolloutSample rollout{.stamp = start, .times = message.times};
    for (std::size_t i = 0; i < message.times.size(); ++i) {
      // Times from outside may be anything; the stamp of a pose is not used.
      rollout.poses.push_back(pose_of(start, message.poses[i]));
    }
    record_.rollouts.push_back(std::move(rollout));
  }

  RunRecord& record_;
  double relbo_ = 0.0;
};

// The estimator's topics: that of its posteriors, and the others beside it.
std::vector<std::string> run_topics(const std::vector<Topic>& topics, const fs::path& path) {
  std::vector<std::string> posteriors;
  for (const Topic& topic : topics) {
    if (topic.type == ros::Posterior::kType) posteriors.push_back(topic.name);
  }
  if (posteriors.size() != 1) {
    throw RecordingError(
        fmt::format("{}: has {} topics of type {}; expected one: the folder of `ovf replay`, or a "
                    "recording of an estimator's topics",
                    path.string(), posteriors.size(), ros::Posterior::kType));
  }
  const std::string beside = posteriors.front().substr(0, posteriors.front().rfind('/') + 1);
  std::vector<std::string> names;
  for (const char* name : {"posterior", "odometry", "rollout", "parameters", "status"}) {
    names.push_back(beside + name);
  }
  names.front() = posteriors.front();
  return names;
}

}  // namespace

RunRecord read_run(const fs::path& path) {
  RunRecord record;
  record.name = fs::absolute(path).lexically_normal().filename().string();
  if (record.name.empty()) record.name = fs::absolute(path).parent_path().filename().string();
  fs::path recording = path;
  if (fs::exists(path / "estimates")) {
    recording = path / "estimates";
    const json summary = read_json(path / "summary.json");
    read_summary(summary, record);
    check_completion(summary, path, record);
    read_machine(read_json(path / "machine.json"), record.machine);
    read_configuration(path / "config.yaml", record);
  }
  ReadOptions options;
  options.topics = run_topics(open_recording(recording)->topics(), path);
  const auto reader = open_recording(recording, options);
  RunReader run(record);
  RecordedMessage message;
  while (reader->next(message)) {
    const Topic& topic = reader->topics()[static_cast<std::size_t>(message.topic)];
    run.read(topic.type, message.data);
  }
  const auto& damage = reader->warnings();
  record.warnings.insert(record.warnings.end(), damage.begin(), damage.end());
  return record;
}

}  // namespace ovf

#include "ovf/recording/replay.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "ovf/config/printable.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/findings.hpp"
#include "ovf/estimator/start_at_pose.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/replay_messages.hpp"
#include "recording/bag/write_whole.hpp"
#include "recording/replay_output.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMessagesBetweenProgress = 256;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

nlohmann::ordered_json summary_json(const fs::path& recording, const ReplayOptions& options,
                                    const ReplaySummary& summary, const Estimator& estimator) {
  nlohmann::ordered_json json;
  json["recording"] = fs::absolute(recording).lexically_normal().string();
  json["complete"] = !summary.interrupted;
  json["method"] = options.method;
  if (!options.tuned_noise.empty()) json["tuned noise"] = options.tuned_noise;
  json["seconds"] = summary.recording_seconds;
  json["messages"] = summary.recorded;
  json["topics"] = nlohmann::ordered_json::array();
  for (const TopicUse& use : summary.uses) {
    nlohmann::ordered_json entry;
    entry["topic"] = use.topic;
    entry["type"] = use.type;
    entry["sensor"] = use.sensor.empty() ? "control" : use.sensor;
    entry["messages"] = use.messages;
    entry["unused"] = use.unused;
    if (!use.first_error.empty()) entry["first error"] = use.first_error;
    json["topics"].push_back(entry);
  }
  for (int i = 0; i < kOutcomes; ++i) {
    json["outcomes"][to_string(static_cast<Outcome>(i))] =
        summary.counters.outcomes[static_cast<std::size_t>(i)];
  }
  for (int i = 0; i < kEvents; ++i) {
    json["events"][to_string(static_cast<EventKind>(i))] =
        summary.counters.events[static_cast<std::size_t>(i)];
  }
  json["parameters"] = nlohmann::ordered_json::array();
  if (estimator.initialised()) {
    for (const ParameterEstimate& parameter : estimator.parameters()) {
      json["parameters"].push_back({{"name", parameter.name},
                                    {"value", parameter.value},
                                    {"deviation", parameter.deviation},
                                    {"status", to_string(parameter.status)}});
    }
  }
  json["warnings"] = summary.warnings;
  json["findings"] = summary.findings;
  return json;
}

nlohmann::ordered_json machine_json(const ReplaySummary& summary) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr double kMicro = 1e6;
  nlohmann::ordered_json json;
  json["seconds"] = summary.seconds;
  json["times real time"] = summary.recording_seconds / summary.seconds;
  json["peak memory in MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
  auto& latency = json["microseconds per message"];
  latency["mean"] = kMicro * summary.latency.mean();
  latency["p50"] = kMicro * summary.latency.quantile(0.5);
  latency["p95"] = kMicro * summary.latency.quantile(0.95);
  latency["p99"] = kMicro * summary.latency.quantile(0.99);
  latency["max"] = kMicro * summary.latency.largest();
  auto& bins = json["histogram"] = nlohmann::ordered_json::array();
  for (const auto& bin : summary.latency.bins(60)) {
    bins.push_back(
        {{"from", kMicro * bin.lower}, {"to", kMicro * bin.upper}, {"count", bin.count}});
  }
  return json;
}

}  // namespace

ReplaySummary replay(const fs::path& recording, const fs::path& out, const ReplayOptions& options) {
  const double begun = steady_seconds();
  // All topics first, so that what is missing can be named; then only what is needed.
  auto reader = open_recording(recording);
  MessageInput input(options.config, reader->topics());
  ReadOptions read = replay_window(*reader, options);
  Estimator estimator(options.config, steady_seconds);
  if (!options.load.empty()) estimator.load(options.load);
  if (const auto pose = initial_pose(recording, options)) start_at_pose(estimator, *pose);
  read.topics = input.topics();
  reader = open_recording(recording, read);
  const std::int64_t first = std::max(reader->first_time(), read.start);
  const double all = 1e-9 * static_cast<double>(std::max<std::int64_t>(
                                0, std::min(reader->last_time(), read.end) - first));

  prepare_folder(out);
  write_whole(out / "config.yaml", write_estimator_config(options.config));
  ReplayOutput output(out, estimator);
  ReplaySummary summary;
  RecordedMessage message;
  std::vector<Message> messages;
  std::int64_t last = first;
  while (!summary.interrupted && reader->next(message)) {
    last = message.log_time;
    messages.clear();
    input.read(message, messages);
    // Where the recorder's clock stood still, it says nothing.
    const auto received = all > 0.0 ? std::optional<Stamp>(message.log_time) : std::nullopt;
    for (const Message& each : messages) {
      const EstimatorResult& result = estimator.process(each, received);
      summary.latency.add(result.seconds);
      output.write(estimator, each, result, message.log_time);
    }
    if (++summary.recorded % kMessagesBetweenProgress == 0 && options.progress) {
      options.progress(1e-9 * static_cast<double>(last - first), all);
    }
    summary.interrupted = options.interrupted && options.interrupted();
  }
  output.close(estimator);
  if (!options.save.empty()) estimator.save(options.save);

  summary.uses = input.uses();
  summary.counters = estimator.counters();
  summary.warnings = reader->warnings();
  summary.recording_seconds = summary.recorded > 0 ? 1e-9 * static_cast<double>(last - first) : 0.0;
  summary.initialised = estimator.initialised();
  summary.findings = findings(estimator);
  summary.seconds = steady_seconds() - begun;
  write_whole(out / "machine.json", machine_json(summary).dump(2) + "\n");
  // Foreign names in it may be no UTF-8.
  write_whole(out / "summary.json",
              summary_json(recording, options, summary, estimator)
                      .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                  "\n");
  return summary;
}

std::vector<std::string> shortcomings(const ReplaySummary& summary, const EstimatorConfig& config) {
  std::vector<std::string> all = summary.warnings;
  if (summary.recorded == 0) {
    all.emplace_back("there are no messages to replay in this part of the recording");
    return all;
  }
  for (const TopicUse& use : summary.uses) {
    long unused = 0;
    for (const auto& [reason, count] : use.unused) unused += count;
    if (use.messages == 0 || unused < use.messages) continue;
    std::string text = fmt::format("{}: none of the {} messages on {} can be used: {}",
                                   use.sensor.empty() ? "control" : use.sensor, use.messages,
                                   printable(use.topic), use.unused.begin()->first);
    if (!use.first_error.empty()) text += fmt::format(" ({})", printable(use.first_error));
    all.push_back(std::move(text));
  }
  if (!summary.initialised) {
    all.emplace_back(
        "the estimator never had a first belief: see initial.rule, or give --initial TOPIC");
  } else if (!config.sensors.empty() && summary.counters.of(Outcome::kUsed) == 0) {
    all.emplace_back("no message of any sensor was used");
  }
  return all;
}

}  // namespace ovf

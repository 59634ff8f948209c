#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ovf/config/yaml.hpp"
#include "ovf/estimator/config_of_method.hpp"
#include "ovf/evaluation/result_folder.hpp"
#include "ovf/evaluation/terminal_table.hpp"
#include "ovf/evaluation/tune_noise.hpp"
#include "ovf/recording/replay.hpp"
#include "ovf/recording/replay_messages.hpp"
#include "ovf/vision/camera_config.hpp"
#include "replay_progress.hpp"
#include "run_and_write.hpp"
#include "run_command.hpp"
#include "vision_door.hpp"

namespace replay_command {

inline constexpr int kPassesBetweenLines = 10;

struct Options {
  std::string recording;
  std::vector<std::string> configs;
  std::string out;
  std::vector<std::string> topics;
  std::string checkpoint;
  std::string method = "ovf";
  std::string model;
  bool learn = true;
  ovf::ReplayOptions replay;
};

/// NAME:=TOPIC, where NAME is a sensor's, or control.
inline void set_topics(const std::vector<std::string>& remaps, ovf::EstimatorConfig& config) {
  for (const std::string& remap : remaps) {
    const auto place = remap.find(":=");
    const std::string name = remap.substr(0, place);
    if (place == std::string::npos || name.empty() || place + 2 == remap.size()) {
      throw std::invalid_argument(fmt::format(
          "--topics {}: expected NAME:=TOPIC, NAME being a sensor's or `control`", remap));
    }
    const std::string topic = remap.substr(place + 2);
    const auto sensor = std::find_if(config.sensors.begin(), config.sensors.end(),
                                     [&](const auto& each) { return each.name == name; });
    if (name == "control") {
      config.motion.control_topic = topic;
    } else if (sensor != config.sensors.end()) {
      sensor->topic = topic;
    } else {
      throw std::invalid_argument(
          fmt::format("--topics {}: there is no sensor {} in the configuration", remap, name));
    }
  }
}

/// The extended Kalman filter with the noise that explains this recording best.
inline void tune(const std::string& recording, ovf::ReplayOptions& replay) {
  const std::vector<ovf::Message> messages = ovf::read_messages(recording, replay);
  const auto pose = ovf::initial_pose(recording, replay);
  const auto start = [&](ovf::Estimator& estimator) {
    if (pose) ovf::start_at_pose(estimator, *pose);
  };
  ovf::NoiseTuningOptions options;
  options.progress = [](int passes, double log_likelihood) {
    if (passes % kPassesBetweenLines != 1) return;
    fmt::print(stderr, "tuning the noise: pass {}, log likelihood {:.1f}\n", passes,
               log_likelihood);
  };
  ovf::NoiseTuning tuning = ovf::tune_noise(replay.config, messages, start, options);
  ovf::Table table{
      .title = "Noise of the tuned extended Kalman filter",
      .caption = fmt::format(
          "Log likelihood {:.1f}, from {:.1f}, after {} passes{}.", tuning.log_likelihood,
          tuning.start_log_likelihood, tuning.passes,
          tuning.converged ? "" : ", the most that are made: the search did not end by itself"),
      .header = {"noise", "configured", "tuned"}};
  for (const ovf::TunedNoise& noise : tuning.noise) {
    table.rows.push_back(
        {noise.name, fmt::format("{:.4g}", noise.start), fmt::format("{:.4g}", noise.value)});
    replay.tuned_noise[noise.name] = noise.value;
  }
  fmt::print("{}\n", ovf::terminal_table(table));
  replay.config = std::move(tuning.config);
}

/// What --method and --no-learn make of the configuration.
inline void set_method(const Options& options, ovf::ReplayOptions& replay) {
  if (!options.learn && options.method != "ovf") {
    throw std::invalid_argument(
        fmt::format("--no-learn with --method {}: that learns nothing anyway; expected one of both",
                    options.method));
  }
  replay.method = options.learn ? options.method : "no-learn";
  if (replay.method != ovf::kTunedMethod) {
    replay.config = ovf::config_of_method(replay.method, replay.config);
    return;
  }
  if (!options.checkpoint.empty()) {
    throw std::invalid_argument(
        "--checkpoint with --method ekf-tuned: the noise is tuned on the whole recording, from its "
        "beginning; expected one of both");
  }
  tune(options.recording, replay);
}

inline void print(const ovf::ReplaySummary& summary) {
  ovf::Table table{.title = "What was read",
                   .header = {"sensor", "topic", "type", "messages", "unusable"}};
  for (const ovf::TopicUse& use : summary.uses) {
    long unused = 0;
    std::string reasons;
    for (const auto& [reason, count] : use.unused) {
      unused += count;
      reasons += fmt::format("{}{} {}", reasons.empty() ? " (" : ", ", count, reason);
    }
    table.rows.push_back({use.sensor.empty() ? "control" : use.sensor, use.topic, use.type,
                          fmt::format("{}", use.messages),
                          fmt::format("{}{}{}", unused, reasons, reasons.empty() ? "" : ")")});
  }
  fmt::print("{}\n", ovf::terminal_table(table));
  ovf::Table became{.title = "Message outcomes", .header = {"outcome", "messages"}};
  for (int i = 0; i < ovf::kOutcomes; ++i) {
    const long count = summary.counters.outcomes[static_cast<std::size_t>(i)];
    if (count > 0) {
      became.rows.push_back(
          {ovf::to_string(static_cast<ovf::Outcome>(i)), fmt::format("{}", count)});
    }
  }
  fmt::print("{}\n", ovf::terminal_table(became));
  constexpr double kMicro = 1e6;
  fmt::print(
      "{:.1f} s of recording in {:.2f} s ({:.0f} times real time); per message {:.0f} us "
      "(p50), {:.0f} us (p99)\n",
      summary.recording_seconds, summary.seconds, summary.recording_seconds / summary.seconds,
      kMicro * summary.latency.quantile(0.5), kMicro * summary.latency.quantile(0.99));
  for (const std::string& finding : summary.findings) fmt::print("warning: {}\n", finding);
}

inline std::string interruption(const ovf::ReplaySummary& summary, const Options& options) {
  std::string text = fmt::format(
      "interrupted by {} after {:.1f} s of the recording: the result is whole up to there and says "
      "that it is not complete",
      InterruptWatch::name(), summary.recording_seconds);
  if (!options.checkpoint.empty()) text += fmt::format("; {} is of then", options.checkpoint);
  return text;
}

/// The folder with the results.
inline std::filesystem::path run(const Options& options, const Common& common) {
  ovf::ReplayOptions replay = options.replay;
  replay.config = ovf::load_estimator_config(
      std::vector<std::filesystem::path>(options.configs.begin(), options.configs.end()));
  set_topics(options.topics, replay.config);
  set_method(options, replay);
  if (!options.checkpoint.empty()) {
    if (std::filesystem::exists(options.checkpoint)) replay.load = options.checkpoint;
    replay.save = options.checkpoint;
  }
  ReplayProgress progress;
  replay.progress = [&](double done, double all) { progress.show(done, all); };
  const InterruptWatch watch;
  replay.interrupted = [] { return InterruptWatch::signal() != 0; };
  std::filesystem::path folder = options.out;
  std::optional<std::string> link_problem;
  ovf::ReplaySummary summary;
  if (options.out.empty()) {
    const ovf::ResultFolder result(common.out, "replay");
    folder = result.path();
    summary = ovf::replay(options.recording, folder, replay);
    link_problem = result.link_latest();
  } else {
    summary = ovf::replay(options.recording, folder, replay);
  }
  progress.finish();
  print(summary);
  if (link_problem) print_error(*link_problem);
  fmt::print("result: {}\n", std::filesystem::absolute(folder).string());
  if (summary.interrupted) {
    throw Interrupted(InterruptWatch::signal(), interruption(summary, options));
  }
  if (const auto all = ovf::shortcomings(summary, replay.config); !all.empty()) {
    throw IncompleteInput(
        fmt::format("{}: the recording is damaged or lacks what is needed; what could be read was "
                    "used",
                    options.recording),
        all);
  }
  return folder;
}

}  // namespace replay_command

/// `replay`: an estimator over a recording.
/// All of the command's `arguments` are handed over where the configuration is that of a camera.
inline void add_replay_command(CLI::App& parent, const Common& common,
                               const std::vector<std::string>& arguments) {
  using replay_command::Options;
  const auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand(
      "replay", "Run the estimator over a rosbag2 recording and write what it estimates");
  command->add_option("recording", options->recording, "A rosbag2 folder, or a .mcap or .db3 file")
      ->required()
      ->check(CLI::ExistingPath);
  command
      ->add_option("--config", options->configs,
                   "Parameter file of the robot; a further one replaces keys of those before")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--out", options->out,
                      "New folder for the results (default: results/replay-TIME)");
  command->add_option("--topics", options->topics,
                      "NAME:=TOPIC, where NAME is a sensor's or control; may be repeated");
  command->add_option("--start", options->replay.start, "Seconds to leave out at the beginning")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--duration", options->replay.duration, "Seconds to replay")
      ->check(CLI::PositiveNumber);
  command->add_option(
      "--initial", options->replay.initial_topic,
      "Start from the first pose on this topic that is not before the first message");
  command->add_option("--checkpoint", options->checkpoint,
                      "Go on from this file if it exists, and write it at the end");
  command
      ->add_option("--method", options->method,
                   "ovf, or to compare with: no-learn (noise as configured), ekf and ukf (extended "
                   "and unscented Kalman filter), ekf-tuned (the noise that maximises the "
                   "likelihood of this recording)")
      ->check(CLI::IsMember({"ovf", "no-learn", "ekf", "ukf", ovf::kTunedMethod}))
      ->capture_default_str();
  command->add_flag("--learn,!--no-learn", options->learn,
                    "Whether to learn noise levels, nu, drift rates and weights (default: yes); "
                    "--no-learn is --method no-learn");
  command->add_option(
      "--model", options->model,
      "Of a camera: folder of the model of pictures, instead of the configured one");
  command->callback([options, &common, arguments] {
    if (ovf::is_camera_config(ovf::read_config_file(options->configs.front()))) {
      run_ovf_vision(arguments);
    }
    if (!options->model.empty()) {
      throw std::invalid_argument("--model: the configuration is not that of a camera");
    }
    replay_command::run(*options, common);
  });
}

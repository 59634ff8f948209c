#include "ovf/evaluation/camera_replay.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ovf/evaluation/frame_forecasts.hpp"
#include "ovf/evaluation/report_files.hpp"
#include "ovf/recording/camera_messages.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/frame_reader.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf/vision/contact_sheet.hpp"
#include "ovf/vision/image_file.hpp"
#include "recording/bag/write_whole.hpp"
#include "recording/text_file.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

constexpr int kStripScale = 3;
constexpr long kPicturesBetweenProgress = 8;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The recording of estimates, and frames.csv.
class Output {
 public:
  explicit Output(const fs::path& folder)
      : recording_(create_recording(folder / "estimates")),
        posterior_(add<ros::Posterior>("/ovf_camera/posterior")),
        reconstruction_(add<ros::Image>("/ovf_camera/reconstruction")),
        predicted_(add<ros::Image>("/ovf_camera/predicted_image")),
        csv_(folder / "frames.csv") {
    csv_.print("stamp,outcome,novelty,nis,elbo_increment,elbo,iterations,learned,restarted\n");
  }

  void write(const CameraEstimator& estimator, const RecordedFrame& frame,
             const FrameResult& result) {
    csv_.print("{},{},{},{},{},{},{},{},{}\n", frame.stamp, to_string(result.outcome),
               result.novelty, result.nis, result.elbo_increment, result.elbo, result.iterations,
               result.learned ? 1 : 0, result.restarted ? 1 : 0);
    if (!result.used()) return;
    fill_camera_posterior(estimator, result, posterior_message_);
    publish(posterior_, frame.log_time, posterior_message_);
    image_message_.header = posterior_message_.header;
    fill_image(estimator.reconstruction(), image_message_);
    publish(reconstruction_, frame.log_time, image_message_);
    const auto next = estimator.predict(1);
    if (next.empty()) return;
    fill_image(estimator.decoded(next.front().mean), image_message_);
    publish(predicted_, frame.log_time, image_message_);
  }
  void close() {
    recording_->close();
    csv_.close();
  }

 private:
  template <typename M>
  int add(const char* name) {
    return recording_->add_topic({.name = name,
                                  .type = M::kType,
                                  .definition = definition<M>(),
                                  .definition_encoding = "ros2msg"});
  }
  template <typename M>
  void publish(int topic, std::int64_t time, const M& message) {
    encode(message, bytes_);
    recording_->write({.topic = topic, .log_time = time, .publish_time = time, .data = bytes_});
  }

  std::unique_ptr<RecordingWriter> recording_;
  int posterior_, reconstruction_, predicted_;
  TextFile csv_;
  ros::Posterior posterior_message_;
  ros::Image image_message_;
  std::vector<std::byte> bytes_;
};

Table counts_table(const CameraReplaySummary& summary) {
  Table table{.title = "Image outcomes", .header = {"outcome", "images"}};
  for (int i = 0; i < kFrameOutcomes; ++i) {
    const long count = summary.outcomes[static_cast<std::size_t>(i)];
    if (count == 0) continue;
    table.rows.push_back({to_string(static_cast<FrameOutcome>(i)), fmt::format("{}", count)});
  }
  for (const auto& [reason, count] : summary.unreadable) {
    table.rows.push_back({reason, fmt::format("{}", count)});
  }
  return table;
}

Chart ahead_chart(const FrameForecasts& forecasts, int horizon) {
  Chart chart{.id = "ahead",
              .title = "Error of predicted pictures",
              .x_label = "steps ahead",
              .y_label = "mean squared error of standardised pixels",
              .caption = "Predictions as they were made at the time: the last control goes on."};
  Series expected{.name = "expected"}, stays{.name = "last picture stays"};
  for (int h = 1; h <= horizon; ++h) {
    expected.x.push_back(h);
    expected.y.push_back(forecasts.error(h));
    stays.x.push_back(h);
    stays.y.push_back(forecasts.persistence(h));
  }
  chart.series = {expected, stays};
  return chart;
}

Report make_report(const fs::path& recording, const CameraReplayOptions& options,
                   const ImageModel& model, const CameraReplaySummary& summary,
                   const FrameForecasts& forecasts, const Series& novelty) {
  const int horizon = options.config.output.predicted_frames;
  Report report{.name = "camera-replay", .title = "What the camera saw, and what was expected"};
  report.summary = fmt::format(
      "{} pictures of {} in {:.1f} s, by the model of pictures \"{}\", learning {}. {} steps ahead "
      "the expected picture was off by {:.3f} (mean square of standardised pixels), the last "
      "picture by {:.3f}.",
      summary.pictures, summary.image_topic, summary.recording_seconds, model.name,
      options.learning ? "on" : "off", horizon, summary.prediction_error,
      summary.persistence_error);
  report.tables = {counts_table(summary)};
  for (std::size_t k = 0; k < forecasts.strips().size(); ++k) {
    const FrameForecasts::Strip& strip = forecasts.strips()[k];
    std::vector<Image> rows = strip.seen;
    rows.insert(rows.end(), strip.expected.begin(), strip.expected.end());
    report.pictures.push_back(
        {.id = fmt::format("strip_{}", k + 1),
         .title = fmt::format(
             "Expected at {:.1f} s",
             1e-9 * static_cast<double>(strip.stamp - forecasts.strips().front().stamp)),
         .caption = "Above what the camera saw, from then on; below what was expected at the "
                    "first of these pictures.",
         .png = encode_png(contact_sheet(rows, static_cast<int>(strip.seen.size()), kStripScale))});
  }
  report.charts = {ahead_chart(forecasts, horizon),
                   {.id = "novelty",
                    .title = "How unexpected each picture was",
                    .x_label = "picture",
                    .y_label = "nats per pixel",
                    .caption = "Minus the predictive log density.",
                    .series = {novelty}}};
  report.configuration = write_camera_config(options.config);
  report.facts = {{"Recording", fs::absolute(recording).lexically_normal().string()},
                  {"Pictures", summary.image_topic},
                  {"Controls", summary.control_topic.empty() ? "none" : summary.control_topic},
                  {"Model of pictures", model.name}};
  report.values = {{"pictures", static_cast<double>(summary.pictures)},
                   {"used", static_cast<double>(summary.outcomes[0])},
                   {"prediction error", summary.prediction_error},
                   {"persistence error", summary.persistence_error}};
  return report;
}

std::string machine_json(const CameraReplaySummary& summary) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  constexpr double kMilli = 1e3;
  nlohmann::ordered_json json;
  json["seconds"] = summary.seconds;
  json["pictures per second"] =
      static_cast<double>(summary.outcomes[0]) / std::max(1e-9, summary.seconds);
  json["peak memory in MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
  auto& latency = json["milliseconds per picture"];
  latency["mean"] = kMilli * summary.latency.mean();
  latency["p50"] = kMilli * summary.latency.quantile(0.5);
  latency["p99"] = kMilli * summary.latency.quantile(0.99);
  latency["max"] = kMilli * summary.latency.largest();
  return json.dump(2) + "\n";
}

std::string summary_json(const fs::path& recording, const CameraReplaySummary& summary) {
  nlohmann::ordered_json json;
  json["recording"] = fs::absolute(recording).lexically_normal().string();
  json["complete"] = !summary.interrupted;
  json["seconds"] = summary.recording_seconds;
  json["warnings"] = summary.warnings;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

CameraReplaySummary replay_camera(const fs::path& recording, const fs::path& out,
                                  const ImageModel& model, const CameraReplayOptions& options) {
  const double begun = steady_seconds();
  FrameReader reader(recording, {.image_topic = options.config.image_topic,
                                 .control_topic = options.config.control_topic,
                                 .start = options.start,
                                 .duration = options.duration});
  CameraEstimator estimator(options.config, model, steady_seconds);
  if (!options.load.empty()) estimator.load(options.load);
  estimator.set_learning(options.learning);
  prepare_folder(out);
  Output output(out);
  const auto& config = options.config.output;
  FrameForecasts forecasts(config.predicted_frames, 1.0 / options.config.rate);
  CameraReplaySummary summary;
  Series novelty{.name = "novelty"};
  Stamp next_forecast = 0;
  RecordedFrame frame;
  while (!summary.interrupted && reader.next(frame)) {
    ++(frame.is_control ? summary.controls : summary.pictures);
    if (!frame.problem.empty()) {
      ++summary.unreadable[frame.problem];
    } else if (frame.is_control) {
      if (!estimator.set_control(frame.control)) ++summary.unreadable["a control is not finite"];
    } else {
      const FrameResult& result = estimator.process(frame.stamp, frame.image);
      output.write(estimator, frame, result);
      if (result.used()) {
        summary.latency.add(result.seconds);
        novelty.x.push_back(static_cast<double>(summary.pictures));
        novelty.y.push_back(result.novelty);
        const bool due = config.prediction_period > 0.0 &&
                         (result.restarted || estimator.stamp() >= next_forecast);
        if (due) {
          next_forecast =
              estimator.stamp() + static_cast<Stamp>(std::llround(config.prediction_period * 1e9));
        }
        forecasts.add(estimator, frame.image, due);
      }
    }
    if (options.progress && summary.pictures % kPicturesBetweenProgress == 0) {
      options.progress(reader.seconds_read(), reader.seconds());
    }
    summary.interrupted = options.interrupted && options.interrupted();
  }
  output.close();
  if (!options.save.empty()) estimator.save(options.save);

  summary.image_topic = reader.image_topic();
  summary.control_topic = reader.control_topic();
  summary.outcomes = estimator.counts();
  summary.warnings = reader.warnings();
  summary.recording_seconds = reader.seconds_read();
  summary.prediction_error = forecasts.error(config.predicted_frames);
  summary.persistence_error = forecasts.persistence(config.predicted_frames);
  summary.seconds = steady_seconds() - begun;
  write_report(ResultFolder::existing(out),
               make_report(recording, options, model, summary, forecasts, novelty));
  write_whole(out / "machine.json", machine_json(summary));
  write_whole(out / "summary.json", summary_json(recording, summary));
  return summary;
}

}  // namespace ovf

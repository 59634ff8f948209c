#include "ovf/evaluation/sequential_vae.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "ovf/evaluation/frame_prediction.hpp"
#include "ovf/evaluation/latent_likelihood.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/model/neural_transition.hpp"
#include "ovf/vision/animation.hpp"
#include "ovf/vision/image_file.hpp"

namespace ovf {
namespace {

constexpr int kStripScale = 3;
constexpr double kAnimationStep = 0.25;
constexpr std::size_t kFewestFrames = 20;
// Pictures at the beginning that are left out of times: everything is loaded then.
constexpr std::size_t kWarmUp = 10;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

/// One network's run.
struct Run {
  std::vector<double> at;          ///< pictures seen
  std::vector<double> likelihood;  ///< of all of them, under the theta of then
  std::vector<double> novelty;     ///< of each picture
  std::vector<double> seconds;     ///< for each picture
  FramePrediction prediction;
  std::vector<PredictedStrip> strips;
};

class Experiment {
 public:
  Experiment(const ImageModel& model, const std::vector<CameraFrame>& frames,
             const std::vector<CameraFrame>& later, const SequentialVaeOptions& options,
             std::ostream& progress)
      : model_(model), frames_(frames), later_(later), options_(options), progress_(progress) {
    if (frames.size() < kFewestFrames ||
        later.size() < static_cast<std::size_t>(options.horizon) + 2) {
      throw std::invalid_argument(
          fmt::format("{} frames to learn from and {} to predict; expected at least {} and {}",
                      frames.size(), later.size(), kFewestFrames, options.horizon + 2));
    }
  }

  Report run() {
    if (options_.without_controls) study(false);
    if (options_.with_controls) study(true);
    finish();
    return report_;
  }

 private:
  void study(bool controls);
  Run learn(const CameraConfig& config, const std::string& label);
  void add_rows(const std::string& name, const std::string& key, const std::vector<Run>& runs);
  void add_charts(const std::string& name, const std::string& key, const std::vector<Run>& runs);
  void add_pictures(const std::string& name, const std::string& key, const Run& run);
  void finish();

  const ImageModel& model_;
  const std::vector<CameraFrame>& frames_;
  const std::vector<CameraFrame>& later_;
  SequentialVaeOptions options_;
  std::ostream& progress_;
  Report report_;
  Table errors_{.title = "Mean squared error of predicted pictures",
                .header = {"learned", "steps ahead", "learned network", "untrained network",
                           "last picture stays", "better than both by", "latent, learned",
                           "latent, untrained", "latent, stays"}};
  Table cost_{.title = "Cost of a picture",
              .header = {"learned", "median", "99 %", "pictures per second"}};
  Chart curve_{.id = "likelihood",
               .title = "Average log-likelihood of all pictures under theta as it was",
               .x_label = "pictures seen",
               .y_label = "nats per picture above the start",
               .caption =
                   "Mean and standard deviation over networks that start from other "
                   "weights (Section 5.3)."};
};

void Experiment::study(bool controls) {
  const std::string name = controls ? "with controls" : "without controls";
  const std::string key = controls ? "controls" : "alone";
  std::vector<Run> runs;
  for (int s = 0; s < options_.seeds; ++s) {
    CameraConfig config = options_.camera;
    config.control_topic = controls ? "control" : "";
    config.motion.seed = static_cast<std::uint64_t>(s) + 1;
    runs.push_back(learn(config, fmt::format("{}, network {}", name, s + 1)));
  }
  add_rows(name, key, runs);
  add_charts(name, key, runs);
  add_pictures(name, key, runs.front());
}

Run Experiment::learn(const CameraConfig& config, const std::string& label) {
  CameraEstimator estimator(config, model_, steady_seconds);
  const CameraEstimator untrained(config, model_);
  LatentLikelihood likelihood;
  Run run;
  std::vector<Eigen::VectorXd> thetas;
  Progress progress(label, frames_.size(), progress_);
  const auto keep = [&](std::size_t seen) {
    run.at.push_back(static_cast<double>(seen));
    thetas.push_back(estimator.filter().parameters());
  };
  keep(0);
  for (std::size_t k = 0; k < frames_.size(); ++k) {
    estimator.set_control(frames_[k].control);
    const FrameResult& result = estimator.process(frames_[k].stamp, frames_[k].image);
    if (result.used()) {
      likelihood.add(estimator.filter().model(), estimator.filter().record());
      run.novelty.push_back(result.novelty);
      if (k >= kWarmUp) run.seconds.push_back(result.seconds);
    }
    const std::size_t done = (k + 1) * static_cast<std::size_t>(options_.snapshots);
    if (done / frames_.size() >= thetas.size()) keep(k + 1);
    progress.advance();
  }
  progress.finish();

  NeuralTransitionSpec spec;
  const auto& mean =
      dynamic_cast<const NonlinearTransition&>(estimator.filter().model().transition());
  static_cast<NeuralMean::Spec&>(spec) = dynamic_cast<const NeuralMean&>(mean.mean()).spec();
  spec.noise_variance = config.motion.noise_variance;
  const auto transition = make_neural_transition(spec);
  for (const Eigen::VectorXd& theta : thetas) {
    transition->set_parameters(theta);
    run.likelihood.push_back(likelihood.average(*transition));
  }
  run.prediction =
      predict_frames(later_, estimator, untrained, {.horizon = options_.horizon}, run.strips);
  return run;
}

void Experiment::add_rows(const std::string& name, const std::string& key,
                          const std::vector<Run>& runs) {
  const auto over_runs = [&](auto error) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Run& run : runs) values.push_back(error(run.prediction));
    return values;
  };
  const auto text = [](const std::vector<double>& values) {
    return values.size() == 1
               ? fmt::format("{:.3f}", values[0])
               : fmt::format("{:.3f} ± {:.3f}", mean_of(values), deviation_of(values));
  };
  std::vector<int> ahead{1};
  if (options_.horizon > 1) ahead.push_back(options_.horizon);
  for (const int h : ahead) {
    const auto learned = over_runs([&](const auto& p) { return p.learned.pixels[h - 1]; });
    const auto before = over_runs([&](const auto& p) { return p.untrained.pixels[h - 1]; });
    const auto stays = over_runs([&](const auto& p) { return p.persistence.pixels[h - 1]; });
    const double other = std::min(mean_of(before), mean_of(stays));
    errors_.rows.push_back(
        {name, fmt::format("{}", h), text(learned), text(before), text(stays),
         fmt::format("{:.0f} %", 100.0 * (1.0 - mean_of(learned) / other)),
         text(over_runs([&](const auto& p) { return p.learned.latent[h - 1]; })),
         text(over_runs([&](const auto& p) { return p.untrained.latent[h - 1]; })),
         text(over_runs([&](const auto& p) { return p.persistence.latent[h - 1]; }))});
    const std::string prefix = fmt::format("{} {} ", key, h);
    report_.values[prefix + "learned"] = mean_of(learned);
    report_.values[prefix + "untrained"] = mean_of(before);
    report_.values[prefix + "persistence"] = mean_of(stays);
  }
  report_.values[key + " reconstruction"] =
      mean_of(over_runs([](const auto& p) { return p.reconstruction; }));

  std::vector<double> seconds;
  std::vector<double> gains;
  for (const Run& run : runs) {
    seconds.insert(seconds.end(), run.seconds.begin(), run.seconds.end());
    gains.push_back(run.likelihood.back() - run.likelihood.front());
  }
  report_.values[key + " likelihood gain"] = mean_of(gains);
  report_.values[key + " least likelihood gain"] = *std::min_element(gains.begin(), gains.end());
  std::sort(seconds.begin(), seconds.end());
  if (seconds.empty()) return;
  const auto quantile = [&](double share) {
    return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  cost_.rows.push_back({name, fmt::format("{:.1f} ms", 1e3 * quantile(0.5)),
                        fmt::format("{:.1f} ms", 1e3 * quantile(0.99)),
                        fmt::format("{:.1f}", 1.0 / mean_of(seconds))});
  report_.values[key + " pictures per second"] = 1.0 / mean_of(seconds);
}

void Experiment::add_charts(const std::string& name, const std::string& key,
                            const std::vector<Run>& runs) {
  Series band{.name = name, .x = runs.front().at, .style = "band"};
  for (std::size_t k = 0; k < band.x.size(); ++k) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Run& run : runs) values.push_back(run.likelihood[k] - run.likelihood.front());
    band.y.push_back(mean_of(values));
    band.lower.push_back(mean_of(values) - deviation_of(values));
    band.upper.push_back(mean_of(values) + deviation_of(values));
  }
  curve_.series.push_back(band);

  const FramePrediction& prediction = runs.front().prediction;
  Chart ahead{.id = "ahead_" + key,
              .title = "Error of predicted pictures, " + name,
              .x_label = "steps ahead",
              .y_label = "mean squared error of standardised pixels",
              .caption = "Of the first network, over the pictures that follow the run."};
  const auto line = [&](const char* who, const FramePredictionErrors& errors) {
    Series series{.name = who};
    for (int h = 0; h < options_.horizon; ++h) {
      series.x.push_back(h + 1);
      series.y.push_back(errors.pixels[h]);
    }
    ahead.series.push_back(series);
  };
  line("learned network", prediction.learned);
  line("untrained network", prediction.untrained);
  line("last picture stays", prediction.persistence);
  report_.charts.push_back(ahead);

  Chart novelty{.id = "novelty_" + key,
                .title = "How unexpected each picture was, " + name,
                .x_label = "picture",
                .y_label = "nats per pixel",
                .caption = "Minus the predictive log density, of the first network."};
  Series each{.name = "novelty"};
  for (std::size_t k = 0; k < runs.front().novelty.size(); ++k) {
    each.x.push_back(static_cast<double>(k));
    each.y.push_back(runs.front().novelty[k]);
  }
  novelty.series.push_back(each);
  report_.charts.push_back(novelty);
}

void Experiment::add_pictures(const std::string& name, const std::string& key, const Run& run) {
  std::vector<Image> moving;
  for (std::size_t k = 0; k < run.strips.size(); ++k) {
    report_.pictures.push_back(
        {.id = fmt::format("strip_{}_{}", key, k + 1),
         .title = fmt::format("Predicted pictures, {}, start {}", name, k + 1),
         .caption =
             "From the left: now, and one step further each. Above what the camera saw, in "
             "the middle what the learned network expected, below what the untrained one did.",
         .png = encode_png(strip_image(run.strips[k], kStripScale))});
    const PredictedStrip& strip = run.strips[k];
    for (std::size_t t = 0; t < strip.truth.size(); ++t) {
      moving.push_back(strip_image({{strip.truth[t]}, {strip.learned[t]}, {strip.untrained[t]}},
                                   2 * kStripScale));
    }
  }
  if (moving.empty()) return;
  report_.pictures.push_back({.id = "moving_" + key,
                              .title = "The same, moving, " + name,
                              .caption = "Above what the camera saw, in the middle the learned "
                                         "network, below the untrained one.",
                              .png = encode_animation(moving, kAnimationStep)});
}

void Experiment::finish() {
  report_.name = "sequential-vae";
  report_.title = "Learning to predict what the camera will see (Section 5.3)";
  report_.summary = fmt::format(
      "Over {} pictures of {} x {} pixels the filter found a latent state of {} numbers for each, "
      "by "
      "the model of pictures \"{}\", and learned how it moves. Then, with learning off, {} "
      "pictures "
      "that follow were predicted up to {} steps ahead from every fifth one; with controls the "
      "network is told of speed and turn rate, of the steps to come, too. Pixels are standardised: "
      "an error of 1 is that of the mean picture; reconstructions of the pictures themselves have "
      "{:.3f}.",
      frames_.size(), model_.scale.size().width, model_.scale.size().height,
      model_.decoder->latent_dim(), model_.name, later_.size(), options_.horizon,
      report_
          .values[options_.without_controls ? "alone reconstruction" : "controls reconstruction"]);
  errors_.caption = fmt::format(
      "Mean and standard deviation over {} networks. Better by: than the better of the untrained "
      "network and the last picture.",
      options_.seeds);
  report_.tables = {errors_, cost_};
  report_.charts.insert(report_.charts.begin(), curve_);
  report_.configuration = write_camera_config(options_.camera);
  report_.facts = {{"Model of pictures", model_.name},
                   {"Pictures", fmt::format("{} and {}", frames_.size(), later_.size())}};
}

}  // namespace

Report sequential_vae(const ImageModel& model, const std::vector<CameraFrame>& frames,
                      const std::vector<CameraFrame>& later, const SequentialVaeOptions& options,
                      std::ostream& progress) {
  return Experiment(model, frames, later, options, progress).run();
}

}  // namespace ovf

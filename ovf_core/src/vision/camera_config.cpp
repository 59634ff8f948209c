#include "ovf/vision/camera_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "config/yaml_entries.hpp"
#include "config/yaml_tree.hpp"
#include "ovf/config/parameter_list.hpp"
#include "ovf/config/yaml.hpp"
#include "ovf/filter/filter_schema.hpp"

namespace ovf {
namespace {

// Each struct is taken apart into all of its members: one that is added does not compile here until
// it is in the schema too.
void visit(ConfigVisitor& visitor, LatentMotionConfig& config) {
  auto& [hidden, blocks, scale, noise_variance, seed] = config;
  visitor.field("hidden", hidden, {1, 4096}, "Hidden units of each block of the network.");
  visitor.field("blocks", blocks, {1, 64}, "Residual blocks of the network.");
  visitor.field("scale", scale, above(0.0), "First value of each block's scale s.");
  visitor.field("noise_variance", noise_variance, above(0.0),
                "Of the latent state's process noise, after one step.");
  visitor.field("seed", seed, "Of the network's first weights.");
}

void visit(ConfigVisitor& visitor, CameraOutputConfig& config) {
  auto& [frame, predicted_frames, prediction_period, status_period] = config;
  visitor.field("frame", frame, "Frame of published pictures where the camera names none.");
  visitor.field("predicted_frames", predicted_frames, {1, 100},
                "Pictures that are predicted, one step apart.");
  visitor.field("prediction_period", prediction_period, at_least(0.0),
                "Time between two such predictions, in seconds; 0: none are made.");
  visitor.field("status_period", status_period, above(0.0),
                "Time between two status messages, in seconds.");
}

// Each Jacobian of a decoder costs more than all the rest of an iteration, and a posterior that is
// followed to its end predicts no better (docs/performance.md).
OnlineVariationalFilterConfig fast_filter() {
  OnlineVariationalFilterConfig config = OnlineVariationalFilterConfig::neural();
  config.natural_gradient = {.iterations = 1, .tolerance = 1.0, .refinements = 0};
  config.learning.schedule = {.rate = 4e-3, .scale = 30.0, .power = 0.6};
  return config;
}

// Section 5.3 and the authors' program.
OnlineVariationalFilterConfig paper_filter() {
  OnlineVariationalFilterConfig config = OnlineVariationalFilterConfig::paper();
  config.kernel = KernelFamily::kAffineMlp;
  config.kernel_layers = {64, 64};
  auto& inner = config.reparameterised;
  inner.iterations = 200;
  inner.samples = 32;
  inner.learning_rate = inner.first_learning_rate = 0.03;
  inner.kernel_learning_rate = 0.003;
  inner.decay = 1.0;

  config.value_regression.tune_steps = 25;
  config.value_regression.tune_points = 10;
  config.value_regression.regressor.kernel_ridge.ridge = 0.1;
  config.value_regression.regressor.kernel_ridge.tune_learning_rate = 0.01;

  auto& score = config.score_regression;
  score.points = 1024;
  score.tune_steps = 0;
  score.regressor.kind = RegressorKind::kDirectionMlp;
  score.regressor.mlp.hidden_layers = {256, 1024};
  score.regressor.mlp.iterations = 128;
  score.regressor.mlp.batch = 32;
  score.regressor.mlp.learning_rate = 1e-3;

  config.learning.schedule = {.rate = 1e-3, .scale = 0.0};
  config.learning.burn_in = 1;
  return config;
}

}  // namespace

OnlineVariationalFilterConfig camera_filter(CameraSetting setting) {
  return setting == CameraSetting::kPaper ? paper_filter() : fast_filter();
}

void visit(ConfigVisitor& visitor, CameraSetting& setting) {
  visitor.choice("setting", setting,
                 {{"fast", CameraSetting::kFast}, {"paper", CameraSetting::kPaper}},
                 "What the keys below filter start from.");
}

void visit(ConfigVisitor& visitor, CameraConfig& config) {
  auto& [model, image_topic, control_topic, rate, motion, pixel_variance, encoder_start,
         longest_gap, clock_jump, threads, guard, output, filter] = config;
  visitor.field("model", model, "Folder of the model of pictures, as train-vae writes it.");
  visitor.field("image_topic", image_topic, "sensor_msgs/Image or CompressedImage.");
  visitor.field("control_topic", control_topic,
                "Forward speed and turn rate, a further input of the network; empty: none.");
  visitor.field("rate", rate, {.lowest = 0.1, .highest = 1000.0},
                "Steps of the latent state per second; pictures that come faster are left out.");
  visitor.group("motion", motion, visit);
  visitor.field("pixel_variance", pixel_variance, above(0.0),
                "Of a pixel around its reconstruction, where pixels have variance one.");
  visitor.field("encoder_start", encoder_start,
                "Begin each picture's inner loop where the encoder says.");
  visitor.field("longest_gap", longest_gap, above(0.0),
                "A longer silence ends what is known of the latent state, in seconds.");
  visitor.field("clock_jump", clock_jump, above(0.0),
                "A stamp older by more than this means that the clock was set back, in seconds.");
  visitor.field("threads", threads, {1, 256}, "Threads of the networks.");
  visitor.group("guard", guard, visit);
  visitor.group("output", output, visit);
  visitor.group("filter", filter, visit);
}

void validate(const CameraConfig& config) {
  const auto fail = [](const char* key, const char* value, const char* expected) {
    throw std::invalid_argument(fmt::format("{} is {}; expected {}", key, value, expected));
  };
  if (config.model.empty()) fail("model", "empty", "the folder that ovf train-vae wrote");
  if (config.image_topic.empty()) fail("image_topic", "empty", "the topic of the pictures");
  validate(config.filter);
}

CameraConfig read_camera_config(const std::string& text, const std::string& source_name) {
  CameraSetting setting = CameraSetting::kFast;
  CameraConfig config;
  const auto visit_all = [&](ConfigVisitor& visitor) {
    visit(visitor, setting);
    visit(visitor, config);
  };
  // Once to learn the setting, once more on top of it.
  read_yaml(text, source_name, visit_all);
  config = CameraConfig{};
  config.filter = camera_filter(setting);
  read_yaml(text, source_name, visit_all);
  try {
    validate(config);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", source_name, error.what()));
  }
  return config;
}

bool is_camera_config(const std::string& text) {
  try {
    const YamlNode root = parse_yaml_tree(text, "");
    const auto entries = yaml_entries(root, "");
    return std::any_of(entries.begin(), entries.end(),
                       [](const YamlEntry& entry) { return entry.key == "model"; });
  } catch (const std::invalid_argument&) {
    return false;
  }
}

CameraConfig load_camera_config(const std::filesystem::path& path) {
  return read_camera_config(read_config_file(path), path.string());
}

std::string write_camera_config(const CameraConfig& config, const std::string& node_name) {
  CameraConfig copy = config;
  return write_yaml(node_name, [&](ConfigVisitor& visitor) { visit(visitor, copy); });
}

std::string camera_parameter_reference() {
  CameraSetting setting = CameraSetting::kFast;
  CameraConfig config;
  std::vector<Parameter> parameters = list_parameters([&](ConfigVisitor& visitor) {
    visit(visitor, setting);
    visit(visitor, config);
  });
  std::erase_if(parameters,
                [](const Parameter& parameter) { return parameter.key.starts_with("filter."); });
  return "\n## Camera\n\nThese keys, and those of the filter below `filter`.\n\n" +
         parameter_reference(parameters);
}

}  // namespace ovf

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ovf/config/schema.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"

namespace ovf {

/// The ready-made configuration of the filter that a camera's starts from.
enum class CameraSetting {
  kFast,   ///< Gauss-Newton on the decoder, S projected: keeps up with a camera
  kPaper,  ///< samples through the decoder, networks for the kernel and S: Section 5.3, seconds a
           ///< frame
};

/// The network that learns how the latent state moves.
struct LatentMotionConfig {
  int hidden = 32;
  int blocks = 4;
  double scale = 0.1;
  /// Of the process noise, after one step.
  double noise_variance = 0.1;
  std::uint64_t seed = 1;
};

/// What is published, live or in a replay's recording.
struct CameraOutputConfig {
  std::string frame = "camera";
  /// Pictures that are predicted, one step apart, and seconds between two such predictions (0:
  /// never).
  int predicted_frames = 10;
  double prediction_period = 0.5;
  double status_period = 1.0;
};

struct CameraConfig {
  /// The folder that train-vae wrote.
  std::string model = {};
  std::string image_topic = "camera/image";
  /// Forward speed and turn rate; empty: the network is told of no controls.
  std::string control_topic = {};
  /// Steps of the latent state per second. Pictures that come faster are left out.
  double rate = 10.0;
  LatentMotionConfig motion;
  /// Of standardised pixels.
  double pixel_variance = 0.1;
  /// Begin each picture's inner loop where the encoder says.
  bool encoder_start = true;
  /// A longer silence ends what is known of the latent state, in seconds.
  double longest_gap = 2.0;
  /// A picture older than the newest by more than this means that the clock was set back.
  double clock_jump = 5.0;
  /// Threads of the networks.
  int threads = 1;
  GuardConfig guard{.change = 0.0};
  CameraOutputConfig output;
  OnlineVariationalFilterConfig filter = OnlineVariationalFilterConfig::neural();

  bool has_controls() const { return !control_topic.empty(); }
};

/// Forward speed (m/s) and turn rate (rad/s).
inline constexpr int kCameraControls = 2;

/// The setting's filter.
OnlineVariationalFilterConfig camera_filter(CameraSetting setting);

/// The schema.
void visit(ConfigVisitor& visitor, CameraSetting& setting);
void visit(ConfigVisitor& visitor, CameraConfig& config);

/// Throws std::invalid_argument naming the key, the value and what was expected.
void validate(const CameraConfig& config);

/// The keys of the text on top of what `setting` (fast if absent) stands for. Throws
/// std::invalid_argument as read_yaml and validate do, with the source name.
CameraConfig read_camera_config(const std::string& text, const std::string& source_name);
/// Whether a text is the configuration of a camera rather than of a robot: it names a model. What
/// is no YAML is neither.
bool is_camera_config(const std::string& text);
/// The same from a file; also throws std::runtime_error if it cannot be read.
CameraConfig load_camera_config(const std::filesystem::path& path);
/// A ROS parameter file with every key; read_camera_config gives the same configuration back.
std::string write_camera_config(const CameraConfig& config,
                                const std::string& node_name = "ovf_camera");
/// The part of docs/parameters.md that is about cameras.
std::string camera_parameter_reference();

}  // namespace ovf

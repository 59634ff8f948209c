#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/estimator/parameter_guard.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/vision/camera_config.hpp"
#include "ovf/vision/image_model.hpp"

namespace ovf {

/// What became of a picture: used, or why not.
enum class FrameOutcome {
  kUsed,
  kTooSoon,           ///< the rate asks for fewer pictures
  kDuplicate,         ///< the stamp of the last one
  kOutOfOrder,        ///< older than the last one
  kBadStamp,          ///< beyond all time
  kBadImage,          ///< no pixels
  kNumericalFailure,  ///< the update had no finite result; the belief is as before
};
inline constexpr int kFrameOutcomes = 7;

const char* to_string(FrameOutcome outcome);

/// Everything that one picture brought.
struct FrameResult {
  FrameOutcome outcome = FrameOutcome::kUsed;
  /// What was wrong; empty when all is well.
  std::string reason;
  /// Whether the latent state began anew: at the first picture, after a long silence, or because
  /// the clock was set back.
  bool restarted = false;
  /// Nats per pixel by which the picture was unexpected: minus its predictive log density. NaN
  /// where there was no prediction.
  double novelty = 0.0;
  double nis = 0.0;  ///< per pixel
  double elbo_increment = 0.0;
  double elbo = 0.0;
  int iterations = 0;
  bool learned = false;
  /// The predictive likelihood collapsed: theta fell back to the last good one.
  bool parameters_restored = false;
  double seconds = 0.0;

  bool used() const { return outcome == FrameOutcome::kUsed; }
};

/// The camera's view of the filter (Section 5.3): from a stream of pictures a latent state, and how
/// it moves. The one class that the node, the replay and the experiments use.
class CameraEstimator {
 public:
  using Clock = std::function<double()>;

  /// The clock, in seconds, is for FrameResult::seconds alone. Throws std::invalid_argument on a
  /// configuration that the model of pictures cannot serve.
  CameraEstimator(CameraConfig config, ImageModel model, Clock clock = {});

  /// Forward speed and turn rate; those since the last picture are averaged. Numbers that are not
  /// finite are left out (then false).
  bool set_control(const Eigen::Vector2d& control);
  /// A picture of any size. Never throws on bad data; the result stays valid until the next call.
  const FrameResult& process(Stamp stamp, const Image& image);

  bool initialised() const { return initialised_; }
  Stamp stamp() const { return stamp_; }
  /// q_t(x_t).
  const Gaussian& belief() const { return filter_.belief(); }
  const OnlineVariationalFilter& filter() const { return filter_; }
  const CameraConfig& config() const { return config_; }
  const ImageModel& model() const { return model_; }
  const std::array<long, kFrameOutcomes>& counts() const { return counts_; }
  /// Of the last control that the network was given; empty: it is given none.
  const Eigen::VectorXd& last_control() const { return input_.control; }

  /// What the latent state means, as a picture.
  Image decoded(const Eigen::VectorXd& latent) const;
  Image reconstruction() const { return decoded(belief().mean); }
  /// The latent state after 1, 2, ... steps; the controls of each (the last one stands for all that
  /// follow; none: the present one goes on).
  std::vector<Gaussian> predict(int steps, const std::vector<Eigen::Vector2d>& controls = {}) const;
  /// The same as seen from another belief, of the same step.
  std::vector<Gaussian> predict_from(const Gaussian& belief, int steps,
                                     const std::vector<Eigen::Vector2d>& controls) const;

  void set_learning(bool on);
  bool learning() const { return !filter_.learner().frozen(); }
  /// Replaces what was learned.
  void set_parameters(const Eigen::VectorXd& values) { filter_.set_parameters(values); }
  /// The next picture is a first one. What was learned stays, or goes.
  void reset(bool keep_learned);

  /// As one: a checkpoint that is damaged or of something else throws std::runtime_error or
  /// std::invalid_argument, and all is as before.
  void save(const std::filesystem::path& path);
  void load(const std::filesystem::path& path);

 private:
  const FrameResult& refuse(FrameOutcome outcome, std::string reason);
  void restart();
  void take_control();
  void watch(double seconds);
  std::string fingerprint() const;
  void archive(Archive& archive);

  CameraConfig config_;
  ImageModel model_;
  Clock clock_;
  OnlineVariationalFilter filter_;
  Eigen::VectorXd first_parameters_;
  ParameterGuard guard_;
  FrameResult result_;
  std::array<long, kFrameOutcomes> counts_{};

  bool initialised_ = false;
  Stamp stamp_ = 0;
  Eigen::Vector2d control_sum_ = Eigen::Vector2d::Zero();
  int control_count_ = 0;
  Eigen::Vector2d held_control_ = Eigen::Vector2d::Zero();

  StepInput input_;
  Eigen::VectorXd pixels_;
  Eigen::VectorXd encoder_deviation_;
};

}  // namespace ovf

#include "ovf/vision/camera_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ovf/estimator/checkpoint.hpp"
#include "ovf/model/neural_transition.hpp"
#include "ovf/vision/image_file.hpp"
#include "ovf/vision/image_observation.hpp"
#include "ovf/vision/raw_image.hpp"

namespace ovf {
namespace {

// A picture counts for the next step if it comes after this share of it.
constexpr double kEarliest = 0.75;

StateSpaceModel make_model(const CameraConfig& config, const ImageModel& images) {
  if (!images.decoder || !images.encoder || images.decoder->pixel_dim() != images.scale.dim()) {
    throw std::invalid_argument(fmt::format(
        "model {}: expected a decoder and an encoder of the pictures of its scale", images.name));
  }
  NeuralTransitionSpec spec;
  spec.state_dim = images.decoder->latent_dim();
  spec.control_dim = config.has_controls() ? kCameraControls : 0;
  spec.control_products = true;
  spec.hidden = config.motion.hidden;
  spec.blocks = config.motion.blocks;
  spec.scale = config.motion.scale;
  spec.seed = config.motion.seed;
  spec.noise_variance = config.motion.noise_variance;
  return {standard_gaussian(spec.state_dim, CovarianceForm::kFull), make_neural_transition(spec),
          std::make_unique<ImageObservation>(images.decoder, config.pixel_variance)};
}

}  // namespace

const char* to_string(FrameOutcome outcome) {
  switch (outcome) {
    case FrameOutcome::kUsed:
      return "Used";
    case FrameOutcome::kTooSoon:
      return "TooSoon";
    case FrameOutcome::kDuplicate:
      return "Duplicate";
    case FrameOutcome::kOutOfOrder:
      return "OutOfOrder";
    case FrameOutcome::kBadStamp:
      return "BadStamp";
    case FrameOutcome::kBadImage:
      return "BadImage";
    case FrameOutcome::kNumericalFailure:
      return "NumericalFailure";
  }
  return "?";
}

CameraEstimator::CameraEstimator(CameraConfig config, ImageModel model, Clock clock)
    : config_(std::move(config)),
      model_(std::move(model)),
      clock_(std::move(clock)),
      filter_(make_model(config_, model_), config_.filter),
      first_parameters_(filter_.parameters()),
      guard_(config_.guard, 1, first_parameters_),
      pixels_(model_.scale.dim()) {
  if (config_.has_controls()) input_.control.setZero(kCameraControls);
}

bool CameraEstimator::set_control(const Eigen::Vector2d& control) {
  if (!control.allFinite()) return false;
  held_control_ = control;
  control_sum_ += control;
  ++control_count_;
  return true;
}

void CameraEstimator::take_control() {
  if (!config_.has_controls()) return;
  input_.control =
      control_count_ > 0 ? Eigen::Vector2d(control_sum_ / control_count_) : held_control_;
  control_sum_.setZero();
  control_count_ = 0;
}

const FrameResult& CameraEstimator::refuse(FrameOutcome outcome, std::string reason) {
  result_.outcome = outcome;
  result_.reason = std::move(reason);
  ++counts_[static_cast<std::size_t>(outcome)];
  return result_;
}

void CameraEstimator::restart() {
  filter_.restart(filter_.model().prior());
  initialised_ = false;
}

const FrameResult& CameraEstimator::process(Stamp stamp, const Image& image) {
  const double begun = clock_ ? clock_() : 0.0;
  result_ = {};
  if (stamp > kFarthestStamp || stamp < -kFarthestStamp) {
    return refuse(FrameOutcome::kBadStamp, fmt::format("a stamp of {} ns", stamp));
  }
  double elapsed = initialised_ ? seconds_between(stamp_, stamp) : 0.0;
  if (initialised_ && (elapsed < -config_.clock_jump || elapsed > config_.longest_gap)) restart();
  if (initialised_) {
    if (elapsed == 0.0) return refuse(FrameOutcome::kDuplicate, "the stamp of the last picture");
    if (elapsed < 0.0) {
      return refuse(FrameOutcome::kOutOfOrder, fmt::format("{:.3f} s late", -elapsed));
    }
    if (elapsed * config_.rate < kEarliest) return refuse(FrameOutcome::kTooSoon, "");
  }
  try {
    model_.scale.standardise(
        image.size() == model_.scale.size() ? image : resized(image, model_.scale.size()), pixels_);
  } catch (const ImageError& error) {
    return refuse(FrameOutcome::kBadImage, error.what());
  }

  take_control();
  result_.restarted = !initialised_;
  // Pictures that are missing: time passes, nothing is seen.
  const auto steps = initialised_ ? std::max(1L, std::lround(elapsed * config_.rate)) : 1L;
  input_.start.resize(0);
  for (long k = 1; k < steps; ++k) filter_.skip(input_);
  if (config_.encoder_start) model_.encoder->encode(pixels_, input_.start, encoder_deviation_);
  if (!input_.start.allFinite()) input_.start.resize(0);

  const StepResult& step = filter_.step(pixels_, input_);
  if (!step.ok()) return refuse(FrameOutcome::kNumericalFailure, step.reason);
  if (!initialised_) elapsed = 1.0 / config_.rate;
  initialised_ = true;
  stamp_ = stamp;
  const double numbers = static_cast<double>(pixels_.size());
  result_.novelty = result_.restarted ? std::numeric_limits<double>::quiet_NaN()
                                      : -step.predictive_log_density / numbers;
  result_.nis = step.nis / numbers;
  result_.elbo_increment = step.elbo_increment;
  result_.elbo = step.elbo;
  result_.iterations = step.iterations;
  result_.learned = step.learned;
  if (!result_.restarted) watch(elapsed);
  ++counts_[static_cast<std::size_t>(FrameOutcome::kUsed)];
  if (clock_) result_.seconds = clock_() - begun;
  return result_;
}

void CameraEstimator::watch(double seconds) {
  if (!learning()) return;
  // As many numbers as the latent state has, not as many as pixels: those are far from independent.
  const int dim = filter_.model().state_dim();
  const auto verdict = guard_.watch({.sensor = 0,
                                     .log_likelihood = -result_.novelty * dim,
                                     .nis = result_.nis * dim,
                                     .dim = dim,
                                     .seconds = seconds},
                                    filter_.parameters());
  if (!verdict.collapsed) return;
  filter_.set_parameters(guard_.last_good());
  result_.parameters_restored = true;
}

Image CameraEstimator::decoded(const Eigen::VectorXd& latent) const {
  Eigen::MatrixXd pixels;
  model_.decoder->decode(latent, pixels);
  return model_.scale.to_image(pixels.col(0));
}

std::vector<Gaussian> CameraEstimator::predict(int steps,
                                               const std::vector<Eigen::Vector2d>& controls) const {
  return predict_from(belief(), steps, controls);
}

std::vector<Gaussian> CameraEstimator::predict_from(
    const Gaussian& belief, int steps, const std::vector<Eigen::Vector2d>& controls) const {
  std::vector<Gaussian> path;
  path.reserve(static_cast<std::size_t>(steps));
  StepInput input;
  input.control = input_.control;
  Gaussian now = standard_gaussian(belief.dim(), CovarianceForm::kFull);
  now.mean = belief.mean;
  now.factor.lower() = belief.factor.lower();
  AffineGaussian line;
  Eigen::MatrixXd covariance, scratch;
  for (int k = 0; k < steps; ++k) {
    if (config_.has_controls() && !controls.empty()) {
      input.control = controls[std::min(static_cast<std::size_t>(k), controls.size() - 1)];
    }
    filter_.model().transition().linearise(input, now, Linearisation::kExpected, line);
    now.mean = line.offset + line.matrix * now.mean;
    scratch.noalias() = line.matrix * now.factor.lower();
    covariance.noalias() = scratch * scratch.transpose();
    line.noise.add_to(covariance);
    if (!now.factor.assign_covariance(covariance, scratch) || !now.mean.allFinite()) break;
    path.push_back(now);
  }
  return path;
}

void CameraEstimator::set_learning(bool on) {
  on ? filter_.learner().resume() : filter_.learner().freeze();
}

void CameraEstimator::reset(bool keep_learned) {
  if (keep_learned) {
    restart();
    return;
  }
  const bool was_learning = learning();
  filter_ = OnlineVariationalFilter(make_model(config_, model_), config_.filter);
  guard_ = ParameterGuard(config_.guard, 1, first_parameters_);
  set_learning(was_learning);
  initialised_ = false;
}

std::string CameraEstimator::fingerprint() const {
  const auto& motion = config_.motion;
  return fmt::format(
      "camera: model {}, {} x {} pixels, {} latent numbers, {} controls, network {} x {}",
      model_.name, model_.scale.size().width, model_.scale.size().height,
      filter_.model().state_dim(), input_.control.size(), motion.blocks, motion.hidden);
}

void CameraEstimator::archive(Archive& archive) {
  archive.flag("initialised", initialised_);
  archive.integer("stamp", stamp_, -kFarthestStamp, kFarthestStamp);
  archive.vector("held control", held_control_, kCameraControls);
  archive.require_finite("held control", held_control_);
  guard_.archive(archive);
  filter_.archive(archive);
}

void CameraEstimator::save(const std::filesystem::path& path) {
  Checkpoint checkpoint{.fingerprint = fingerprint(), .bytes = {}};
  Archive writer = Archive::writer(checkpoint.bytes);
  archive(writer);
  write_checkpoint(path, checkpoint);
}

void CameraEstimator::load(const std::filesystem::path& path) {
  const Checkpoint checkpoint = read_checkpoint(path, fingerprint());
  Archive::Bytes backup;
  Archive writer = Archive::writer(backup);
  archive(writer);
  try {
    Archive reader = Archive::reader(checkpoint.bytes);
    archive(reader);
    reader.finish();
  } catch (...) {
    Archive restore = Archive::memory_reader(backup);
    archive(restore);
    throw;
  }
  // Controls that came before belong to no step of this belief.
  control_sum_.setZero();
  control_count_ = 0;
}

}  // namespace ovf

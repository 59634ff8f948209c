#include "ovf/estimator/planar_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "ovf/math/angle.hpp"
#include "ovf/math/student_t.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kPlacesStream = 210;
constexpr std::uint64_t kNoiseStream = 220;    // and the following
constexpr std::uint64_t kDropOutStream = 240;  // and the following
constexpr const char* kNames[] = {"control", "uwb", "camera", "gnss", "imu"};

// Landmarks that a well-specified camera reports at a time.
constexpr int kSightings = 2;
// Shares of what a fix or a bearing says that a driver takes over.
constexpr double kFixGain = 0.3;
constexpr double kBearingGain = 0.2;

// Without the faults that no estimator models, and with a driver who takes the robot for nominal.
PlanarSimulatorConfig validated(PlanarSimulatorConfig config) {
  validate(config);
  if (!config.well_specified) return config;
  config.uwb.tails.outliers = config.camera.tails.outliers = config.gnss.tails.outliers = 0.0;
  config.gnss.wander = 0.0;
  config.slip = {.forward_gain = 1.0,
                 .turn_gain = 1.0,
                 .slip = 0.0,
                 .drag = 0.0,
                 .turn_loss = 0.0,
                 .response_time = config.slip.response_time,
                 .speed_disturbance = 0.0,
                 .turn_disturbance = 0.0};
  return config;
}

double between(double low, double high, RandomStream& random) {
  return low + (high - low) * random.uniform();
}

double exponential(double mean, RandomStream& random) {
  return -mean * std::log1p(-random.uniform());
}

// Normal, or Student-t in all directions alike.
Eigen::VectorXd draw_noise(const Eigen::VectorXd& scales, double nu, RandomStream& random) {
  Eigen::VectorXd noise(scales.size());
  random.fill_normal(noise);
  if (nu > 0.0) noise /= std::sqrt(draw_gamma(0.5 * nu, random) / (0.5 * nu));
  return noise.cwiseProduct(scales);
}

Eigen::Vector2d ray_to(const Landmark& landmark, const TruePose& pose) {
  return {landmark.position.x() - pose.x, landmark.position.y() - pose.y};
}

double bearing_of(const Eigen::Vector2d& ray, const TruePose& pose) {
  return wrapped(std::atan2(ray.y(), ray.x()) - pose.yaw);
}

// The point that is this share of the way around the walls.
Eigen::Vector2d on_wall(double share, double length, double width) {
  double way = share * 2.0 * (length + width);
  const Eigen::Vector2d corner(0.5 * length, 0.5 * width);
  if (way < length) return {way - corner.x(), -corner.y()};
  way -= length;
  if (way < width) return {corner.x(), way - corner.y()};
  way -= width;
  if (way < length) return {corner.x() - way, corner.y()};
  return {-corner.x(), corner.y() - (way - length)};
}

}  // namespace

PlanarSimulator::PlanarSimulator(const PlanarSimulatorConfig& config)
    : config_(validated(config)),
      robot_(config_),
      expected_start_(robot_.pose()),
      imu_bias_(config.imu.bias) {
  if (config_.well_specified) body_.emplace(config_, expected_start_);
  const SimulatedTiming commands{.rate = config_.driving.command_rate,
                                 .drop_out_every = config_.odometry.timing.drop_out_every,
                                 .drop_out_length = config_.odometry.timing.drop_out_length};
  const bool odometry = config_.control == ControlSource::kOdometry;
  sources_.push_back(make_source(kControl, odometry ? config_.odometry.timing : commands));
  sources_.push_back(make_source(kUwb, config_.uwb.timing));
  sources_.push_back(make_source(kCamera, config_.camera.timing));
  sources_.push_back(make_source(kGnss, config_.gnss.timing));
  sources_.push_back(make_source(kImu, config_.imu.timing));
  place_landmarks();
  auto& random = sources_[kGnss].random;
  gnss_error_ << config_.gnss.wander * random.normal(), config_.gnss.wander * random.normal();
}

PlanarSimulator::Source PlanarSimulator::make_source(SourceIndex index,
                                                     const SimulatedTiming& timing) const {
  RandomStream random(config_.seed, kNoiseStream + std::uint64_t{index});
  Stamp period = 1;
  Stamp phase = SensorClock::kNever;
  if (index == kControl && config_.control == ControlSource::kCommands) {
    period = robot_.command_period();
    phase = 0;
  } else if (timing.rate > 0.0) {
    period = std::llround(1.0 / (timing.rate * kSecondsPerNanosecond));
    // Not at 0: odometry needs an interval.
    phase = std::max<Stamp>(1, std::llround(random.uniform() * static_cast<double>(period)));
  }
  return {.clock = SensorClock(timing, period, phase, config_.seed,
                               kDropOutStream + std::uint64_t{index}),
          .random = random};
}

void PlanarSimulator::place_landmarks() {
  RandomStream random(config_.seed, kPlacesStream);
  const auto& [length, width] =
      std::pair(config_.driving.arena_length, config_.driving.arena_width);
  const int beacons = config_.uwb.beacons;
  for (int i = 0; i < beacons; ++i) {
    // About evenly around the arena.
    const double share = (i + between(0.2, 0.8, random)) / beacons;
    const Eigen::Vector2d place = on_wall(share, length, width);
    landmarks_.push_back({kFirstBeacon + i, {place.x(), place.y(), 0.0}});
    range_biases_.push_back(config_.uwb.bias + config_.uwb.bias_spread * random.normal());
  }
  for (int i = 0; i < config_.camera.landmarks; ++i) {
    const double x = between(-0.5 * length, 0.5 * length, random);
    landmarks_.push_back(
        {kFirstLandmark + i, {x, between(-0.5 * width, 0.5 * width, random), 0.0}});
  }
}

SimulatedMessage PlanarSimulator::next() {
  fill();
  auto [index, message] = std::move(ready_.front());
  ready_.pop_front();
  ++sources_[index].messages;
  if (message.outlier) ++sources_[index].outliers;
  return message;
}

Stamp PlanarSimulator::next_stamp() {
  fill();
  return stamp_of(ready_.front().second.message);
}

void PlanarSimulator::fill() {
  while (ready_.empty()) {
    const auto first = std::min_element(
        sources_.begin(), sources_.end(),
        [](const Source& a, const Source& b) { return a.clock.next() < b.clock.next(); });
    now_ = first->clock.next();
    robot_.advance_to(now_);
    speak(static_cast<SourceIndex>(first - sources_.begin()), first->clock.tick());
  }
}

void PlanarSimulator::speak(SourceIndex index, bool is_out) {
  switch (index) {
    case kControl:
      return speak_control(is_out);
    case kUwb:
      return is_out ? void() : speak_uwb();
    case kCamera:
      return is_out ? void() : speak_camera();
    case kGnss:
      return speak_gnss(is_out);
    case kImu:
      return speak_imu(is_out);
    case kSources:
      break;
  }
}

TruePose PlanarSimulator::step_body() {
  if (!body_) return robot_.pose();
  body_->step_to(now_);
  return body_->pose();
}

void PlanarSimulator::send(SourceIndex index, Message message, Eigen::VectorXd noise_free,
                           bool outlier) {
  ready_.emplace_back(index, SimulatedMessage{.message = std::move(message),
                                              .pose = body_ ? body_->pose() : robot_.pose(),
                                              .velocity = velocity(),
                                              .outlier = outlier,
                                              .noise_free = std::move(noise_free)});
}

void PlanarSimulator::speak_control(bool is_out) {
  if (config_.control == ControlSource::kCommands) {
    if (!is_out) send(kControl, Control{now_, robot_.command()});
    return;
  }
  const SimulatedOdometry& odometry = config_.odometry;
  const Eigen::Vector2d travel = robot_.wheel_travel();
  Eigen::Vector2d u = (travel - last_travel_) / seconds_between(last_odometry_, now_);
  last_travel_ = travel;
  last_odometry_ = now_;
  if (is_out) return;
  if (body_) {
    body_->set_control(u, now_);
    step_body();
    send(kControl, Control{now_, u});
    return;
  }
  u = u.cwiseProduct(Eigen::Vector2d(odometry.scale, odometry.turn_scale));
  u[1] += odometry.yaw_rate_bias;
  u += draw_noise(Eigen::Vector2d(odometry.speed_noise, odometry.turn_noise), odometry.nu,
                  sources_[kControl].random);
  send(kControl, Control{now_, u});
}

void PlanarSimulator::speak_uwb() {
  const SimulatedUwb& uwb = config_.uwb;
  auto& random = sources_[kUwb].random;
  const auto beacon = static_cast<std::size_t>(next_beacon_);
  next_beacon_ = (next_beacon_ + 1) % uwb.beacons;
  const TruePose pose = step_body();
  const double distance =
      (landmarks_[beacon].position - Eigen::Vector3d(pose.x, pose.y, 0.0)).norm();
  const double range = uwb.scale * distance + range_biases_[beacon];
  Eigen::VectorXd y = draw_noise(Eigen::VectorXd::Constant(1, uwb.noise), uwb.tails.nu, random);
  y[0] += range;
  const bool outlier = random.uniform() < uwb.tails.outliers;
  if (outlier) y[0] += exponential(uwb.outlier_length, random);
  send(kUwb,
       Measurement{.stamp = now_, .sensor = kNames[kUwb], .y = y, .target = landmarks_[beacon].id},
       Eigen::VectorXd::Constant(1, range), outlier);
}

void PlanarSimulator::speak_camera() {
  const auto first = static_cast<std::size_t>(config_.uwb.beacons);
  if (body_) {
    const int count = config_.camera.landmarks;
    for (int k = 0; k < std::min(kSightings, count); ++k) {
      const int drawn = sources_[kCamera].random.uniform_index(count);
      see_landmark(first + static_cast<std::size_t>(drawn), step_body());
    }
    return;
  }
  const SimulatedCamera& camera = config_.camera;
  const TruePose pose = robot_.pose();
  for (std::size_t i = first; i < landmarks_.size(); ++i) {
    const Eigen::Vector2d ray = ray_to(landmarks_[i], pose);
    if (ray.norm() > camera.reach || std::abs(bearing_of(ray, pose)) > 0.5 * camera.field_of_view) {
      continue;
    }
    see_landmark(i, pose);
  }
}

void PlanarSimulator::see_landmark(std::size_t i, const TruePose& pose) {
  const SimulatedCamera& camera = config_.camera;
  auto& random = sources_[kCamera].random;
  const Eigen::Vector2d ray = ray_to(landmarks_[i], pose);
  const Eigen::Vector2d scales(camera.range_noise, camera.bearing_noise);
  Eigen::Vector2d noise_free(camera.range_scale * ray.norm() + camera.range_bias,
                             bearing_of(ray, pose) + camera.bearing_bias);
  Eigen::Vector2d y = draw_noise(scales, camera.tails.nu, random);
  y += noise_free;
  const bool outlier = random.uniform() < camera.tails.outliers;
  if (outlier) {
    y[0] = between(0.0, camera.reach, random);
    y[1] = between(-0.5, 0.5, random) * camera.field_of_view;
  }
  y[1] = wrapped(y[1]);
  noise_free[1] = y[1] - wrapped(y[1] - noise_free[1]);
  send(kCamera,
       Measurement{.stamp = now_, .sensor = kNames[kCamera], .y = y, .target = landmarks_[i].id},
       noise_free, outlier);
  if (!body_) return;
  const TruePose thought = robot_.pose();
  const double off = wrapped(bearing_of(ray_to(landmarks_[i], thought), thought) - y[1]);
  robot_.shift(Eigen::Vector2d::Zero(), kBearingGain * off);
}

void PlanarSimulator::speak_gnss(bool is_out) {
  const SimulatedGnss& gnss = config_.gnss;
  auto& random = sources_[kGnss].random;
  const double kept = std::exp(-seconds_between(last_gnss_, now_) / gnss.wander_time);
  const double fresh = gnss.wander * std::sqrt(1.0 - kept * kept);
  for (double& error : gnss_error_) error = kept * error + fresh * random.normal();
  last_gnss_ = now_;
  if (is_out) return;
  const TruePose pose = step_body();
  const Eigen::Vector2d place(pose.x, pose.y);
  const double scale = body_ ? std::hypot(gnss.noise, gnss.noise_floor) : gnss.noise;
  Eigen::VectorXd y = draw_noise(Eigen::VectorXd::Constant(2, scale), gnss.tails.nu, random);
  y += place + gnss_error_;
  const bool outlier = random.uniform() < gnss.tails.outliers;
  if (outlier) {
    const double length = exponential(gnss.outlier_length, random);
    const double direction = between(-std::numbers::pi, std::numbers::pi, random);
    y += length * Eigen::Vector2d(std::cos(direction), std::sin(direction));
  }
  send(kGnss, Measurement{.stamp = now_, .sensor = kNames[kGnss], .y = y}, place, outlier);
  if (!body_) return;
  const TruePose thought = robot_.pose();
  robot_.shift(kFixGain * (y - Eigen::Vector2d(thought.x, thought.y)), 0.0);
}

void PlanarSimulator::speak_imu(bool is_out) {
  const SimulatedImu& imu = config_.imu;
  auto& random = sources_[kImu].random;
  imu_bias_ += imu.bias_drift * std::sqrt(seconds_between(last_imu_, now_)) * random.normal();
  last_imu_ = now_;
  if (is_out) return;
  step_body();
  const double rate = velocity()[2] + imu_bias_;
  Eigen::VectorXd y = draw_noise(Eigen::VectorXd::Constant(1, imu.noise), imu.nu, random);
  y[0] += rate;
  send(kImu, Measurement{.stamp = now_, .sensor = kNames[kImu], .y = y},
       Eigen::VectorXd::Constant(1, rate));
}

std::vector<PlanarSimulator::Count> PlanarSimulator::counts() const {
  std::vector<Count> counts;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    counts.push_back({.source = kNames[i],
                      .messages = source.messages,
                      .outliers = source.outliers,
                      .drop_outs = source.clock.drop_outs(),
                      .seconds_out = source.clock.seconds_out()});
  }
  return counts;
}

}  // namespace ovf

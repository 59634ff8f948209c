// Commands of a multirotor, from messages and recordings.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "estimator/simulated_multirotor.hpp"
#include "evaluation/temporary_folder.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/replay.hpp"
#include "ovf/recording/replay_messages.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf/recording/sense.hpp"
#include "ovf/recording/to_measurements.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

using ros::AttitudeTarget;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint8_t kNoRates = AttitudeTarget::IGNORE_ROLL_RATE |
                                  AttitudeTarget::IGNORE_PITCH_RATE |
                                  AttitudeTarget::IGNORE_YAW_RATE;

EstimatorConfig multirotor(ControlKind control = ControlKind::kAttitude) {
  EstimatorConfig config =
      load_estimator_config(test::config_folder() / "multirotor_commands.yaml");
  config.motion.control = control;
  return config;
}

AttitudeTarget target() {
  AttitudeTarget message;
  message.header.stamp.sec = 7;
  message.orientation = {0.1, 0.2, 0.3, std::sqrt(0.86)};
  message.body_rate = {0.4, -0.5, 0.6};
  message.thrust = 0.5F;
  return message;
}

Control control_of(ControlKind kind, const Sensed& sensed) {
  std::vector<Message> out;
  EXPECT_EQ(MessageConversion(multirotor(kind)).control(sensed, out), "");
  return std::get<Control>(out.at(0));
}

std::string refusal(ControlKind kind, const Sensed& sensed) {
  std::vector<Message> out;
  std::string reason = MessageConversion(multirotor(kind)).control(sensed, out);
  EXPECT_TRUE(out.empty());
  return reason;
}

std::string refusal(const AttitudeTarget& message, ControlKind kind = ControlKind::kAttitude) {
  return refusal(kind, sense_attitude_target(message));
}

TEST(ThrustControl, IsTakenFromAnAttitudeTarget) {
  const Sensed sensed = sense_attitude_target(target());
  Eigen::VectorXd attitude(5);
  attitude << 0.5, 0.1, 0.2, 0.3, std::sqrt(0.86);
  EXPECT_EQ(control_of(ControlKind::kAttitude, sensed).u, attitude);
  EXPECT_EQ(control_of(ControlKind::kAttitude, sensed).stamp, 7'000'000'000);
  EXPECT_EQ(control_of(ControlKind::kBodyRate, sensed).u, Eigen::Vector4d(0.5, 0.4, -0.5, 0.6));
}

TEST(ThrustControl, IsTakenFromPlainNumbersInAnyUnitOfThrust) {
  ros::VectorObservation message;
  message.values = {9.81, 0.0, 0.0, 0.0, 1.0};
  EXPECT_EQ(control_of(ControlKind::kAttitude, sense_vector(message)).u[0], 9.81);
  message.values.pop_back();
  EXPECT_EQ(refusal(ControlKind::kAttitude, sense_vector(message)),
            "not five numbers: thrust, then the attitude as a quaternion x, y, z, w");
  EXPECT_EQ(control_of(ControlKind::kBodyRate, sense_vector(message)).u.size(), 4);
  message.values.clear();
  EXPECT_EQ(refusal(ControlKind::kBodyRate, sense_vector(message)),
            "not four numbers: thrust, then the body rates about x, y, z");
  message.values = {-9.81, 0.0, 0.0, 0.0, 1.0};
  EXPECT_EQ(refusal(ControlKind::kAttitude, sense_vector(message)), "a negative thrust");
}

TEST(ThrustControl, OfAMessageThatMakesNoSenseIsRefused) {
  AttitudeTarget message = target();
  message.orientation.x = kNaN;
  EXPECT_EQ(refusal(message), "an attitude that is NaN or infinite");
  message.orientation = {0.0, 0.0, 0.0, 0.0};
  EXPECT_EQ(refusal(message), "an attitude of zeros");
  message = target();
  message.body_rate.z = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(message, ControlKind::kBodyRate), "a body rate that is NaN or infinite");
  message = target();
  message.thrust = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refusal(message), "a thrust that is NaN or infinite");
  message.thrust = -0.1F;
  EXPECT_EQ(refusal(message), "a negative thrust");
  message.thrust = 1.5F;
  EXPECT_EQ(refusal(message), "a thrust above 1: this message has it from 0 to 1");
  EXPECT_EQ(refusal(ControlKind::kAttitude, sense_imu(ros::Imu())), "no commanded thrust");
}

TEST(ThrustControl, RespectsWhatTheMessageSaysToIgnore) {
  AttitudeTarget message = target();
  message.type_mask = AttitudeTarget::IGNORE_THRUST;
  EXPECT_EQ(refusal(message), "its type_mask says to ignore the thrust");
  message.type_mask = AttitudeTarget::IGNORE_ATTITUDE;
  EXPECT_EQ(refusal(message),
            "its type_mask says to ignore the attitude: set motion.control: body_rate");
  EXPECT_EQ(control_of(ControlKind::kBodyRate, sense_attitude_target(message)).u.size(), 4);
  message.type_mask = kNoRates;
  message.body_rate.x = kNaN;  // whatever it says
  EXPECT_EQ(control_of(ControlKind::kAttitude, sense_attitude_target(message)).u.size(), 5);
  for (const std::uint8_t one : {AttitudeTarget::IGNORE_ROLL_RATE, kNoRates}) {
    message.type_mask = one;
    EXPECT_EQ(refusal(message, ControlKind::kBodyRate),
              "its type_mask says to ignore a body rate: set motion.control: attitude");
  }
}

TEST(ThrustControl, EstimatorRefusesAnAttitudeOfZeros) {
  Estimator estimator(multirotor());
  const EstimatorResult& result = estimator.process(Control{0, Eigen::VectorXd::Unit(5, 0)});
  EXPECT_EQ(result.outcome, Outcome::kNotFinite);
  EXPECT_NE(result.reason.find("quaternion of zeros"), std::string::npos);
  EXPECT_EQ(estimator.process(Control{0, Eigen::VectorXd::Ones(4)}).outcome, Outcome::kWrongSize);
}

// What definitions of mavros_msgs say, constants and comments included.
TEST(ThrustControl, KnowsTheDefinitionThatRecordingsHave) {
  const std::string fields =
      "std_msgs/Header header\n\nuint8 type_mask\nuint8 IGNORE_ROLL_RATE = 1 # body_rate.x\n"
      "uint8 IGNORE_ATTITUDE = 128\t# orientation field\n\ngeometry_msgs/Quaternion orientation\n"
      "geometry_msgs/Vector3 body_rate\nfloat32 thrust\n";
  Topic topic{.name = "/setpoint",
              .type = AttitudeTarget::kType,
              .definition = fields,
              .definition_encoding = "ros2msg"};
  EXPECT_NO_THROW(check_topic<AttitudeTarget>(topic));
  topic.definition.replace(topic.definition.find("float32"), 7, "float64");
  EXPECT_THROW(check_topic<AttitudeTarget>(topic), RecordingError);
}

/// A flight as MAVROS would have it recorded.
class RecordedFlight {
 public:
  static constexpr Stamp kStart = 1'700'000'000'000'000'000;

  RecordedFlight(const std::filesystem::path& path, const std::vector<Message>& messages)
      : writer_(create_recording(path)),
        commands_(add<AttitudeTarget>("/mavros/setpoint_raw/target_attitude")),
        poses_(add<ros::PoseStamped>("/mavros/vision_pose/pose")),
        rates_(add<ros::Imu>("/mavros/imu/data")) {
    for (const Message& message : messages) std::visit([this](const auto& m) { take(m); }, message);
    writer_->close();
  }

 private:
  template <typename M>
  int add(const char* name) {
    return writer_->add_topic({.name = name,
                               .type = M::kType,
                               .definition = definition<M>(),
                               .definition_encoding = "ros2msg"});
  }
  template <typename M>
  void write(int topic, Stamp stamp, M& message) {
    set_time(kStart + stamp, message.header.stamp);
    std::vector<std::byte> bytes;
    encode(message, bytes);
    writer_->write({.topic = topic,
                    .log_time = kStart + stamp,
                    .publish_time = kStart + stamp,
                    .data = bytes});
  }
  void take(const Control& control) {
    AttitudeTarget message;
    message.type_mask = kNoRates;
    message.orientation = {control.u[1], control.u[2], control.u[3], control.u[4]};
    message.thrust = static_cast<float>(control.u[0]);
    write(commands_, control.stamp, message);
  }
  void take(const Measurement& measurement) {
    const Eigen::VectorXd& y = measurement.y;
    if (measurement.sensor == "pose") {
      ros::PoseStamped message;
      message.pose.position = {y[0], y[1], y[2]};
      message.pose.orientation = {y[3], y[4], y[5], y[6]};
      write(poses_, measurement.stamp, message);
    } else {
      ros::Imu message;
      message.angular_velocity = {y[0], y[1], y[2]};
      write(rates_, measurement.stamp, message);
    }
  }

  std::unique_ptr<RecordingWriter> writer_;
  int commands_, poses_, rates_;
};

TEST(ThrustControl, ComesBackFromARecording) {
  const test::SimulatedMultirotor flight({.seconds = 5.0});
  const test::TemporaryFolder folder;
  RecordedFlight(folder.path() / "flight", flight.messages());
  ReplayOptions options;
  options.config = multirotor();
  const std::vector<Message> read = read_messages(folder.path() / "flight", options);
  ASSERT_EQ(read.size(), flight.messages().size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(stamp_of(read[i]), RecordedFlight::kStart + stamp_of(flight.messages()[i]));
    const auto* control = std::get_if<Control>(&read[i]);
    if (control == nullptr) continue;
    const Eigen::VectorXd& sent = std::get<Control>(flight.messages()[i]).u;
    EXPECT_EQ(control->u[0], static_cast<double>(static_cast<float>(sent[0])));
    EXPECT_EQ(control->u.tail(4), sent.tail(4));
  }

  const ReplaySummary summary = replay(folder.path() / "flight", folder.path() / "out", options);
  EXPECT_TRUE(summary.initialised);
  // 500 turn rates and 100 poses; one turn rate came before the first pose.
  EXPECT_EQ(summary.counters.of(Outcome::kUsed), 599);
  EXPECT_GT(summary.counters.of(Outcome::kPredicted), 245);
}

TEST(ThrustControl, IsNotTakenFromATwist) {
  const test::TemporaryFolder folder;
  {
    const auto writer = create_recording(folder.path() / "flight");
    writer->add_topic({.name = "/cmd_vel", .type = ros::TwistStamped::kType});
    writer->close();
  }
  ReplayOptions options;
  options.config = multirotor();
  options.config.motion.control_topic = "/cmd_vel";
  try {
    read_messages(folder.path() / "flight", options);
    FAIL() << "a twist has no thrust";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("mavros_msgs/msg/AttitudeTarget"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ovf

#include "ovf/recording/camera_recording.hpp"

#include "ovf/recording/camera_messages.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/ros_messages.hpp"

namespace ovf {
namespace {

ros::Header header(Stamp stamp, const char* frame) {
  ros::Header out;
  set_time(CameraRecording::kStart + stamp, out.stamp);
  out.frame_id = frame;
  return out;
}

}  // namespace

CameraRecording::CameraRecording(const std::filesystem::path& folder)
    : writer_(create_recording(folder)),
      control_(add<ros::TwistStamped>("/control")),
      image_(add<ros::Image>("/camera/image")),
      truth_(add<ros::Odometry>("/ground_truth")) {}

template <typename M>
int CameraRecording::add(const char* name) {
  return writer_->add_topic({.name = name,
                             .type = M::kType,
                             .definition = definition<M>(),
                             .definition_encoding = "ros2msg"});
}

template <typename M>
void CameraRecording::publish(int topic, Stamp stamp, const M& message) {
  encode(message, bytes_);
  const Stamp time = kStart + stamp;
  writer_->write({.topic = topic, .log_time = time, .publish_time = time, .data = bytes_});
}

void CameraRecording::write(const CameraFrame& frame) {
  ros::TwistStamped control;
  control.header = header(frame.stamp, "base_link");
  control.twist.linear.x = frame.control[0];
  control.twist.angular.z = frame.control[1];
  publish(control_, frame.stamp, control);

  picture_.header = header(frame.stamp, "camera");
  fill_image(frame.image, picture_);
  publish(image_, frame.stamp, picture_);

  ros::Odometry truth;
  truth.header = header(frame.stamp, "map");
  truth.child_frame_id = "base_link";
  set_vector({frame.pose.x, frame.pose.y, 0.0}, truth.pose.pose.position);
  set_quaternion(Eigen::Quaterniond(Eigen::AngleAxisd(frame.pose.yaw, Eigen::Vector3d::UnitZ())),
                 truth.pose.pose.orientation);
  truth.twist.twist = control.twist;
  publish(truth_, frame.stamp, truth);
}

void CameraRecording::close() { writer_->close(); }

}  // namespace ovf

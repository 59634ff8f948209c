// The code of every message, compiled once.
#include "ovf/recording/ros_messages.hpp"

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/cdr_reader.hpp"
#include "ovf/recording/cdr_writer.hpp"
#include "ovf/recording/message_definition.hpp"
#include "recording/cdr/definition_text.hpp"

namespace ovf {

template <typename M>
void decode(std::span<const std::byte> bytes, M& message) {
  CdrReader(bytes, M::kType).read(message);
}

template <typename M>
M decode(std::span<const std::byte> bytes) {
  M message;
  decode(bytes, message);
  return message;
}

template <typename M>
void encode(const M& message, std::vector<std::byte>& bytes) {
  CdrWriter(bytes, M::kType).write(message);
}

template <typename M>
std::string definition() {
  DefinitionTexts texts;
  DefinitionWriter::add<M>(texts);
  return join_definitions(texts);
}

#define OVF_INSTANTIATE(M)                                              \
  template ros::M decode<ros::M>(std::span<const std::byte>);           \
  template void decode<ros::M>(std::span<const std::byte>, ros::M&);    \
  template void encode<ros::M>(const ros::M&, std::vector<std::byte>&); \
  template std::string definition<ros::M>();

OVF_INSTANTIATE(Time)
OVF_INSTANTIATE(Duration)
OVF_INSTANTIATE(Clock)
OVF_INSTANTIATE(Header)
OVF_INSTANTIATE(Bool)
OVF_INSTANTIATE(Int32)
OVF_INSTANTIATE(Int64)
OVF_INSTANTIATE(Float32)
OVF_INSTANTIATE(Float64)
OVF_INSTANTIATE(String)
OVF_INSTANTIATE(MultiArrayDimension)
OVF_INSTANTIATE(MultiArrayLayout)
OVF_INSTANTIATE(Float64MultiArray)
OVF_INSTANTIATE(Vector3)
OVF_INSTANTIATE(Point)
OVF_INSTANTIATE(Point32)
OVF_INSTANTIATE(Quaternion)
OVF_INSTANTIATE(Pose)
OVF_INSTANTIATE(Pose2D)
OVF_INSTANTIATE(PoseWithCovariance)
OVF_INSTANTIATE(Twist)
OVF_INSTANTIATE(TwistWithCovariance)
OVF_INSTANTIATE(Accel)
OVF_INSTANTIATE(AccelWithCovariance)
OVF_INSTANTIATE(Transform)
OVF_INSTANTIATE(Vector3Stamped)
OVF_INSTANTIATE(PointStamped)
OVF_INSTANTIATE(QuaternionStamped)
OVF_INSTANTIATE(PoseStamped)
OVF_INSTANTIATE(PoseArray)
OVF_INSTANTIATE(PoseWithCovarianceStamped)
OVF_INSTANTIATE(TwistStamped)
OVF_INSTANTIATE(TwistWithCovarianceStamped)
OVF_INSTANTIATE(AccelStamped)
OVF_INSTANTIATE(AccelWithCovarianceStamped)
OVF_INSTANTIATE(TransformStamped)
OVF_INSTANTIATE(Odometry)
OVF_INSTANTIATE(Path)
OVF_INSTANTIATE(TFMessage)
OVF_INSTANTIATE(Imu)
OVF_INSTANTIATE(NavSatStatus)
OVF_INSTANTIATE(NavSatFix)
OVF_INSTANTIATE(JointState)
OVF_INSTANTIATE(Range)
OVF_INSTANTIATE(MagneticField)
OVF_INSTANTIATE(FluidPressure)
OVF_INSTANTIATE(Image)
OVF_INSTANTIATE(CompressedImage)
OVF_INSTANTIATE(RegionOfInterest)
OVF_INSTANTIATE(CameraInfo)
OVF_INSTANTIATE(LaserScan)
OVF_INSTANTIATE(VectorObservation)
OVF_INSTANTIATE(RangeBearing)
OVF_INSTANTIATE(RangeBearingArray)
OVF_INSTANTIATE(GaussianState)
OVF_INSTANTIATE(SensorUpdate)
OVF_INSTANTIATE(Posterior)
OVF_INSTANTIATE(Rollout)
OVF_INSTANTIATE(ModelParameters)
OVF_INSTANTIATE(FilterStatus)
OVF_INSTANTIATE(Novelty)
OVF_INSTANTIATE(CameraStatus)
OVF_INSTANTIATE(AttitudeTarget)

#undef OVF_INSTANTIATE

}  // namespace ovf

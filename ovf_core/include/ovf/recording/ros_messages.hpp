#pragma once

#include "ovf/recording/ros_fields.hpp"
#include "ovf/recording/ros_geometry.hpp"
#include "ovf/recording/ros_geometry_stamped.hpp"
#include "ovf/recording/ros_image.hpp"
#include "ovf/recording/ros_mavros.hpp"
#include "ovf/recording/ros_nav.hpp"
#include "ovf/recording/ros_ovf.hpp"
#include "ovf/recording/ros_ovf_camera.hpp"
#include "ovf/recording/ros_sensor.hpp"
#include "ovf/recording/ros_std.hpp"

namespace ovf::ros {

/// Every message that the library reads and writes.
using AllMessages =
    MessageList<Time, Duration, Clock, Header, Bool, Int32, Int64, Float32, Float64, String,
                MultiArrayDimension, MultiArrayLayout, Float64MultiArray, Vector3, Point, Point32,
                Quaternion, Pose, Pose2D, PoseWithCovariance, Twist, TwistWithCovariance, Accel,
                AccelWithCovariance, Transform, Vector3Stamped, PointStamped, QuaternionStamped,
                PoseStamped, PoseArray, PoseWithCovarianceStamped, TwistStamped,
                TwistWithCovarianceStamped, AccelStamped, AccelWithCovarianceStamped,
                TransformStamped, Odometry, Path, TFMessage, Imu, NavSatStatus, NavSatFix,
                JointState, Range, MagneticField, FluidPressure, Image, CompressedImage,
                RegionOfInterest, CameraInfo, LaserScan, VectorObservation, RangeBearing,
                RangeBearingArray, GaussianState, SensorUpdate, Posterior, Rollout, ModelParameters,
                FilterStatus, Novelty, CameraStatus, AttitudeTarget>;

}  // namespace ovf::ros

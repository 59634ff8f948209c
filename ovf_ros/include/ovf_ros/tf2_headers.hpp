#pragma once

// tf2's headers end in .h up to Humble, and in .hpp from some later distribution on.
#if __has_include("tf2_ros/transform_broadcaster.hpp")
#include "tf2/buffer_core.hpp"
#include "tf2_ros/static_transform_broadcaster.hpp"
#include "tf2_ros/transform_broadcaster.hpp"
#else
#include "tf2/buffer_core.h"
#include "tf2_ros/static_transform_broadcaster.h"
#include "tf2_ros/transform_broadcaster.h"
#endif

#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

template <typename Service>
using ServiceHandler =
    std::function<void(const typename Service::Request&, typename Service::Response&)>;

/// A service that succeeds unless its handler throws; what is thrown is the message of the answer.
/// `name` is a literal.
template <typename Service>
std::shared_ptr<rclcpp::Service<Service>> answering_service(rclcpp_lifecycle::LifecycleNode& node,
                                                            const char* name,
                                                            ServiceHandler<Service> handler) {
  const auto logger = node.get_logger();
  const auto answer = [handler = std::move(handler), logger, name](
                          const std::shared_ptr<typename Service::Request>& request,
                          const std::shared_ptr<typename Service::Response>& response) {
    try {
      handler(*request, *response);
      response->success = true;
    } catch (const std::exception& error) {
      response->success = false;
      response->message = error.what();
      RCLCPP_WARN(logger, "%s: %s", name, error.what());
    }
  };
  return node.create_service<Service>(name, answer);
}

}  // namespace ovf_ros

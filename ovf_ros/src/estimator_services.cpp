#include "ovf_ros/estimator_services.hpp"

#include <limits>
#include <stdexcept>

#include "ovf/recording/estimator_messages.hpp"
#include "ovf_ros/answering_service.hpp"

namespace ovf_ros {
namespace {

using ovf_msgs::srv::GetRollout;
using ovf_msgs::srv::LoadModel;
using ovf_msgs::srv::Reset;
using ovf_msgs::srv::SaveModel;
using ovf_msgs::srv::SetLearning;

ovf::ControlPlan plan_of(const std::string& plan) {
  if (plan.empty() || plan == "unknown") return ovf::ControlPlan::kUnknown;
  if (plan == "held") return ovf::ControlPlan::kHeld;
  if (plan == "zero") return ovf::ControlPlan::kZero;
  if (plan == "given") return ovf::ControlPlan::kGiven;
  throw std::invalid_argument("plan is " + plan + "; expected unknown, held, zero or given");
}

}  // namespace

ovf::RolloutRequest rollout_request(const GetRollout::Request& request, int control_dim) {
  ovf::RolloutRequest out;
  out.horizon = request.horizon;
  out.step = request.step;
  out.plan = plan_of(request.plan);
  out.seed = request.seed;
  if (request.path_count > static_cast<std::uint32_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument("path_count is " + std::to_string(request.path_count) +
                                "; expected a count of paths");
  }
  out.samples = static_cast<int>(request.path_count);
  if (request.controls.empty()) return out;
  const auto dim = static_cast<std::size_t>(control_dim);
  if (dim == 0 || request.controls.size() % dim != 0) {
    throw std::invalid_argument("controls has " + std::to_string(request.controls.size()) +
                                " numbers; expected controls of " + std::to_string(dim));
  }
  for (std::size_t i = 0; i < request.controls.size(); i += dim) {
    out.controls.emplace_back(
        Eigen::Map<const Eigen::VectorXd>(request.controls.data() + i, control_dim));
  }
  return out;
}

EstimatorServices::EstimatorServices(rclcpp_lifecycle::LifecycleNode& node,
                                     EstimatorActions& actions) {
  get_rollout_ = answering_service<GetRollout>(
      node, "~/get_rollout",
      [&actions](const GetRollout::Request& request, GetRollout::Response& response) {
        const ovf::Estimator& estimator = actions.estimator();
        const auto wanted = rollout_request(request, estimator.motion().control_dim());
        ovf::fill_rollout(estimator, estimator.rollout(wanted), response.rollout);
      });
  save_model_ = answering_service<SaveModel>(
      node, "~/save_model",
      [&actions](const SaveModel::Request& request, SaveModel::Response& response) {
        response.message = "saved to " + actions.save(request.path);
      });
  load_model_ = answering_service<LoadModel>(
      node, "~/load_model",
      [&actions](const LoadModel::Request& request, LoadModel::Response& response) {
        response.message = "goes on from " + actions.load(request.path);
      });
  reset_ = answering_service<Reset>(
      node, "~/reset",
      [&actions](const Reset::Request& request, Reset::Response&) { actions.reset(request); });
  set_learning_ = answering_service<SetLearning>(
      node, "~/set_learning",
      [&actions](const SetLearning::Request& request, SetLearning::Response&) {
        actions.set_learning(request.on);
      });
}

}  // namespace ovf_ros

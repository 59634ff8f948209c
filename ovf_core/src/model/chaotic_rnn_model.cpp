#include "ovf/model/chaotic_rnn_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_observation.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

void require_positive(const char* name, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw std::invalid_argument(
        fmt::format("chaotic RNN: {} is {}; expected a positive finite number", name, value));
  }
}

}  // namespace

StateSpaceModel make_chaotic_rnn(const ChaoticRnnSpec& spec) {
  require_positive("prior_deviation", spec.prior_deviation);
  require_positive("process_noise", spec.process_noise);
  auto network = std::make_unique<ChaoticRnn>(spec);
  const int d = network->input_dim();
  const auto learned = [](bool learn) { return learn ? LearnedScale::kShared : LearnedScale::kNo; };
  const auto deviations = [&](double deviation) { return Eigen::VectorXd::Constant(d, deviation); };
  ObservationNoise noise({.kind = NoiseKind::kStudentT,
                          .scales = deviations(spec.observation_scale),
                          .nu = spec.nu,
                          .learn_scale = learned(spec.learn_observation_scale),
                          .learn_nu = spec.learn_nu});
  const Eigen::MatrixXd covariance =
      CovarianceFactor::from_standard_deviations(deviations(spec.process_noise)).covariance();
  return {{Eigen::VectorXd::Zero(d),
           CovarianceFactor::from_standard_deviations(deviations(spec.prior_deviation))},
          std::make_unique<NonlinearTransition>(std::move(network), covariance,
                                                learned(spec.learn_process_noise)),
          std::make_unique<NonlinearObservation>(
              std::make_unique<LinearMean>(LinearMean::identity(d)), std::move(noise))};
}

}  // namespace ovf

#include "ovf/model/nonlinear_gaussian.hpp"

#include <stdexcept>
#include <utility>

#include "ovf/model/nonlinear_observation.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {

StateSpaceModel make_nonlinear_gaussian(NonlinearGaussianSpec spec) {
  if (!(spec.V.array() > 0.0).all()) {
    throw std::invalid_argument("V has a variance that is not positive");
  }
  ObservationNoise noise(
      {.kind = NoiseKind::kGaussian, .scales = spec.V.cwiseSqrt(), .learn_scale = spec.learn_V});
  return {std::move(spec.prior),
          std::make_unique<NonlinearTransition>(std::move(spec.f), spec.U, spec.learn_U),
          std::make_unique<NonlinearObservation>(std::move(spec.g), std::move(noise))};
}

}  // namespace ovf

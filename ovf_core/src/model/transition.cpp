#include "ovf/model/transition.hpp"

#include <stdexcept>

namespace ovf {

void Transition::expected_scores(const StepInput& /*input*/, const AffineVariable& /*from*/,
                                 const AffineVariable& /*to*/, int /*first*/,
                                 QuadraticFunctions& /*out*/) const {
  throw std::logic_error("this transition has no closed-form scores; use a regressed score");
}

void Transition::sensitivity(const StepInput& /*input*/, const Gaussian& /*at*/,
                             Sensitivity& /*out*/) const {
  throw std::logic_error("this transition has no closed-form scores; use a regressed score");
}

}  // namespace ovf

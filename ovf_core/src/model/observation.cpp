#include "ovf/model/observation.hpp"

#include <stdexcept>

#include "ovf/model/observation_quadrature.hpp"

namespace ovf {

void Observation::expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                       ExpectedDerivatives& out) const {
  ObservationQuadrature().derivatives(*this, y, q, out);
}

InnovationSize Observation::innovation(const Eigen::VectorXd& /*y*/, const Gaussian& /*prediction*/,
                                       Eigen::VectorXd& /*out*/) const {
  throw std::logic_error("this observation does not measure its innovations itself; linearise it");
}

void Observation::coordinate_log_density(const Eigen::VectorXd& /*y*/, int /*i*/,
                                         const Eigen::ArrayXd& /*x*/,
                                         Eigen::ArrayXd& /*out*/) const {
  throw std::logic_error("this observation's density is no sum over coordinates of the state");
}

Observation::Peak Observation::coordinate_peak(const Eigen::VectorXd& /*y*/, int /*i*/) const {
  throw std::logic_error("this observation's density is no sum over coordinates of the state");
}

void Observation::expected_scores(const Eigen::VectorXd& /*y*/, const AffineVariable& /*at*/,
                                  int /*first*/, QuadraticFunctions& /*out*/) const {
  throw std::logic_error("this observation has no closed-form scores; use a regressed score");
}

void Observation::sensitivity(const Gaussian& /*at*/, Sensitivity& /*out*/) const {
  throw std::logic_error("this observation has no closed-form scores; use a regressed score");
}

}  // namespace ovf

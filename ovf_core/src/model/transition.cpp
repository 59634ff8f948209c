#include "ovf/model/transition.hpp"

#include <stdexcept>

namespace ovf {

void Transition::grouped_scores(const StepInput& input, const Eigen::MatrixXd& from,
                                const Eigen::MatrixXd& to, const Eigen::VectorXd& weights,
                                Eigen::Ref<Eigen::MatrixXd> out) const {
  Eigen::MatrixXd samples(out.rows(), to.cols());
  scores(input, from, to, samples);
  const Eigen::Index size = to.cols() / out.cols();
  for (Eigen::Index g = 0; g < out.cols(); ++g) {
    out.col(g).noalias() = samples.middleCols(g * size, size) * weights.segment(g * size, size);
  }
}

void Transition::expected_scores(const StepInput& /*input*/, const AffineGaussian& /*line*/,
                                 const AffineVariable& /*from*/, const AffineVariable& /*to*/,
                                 int /*first*/, QuadraticFunctions& /*out*/) const {
  throw std::logic_error("this transition has no closed-form scores; use a regressed score");
}

void Transition::sensitivity(const StepInput& /*input*/, const Gaussian& /*at*/,
                             Sensitivity& /*out*/) const {
  throw std::logic_error("this transition has no closed-form scores; use a regressed score");
}

}  // namespace ovf

#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/random.hpp"
#include "ovf/math/tabulated_density.hpp"
#include "ovf/model/observation.hpp"

namespace ovf {

/// A non-Gaussian conditional p(x | v) close to N(x; J^-1 h(v), J^-1) g(y | x), h affine in v, for
/// an observation that is separable: the exact posterior of a Gaussian prediction and, say,
/// Student-t noise. It is a product of one-dimensional conditionals: the last coordinate, the one
/// before it given the last, and so on, each with its own factor of g as it is; the factors of
/// coordinates not drawn yet enter as Gaussian sites.
class TiltedConditional {
 public:
  /// `precision` J and the `sites` of g: curvature and gradient of log g at `centre`. The input v
  /// adds `by_input` v to the `information` h. False if the precision is not positive definite.
  bool assign(const Eigen::MatrixXd& precision, const Eigen::VectorXd& information,
              const Eigen::MatrixXd& by_input, const Eigen::VectorXd& centre,
              const ExpectedDerivatives& sites, const Eigen::VectorXd& y);

  /// One draw for each column of v (which has no rows for a marginal), and its log density. The
  /// draws are stratified among each other.
  void draw(const Observation& observation, const Eigen::MatrixXd& v, RandomStream& random,
            Eigen::MatrixXd& x, Eigen::VectorXd& log_density) const;

  void archive(Archive& archive, int dim, int input_dim, int observation_dim);

 private:
  Eigen::VectorXd y_;
  Eigen::VectorXd site_precision_;
  Eigen::VectorXd site_information_;
  Eigen::VectorXd information_;  // with the sites
  Eigen::MatrixXd by_input_;
  CovarianceFactor precision_;  // with the sites
};

}  // namespace ovf

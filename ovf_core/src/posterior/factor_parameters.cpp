#include "ovf/posterior/factor_parameters.hpp"

namespace ovf {

int factor_parameter_count(int dim, CovarianceForm form) {
  return form == CovarianceForm::kDiagonal ? dim : dim * (dim + 1) / 2;
}

void read_factor(const CovarianceFactor& factor, Eigen::Ref<Eigen::VectorXd> parameters) {
  const Eigen::Index d = factor.dim();
  parameters.head(d) = factor.lower().diagonal().array().log();
  if (factor.is_diagonal()) return;
  Eigen::Index next = d;
  for (Eigen::Index j = 0; j < d; ++j) {
    const Eigen::Index below = d - 1 - j;
    parameters.segment(next, below) = factor.lower().col(j).tail(below);
    next += below;
  }
}

void write_factor(const Eigen::Ref<const Eigen::VectorXd>& parameters, CovarianceFactor& factor) {
  const Eigen::Index d = factor.dim();
  factor.lower().diagonal() = parameters.head(d).array().exp();
  if (factor.is_diagonal()) return;
  Eigen::Index next = d;
  for (Eigen::Index j = 0; j < d; ++j) {
    const Eigen::Index below = d - 1 - j;
    factor.lower().col(j).tail(below) = parameters.segment(next, below);
    next += below;
  }
}

void factor_gradient(const CovarianceFactor& factor, const Eigen::MatrixXd& by_lower,
                     Eigen::Ref<Eigen::VectorXd> gradient) {
  const Eigen::Index d = factor.dim();
  gradient.head(d) = factor.lower().diagonal().cwiseProduct(by_lower.diagonal());
  if (factor.is_diagonal()) return;
  Eigen::Index next = d;
  for (Eigen::Index j = 0; j < d; ++j) {
    const Eigen::Index below = d - 1 - j;
    gradient.segment(next, below) = by_lower.col(j).tail(below);
    next += below;
  }
}

void factor_gradient(const CovarianceFactor& factor, const Eigen::MatrixXd& cotangent,
                     const Eigen::MatrixXd& noise, Eigen::Ref<Eigen::VectorXd> gradient) {
  const Eigen::Index d = factor.dim();
  const double weight = 1.0 / static_cast<double>(noise.cols());
  gradient.head(d) = weight * factor.lower().diagonal().array() *
                     (cotangent.array() * noise.array()).rowwise().sum();
  if (factor.is_diagonal()) return;
  Eigen::Index next = d;
  for (Eigen::Index j = 0; j < d; ++j) {
    const Eigen::Index below = d - 1 - j;
    gradient.segment(next, below).noalias() =
        weight * cotangent.bottomRows(below) * noise.row(j).transpose();
    next += below;
  }
}

}  // namespace ovf

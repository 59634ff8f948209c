#include "ovf/posterior/filter_marginal.hpp"

#include "ovf/posterior/factor_parameters.hpp"

namespace ovf {

int FilterMarginal::parameter_count() const {
  return dim() + factor_parameter_count(dim(), gaussian_.factor.form());
}

void FilterMarginal::read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const {
  parameters.head(dim()) = gaussian_.mean;
  read_factor(gaussian_.factor, parameters.tail(parameters.size() - dim()));
}

void FilterMarginal::write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) {
  gaussian_.mean = parameters.head(dim());
  write_factor(parameters.tail(parameters.size() - dim()), gaussian_.factor);
}

void FilterMarginal::sample(const Eigen::MatrixXd& noise, Eigen::MatrixXd& x) const {
  x.resize(noise.rows(), noise.cols());
  gaussian_.factor.multiply(noise, x);
  x.colwise() += gaussian_.mean;
}

void FilterMarginal::parameter_gradient(const Eigen::MatrixXd& cotangent,
                                        const Eigen::MatrixXd& noise,
                                        Eigen::Ref<Eigen::VectorXd> gradient) const {
  gradient.head(dim()) = cotangent.rowwise().mean();
  factor_gradient(gaussian_.factor, cotangent, noise, gradient.tail(gradient.size() - dim()));
}

void FilterMarginal::add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const {
  gradient.segment(dim(), dim()).array() += 1.0;
}

void FilterMarginal::archive(Archive& archive) {
  const CovarianceForm form = gaussian_.factor.form();
  gaussian_.archive(archive, dim());
  archive.require(gaussian_.factor.form() == form, "marginal", "a covariance of the same form");
}

}  // namespace ovf

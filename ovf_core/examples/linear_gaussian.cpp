// A position that is seen and a velocity that is not; its decay and the noise of the sensor are
// learned.
#include <iostream>
#include <ovf/filter/online_variational_filter.hpp>
#include <ovf/model/linear_gaussian.hpp>

int main() {
  // x' = F x + N(0, U), y = G x + N(0, V)
  ovf::LinearGaussianSpec spec;
  spec.prior = ovf::standard_gaussian(2, ovf::CovarianceForm::kFull);
  spec.F = Eigen::Matrix2d{{1.0, 0.1}, {0.0, 0.9}};
  spec.G = Eigen::MatrixXd{{1.0, 0.0}};
  spec.U = 0.01 * Eigen::Matrix2d::Identity();
  spec.V = Eigen::MatrixXd::Constant(1, 1, 0.04);
  ovf::RandomStream random(1);
  const auto data = ovf::simulate(ovf::make_linear_gaussian(spec), 2000, random);

  spec.F(1, 1) = 0.5;  // wrong start values
  spec.V(0, 0) = 1.0;
  spec.learn_F = ovf::Learned::kDiagonal;  // any of F, G, U, V: kNo, kDiagonal, kFull
  spec.learn_V = ovf::Learned::kDiagonal;
  ovf::OnlineVariationalFilter filter(ovf::make_linear_gaussian(spec),
                                      ovf::OnlineVariationalFilterConfig::fast());
  for (const auto& y : data.observations.colwise()) {
    const ovf::StepResult& result = filter.step(y);  // never throws on bad data
    if (!result.ok()) std::cerr << result.reason << "\n";
  }

  std::cout << "state " << filter.belief().mean.transpose() << ", true "
            << data.states.col(1999).transpose() << "\n";
  const Eigen::VectorXd deviations = filter.learner().standard_deviations();
  for (int i = 0; i < filter.parameters().size(); ++i) {
    std::cout << filter.model().parameters().info(i).name << " " << filter.parameters()[i] << " ± "
              << deviations[i] << "\n";
  }
}

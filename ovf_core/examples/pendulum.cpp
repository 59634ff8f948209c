// A model of your own: a pendulum whose length, friction and sensor noise are learned.
#include <cmath>
#include <iostream>
#include <ovf/filter/online_variational_filter.hpp>
#include <ovf/model/function_mean.hpp>
#include <ovf/model/nonlinear_gaussian.hpp>

// The state is (angle, angular velocity), the sensor sees the horizontal deflection.
ovf::StateSpaceModel pendulum(double length, double friction, double noise) {
  ovf::ParameterVector theta;
  theta.add({.name = "length", .transform = ovf::Transform::kPositive}, length);
  theta.add({.name = "friction", .transform = ovf::Transform::kPositive}, friction);

  ovf::NonlinearGaussianSpec spec;
  spec.prior = {Eigen::Vector2d(1.0, 0.0),
                ovf::CovarianceFactor::from_standard_deviations(Eigen::Vector2d(0.3, 0.3))};
  spec.f = std::make_unique<ovf::FunctionMean>(ovf::FunctionMean::Spec{
      .input_dim = 2,
      .output_dim = 2,
      .value =
          [](const Eigen::VectorXd& x, const Eigen::VectorXd& p, const ovf::StepInput& step) {
            const double rate = x[1] - step.dt * (9.81 / p[0] * std::sin(x[0]) + p[1] * x[1]);
            return Eigen::VectorXd(Eigen::Vector2d(x[0] + step.dt * rate, rate));
          },
      .parameters = theta});
  spec.g = std::make_unique<ovf::FunctionMean>(ovf::FunctionMean::Spec{
      .input_dim = 2,
      .output_dim = 1,
      .value = [](const Eigen::VectorXd& x, const Eigen::VectorXd&, const ovf::StepInput&) {
        return Eigen::VectorXd(Eigen::VectorXd::Constant(1, std::sin(x[0])));
      }});
  spec.U = Eigen::Vector2d(1e-6, 0.01).asDiagonal();
  spec.V = Eigen::VectorXd::Constant(1, noise * noise);
  spec.learn_V = ovf::LearnedScale::kEach;
  return ovf::make_nonlinear_gaussian(std::move(spec));
}

int main() {
  ovf::StepInput step;
  step.dt = 0.05;
  ovf::RandomStream random(1);
  const ovf::StateSpaceModel truth = pendulum(1.0, 0.1, 0.05);
  ovf::OnlineVariationalFilter filter(pendulum(1.5, 0.3, 0.2),
                                      ovf::OnlineVariationalFilterConfig::fast());
  Eigen::MatrixXd x = truth.prior().mean, next, y(1, 1);
  for (int t = 0; t < 4000; ++t) {
    truth.transition().sample(step, x, random, next);
    x = next;
    truth.observation().sample(x, random, y);
    filter.step(y, step);
  }

  std::cout << "angle " << filter.belief().mean[0] << ", true " << x(0) << "\n";
  const Eigen::VectorXd deviations = filter.learner().standard_deviations();
  for (int i = 0; i < filter.parameters().size(); ++i) {
    std::cout << filter.model().parameters().info(i).name << " " << filter.parameters()[i] << " ± "
              << deviations[i] << "\n";
  }
}

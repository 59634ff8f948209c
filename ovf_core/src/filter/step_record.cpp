#include "ovf/filter/step_record.hpp"

#include "filter/archive_observation.hpp"

namespace ovf {

StepRecord StepRecord::copy() const {
  return {first,      observed,        input,         y,      previous, marginal, kernel->clone(),
          prediction, tilted_marginal, tilted_kernel, moments};
}

void StepRecord::draw(const StateSpaceModel& model, int count, RandomStream& random,
                      Eigen::MatrixXd& x, Eigen::VectorXd& log_density) const {
  if (tilted_marginal) {
    const Eigen::MatrixXd nothing(0, count);
    tilted_marginal->draw(model.observation(input), nothing, random, x, log_density);
    return;
  }
  Eigen::MatrixXd z(marginal.dim(), count);
  random.fill_normal(z);
  marginal.sample(z, x);
  log_density_of_noise(marginal.gaussian().factor, z, log_density);
}

void StepRecord::draw_previous(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                               RandomStream& random, Eigen::MatrixXd& previous_x,
                               Eigen::VectorXd& log_density) const {
  if (tilted_kernel) {
    tilted_kernel->draw(model.observation(), x, random, previous_x, log_density);
    return;
  }
  Eigen::MatrixXd z(x.rows(), x.cols());
  random.fill_normal(z);
  kernel->sample(x, z, previous_x);
  log_density_of_noise(kernel->noise(), z, log_density);
}

void StepRecord::archive(Archive& archive, const StateSpaceModel& model) {
  const int d = model.state_dim();
  archive.flag("first", first);
  archive_observation(archive, model, observed, input, y);
  previous.archive(archive, d);
  marginal.archive(archive);
  kernel->archive(archive);
  prediction.archive(archive, d);
  archive.require(!prediction.factor.is_diagonal(), "prediction", "a full covariance");
  archive.optional("tilted marginal", tilted_marginal, [&](TiltedConditional& tilted) {
    tilted.archive(archive, d, 0, model.observation_dim());
    moments.archive(archive, d);
  });
  archive.optional("tilted kernel", tilted_kernel, [&](TiltedConditional& tilted) {
    tilted.archive(archive, d, d, model.observation_dim());
  });
}

}  // namespace ovf

#include "ovf/filter/backward_samples.hpp"

namespace ovf {

void BackwardSamples::draw(const StateSpaceModel& model,
                           const std::vector<const StepRecord*>& records, int count,
                           double inflation, RandomStream& random) {
  Eigen::VectorXd log_density;
  x.resize(records.size() + 1);
  records.front()->draw(model, count, random, x[0], log_density);
  if (inflation != 1.0) {
    const Eigen::VectorXd& mean = records.front()->marginal.gaussian().mean;
    x[0] = ((x[0].colwise() - mean) * inflation).colwise() + mean;
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (records[k]->first) {
      x.resize(k + 1);
      return;
    }
    records[k]->draw_previous(model, x[k], random, x[k + 1], log_density);
  }
}

}  // namespace ovf

#include "ovf/filter/backward_samples.hpp"

namespace ovf {

void BackwardSamples::draw(const std::vector<const StepRecord*>& records, int count,
                           double inflation, RandomStream& random) {
  const int d = records.front()->marginal.dim();
  noise.resize(d, count);
  random.fill_normal(noise);
  noise *= inflation;
  x.resize(records.size() + 1);
  records.front()->marginal.sample(noise, x[0]);
  Eigen::MatrixXd kernel_noise(d, count);
  for (std::size_t k = 0; k < records.size(); ++k) {
    if (records[k]->first) {
      x.resize(k + 1);
      return;
    }
    random.fill_normal(kernel_noise);
    records[k]->kernel->sample(x[k], kernel_noise, x[k + 1]);
  }
}

}  // namespace ovf

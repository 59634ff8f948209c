#include "ovf/filter/systematic_resampling.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {

bool systematic_resampling(const Eigen::VectorXd& weights, double uniform,
                           Eigen::VectorXi& ancestors) {
  // One after the other, as below: the last cumulated weight is then the total to the last bit.
  double total = 0.0;
  for (const double weight : weights) {
    if (!(weight >= 0.0)) return false;
    total += weight;
  }
  if (!(total > 0.0) || !std::isfinite(total)) return false;

  const double spacing = total / static_cast<double>(ancestors.size());
  const double last_tooth = std::nextafter(total, 0.0);
  double cumulated = weights[0];
  int particle = 0;
  for (Eigen::Index i = 0; i < ancestors.size(); ++i) {
    const double tooth = std::min((static_cast<double>(i) + uniform) * spacing, last_tooth);
    while (cumulated <= tooth) cumulated += weights[++particle];
    ancestors[i] = particle;
  }
  return true;
}

}  // namespace ovf

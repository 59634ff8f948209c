#include "ovf/posterior/tilted_conditional.hpp"

#include <cmath>

namespace ovf {
namespace {

// The table of a coordinate: beyond seven standard deviations of the Gaussian part there is 1e-12
// of the mass, and a seventh of one between points leaves an error of 1e-5 nats.
constexpr int kPoints = 97;
constexpr double kReach = 7.0;

}  // namespace

bool TiltedConditional::assign(const Eigen::MatrixXd& precision, const Eigen::VectorXd& information,
                               const Eigen::MatrixXd& by_input, const Eigen::VectorXd& centre,
                               const ExpectedDerivatives& sites, const Eigen::VectorXd& y) {
  y_ = y;
  site_precision_ = sites.curvature.diagonal();
  site_information_ = sites.gradient + site_precision_.cwiseProduct(centre);
  information_ = information + site_information_;
  by_input_ = by_input;
  Eigen::MatrixXd with_sites = precision;
  with_sites.diagonal() += site_precision_;
  precision_ = CovarianceFactor(static_cast<int>(precision.rows()), CovarianceForm::kFull);
  Eigen::MatrixXd scratch;
  return precision_.assign_covariance(with_sites, scratch);
}

void TiltedConditional::draw(const Observation& observation, const Eigen::MatrixXd& v,
                             RandomStream& random, Eigen::MatrixXd& x,
                             Eigen::VectorXd& log_density) const {
  const Eigen::MatrixXd& lower = precision_.lower();
  const Eigen::Index d = lower.rows();
  Eigen::MatrixXd mean(d, v.cols());
  if (v.rows() > 0) {
    mean.noalias() = by_input_ * v;
    mean.colwise() += information_;
  } else {
    mean = information_.replicate(1, v.cols());
  }
  precision_.whiten(mean);
  precision_.unwhiten_transposed(mean);
  x.resize(d, v.cols());
  log_density.setZero(v.cols());
  TabulatedDensity density;
  Eigen::ArrayXd points(kPoints);
  Eigen::ArrayXd log_values(kPoints);

  // |L'(x - mean)|^2: row i of L' holds x_i and the coordinates after it.
  for (Eigen::Index n = 0; n < v.cols(); ++n) {
    for (Eigen::Index i = d - 1; i >= 0; --i) {
      const Eigen::Index after = d - 1 - i;
      const double scale = lower(i, i);
      const double shift =
          lower.col(i).tail(after).dot(x.col(n).tail(after) - mean.col(n).tail(after));
      const double conditional = mean(i, n) - shift / scale;
      // Take the site of this coordinate out again.
      const double full = scale * scale;
      const double precision = full - site_precision_[i];
      if (!(precision > 0.0)) {
        const double z = random.normal();
        x(i, n) = conditional + z / scale;
        log_density[n] += std::log(scale) - 0.5 * (z * z + kLogTwoPi);
        continue;
      }
      const double centre = (full * conditional - site_information_[i]) / precision;
      const double reach = kReach / std::sqrt(precision);
      const double spacing = 2.0 * reach / (kPoints - 1);
      points.setLinSpaced(kPoints, centre - reach, centre + reach);
      observation.coordinate_log_density(y_, static_cast<int>(i), points, log_values);
      log_values -= 0.5 * precision * (points - centre).square();
      density.assign(centre - reach, spacing, log_values);
      double log_value = 0.0;
      x(i, n) = density.quantile(random.uniform(), log_value);
      log_density[n] += log_value;
    }
  }
}

}  // namespace ovf

#include "ovf/posterior/tilted_conditional.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ovf {
namespace {

// The table of a coordinate: beyond seven standard deviations of the Gaussian part there is 1e-12
// of the mass. Even points follow the Gaussian part, others the peak of g, however sharp it is:
// at even steps of t in centre + width sinh(t), down to the peak's width and out to its tails.
constexpr int kEvenPoints = 65;
constexpr int kPeakPoints = 48;
constexpr int kPoints = kEvenPoints + kPeakPoints;
constexpr double kReach = 7.0;

void place_points(double first, double last, const Observation::Peak& peak,
                  Eigen::ArrayXd& points) {
  const double low = std::asinh((first - peak.centre) / peak.width);
  const double high = std::asinh((last - peak.centre) / peak.width);
  for (int k = 0; k < kPeakPoints; ++k) {
    const double t = low + (high - low) * (k + 1.0) / (kPeakPoints + 1.0);
    points[kEvenPoints + k] = std::clamp(peak.centre + peak.width * std::sinh(t), first, last);
  }
  points.head(kEvenPoints).setLinSpaced(first, last);
  std::inplace_merge(points.begin(), points.begin() + kEvenPoints, points.end());
}

// A Latin hypercube: each row has one number in every interval [k, k + 1) / columns, in random
// order. Every column is uniform, and means over the columns are far less noisy.
Eigen::MatrixXd stratified_uniforms(Eigen::Index rows, Eigen::Index columns, RandomStream& random) {
  Eigen::MatrixXd u(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    auto row = u.row(i);
    for (Eigen::Index n = 0; n < columns; ++n) {
      row[n] = (static_cast<double>(n) + random.uniform()) / static_cast<double>(columns);
    }
    for (Eigen::Index n = columns - 1; n > 0; --n) {
      std::swap(row[n], row[random.uniform_index(static_cast<int>(n) + 1)]);
    }
  }
  return u;
}

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
  const Eigen::MatrixXd uniforms = stratified_uniforms(d, v.cols(), random);
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
      const auto peak = observation.coordinate_peak(y_, static_cast<int>(i));
      place_points(centre - reach, centre + reach, peak, points);
      observation.coordinate_log_density(y_, static_cast<int>(i), points, log_values);
      log_values -= 0.5 * precision * (points - centre).square();
      density.assign(points, log_values);
      double log_value = 0.0;
      x(i, n) = density.quantile(uniforms(i, n), log_value);
      log_density[n] += log_value;
    }
  }
}

void TiltedConditional::archive(Archive& archive, int dim, int input_dim, int observation_dim) {
  archive.vector("tilted observation", y_, observation_dim);
  archive.require_finite("tilted observation", y_);
  for (Eigen::VectorXd* site : {&site_precision_, &site_information_, &information_}) {
    archive.vector("tilted site", *site, dim);
    archive.require_finite("tilted site", *site);
  }
  archive.matrix("tilted input matrix", by_input_, input_dim == 0 ? 0 : dim, input_dim);
  archive.require_finite("tilted input matrix", by_input_);
  precision_.archive(archive, dim);
}

}  // namespace ovf

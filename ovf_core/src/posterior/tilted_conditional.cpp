#include "ovf/posterior/tilted_conditional.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ovf {
namespace {

// A conditional is tabulated up to so many standard deviations of its Gaussian part: beyond there
// is 1e-12 of the mass. Even points follow the Gaussian part, others the peak of g, however sharp
// it is: at even steps of t in centre + width sinh(t), down to the peak's width and out to its
// tails.
constexpr double kReach = 7.0;
constexpr int kEvenPoints = 65;
constexpr int kPeakPoints = 47;

// The conditionals N(x; centre, 1 / precision) g(y | x) of one coordinate: the draws differ in
// their centres alone, so that one table of g serves them all.
class CoordinateConditional {
 public:
  CoordinateConditional(const Observation& observation, const Eigen::VectorXd& y, int coordinate,
                        double precision)
      : observation_(observation),
        y_(y),
        coordinate_(coordinate),
        precision_(precision),
        reach_(kReach / std::sqrt(precision)) {}

  /// Draws x where the centres are and the uniform numbers u say; adds to their log densities.
  void draw(const Eigen::VectorXd& centres, const Eigen::Ref<const Eigen::VectorXd>& u,
            Eigen::VectorXd& x, Eigen::VectorXd& log_density) {
    const double low = centres.minCoeff();
    const double high = centres.maxCoeff();
    // Where the centres are far apart, a common table would be the larger one.
    const bool common = high - low < 2.0 * reach_ * static_cast<double>(centres.size());
    if (common) tabulate(low, high, 1.0 + 0.5 * (high - low) / reach_);
    for (Eigen::Index n = 0; n < centres.size(); ++n) {
      if (!common) tabulate(centres[n], centres[n], 1.0);
      assign_density(centres[n]);
      double log_value = 0.0;
      x[n] = density_.quantile(u[n], log_value);
      log_density[n] += log_value;
    }
  }

 private:
  /// g, as far as conditionals with centres between these two reach: so many times the points of
  /// one.
  void tabulate(double low, double high, double tables) {
    const auto even = static_cast<Eigen::Index>(kEvenPoints * tables);
    const auto at_peak = static_cast<Eigen::Index>(kPeakPoints * tables);
    const double first = low - reach_;
    const double last = high + reach_;
    const Observation::Peak peak = observation_.coordinate_peak(y_, coordinate_);
    const double first_t = std::asinh((first - peak.centre) / peak.width);
    const double last_t = std::asinh((last - peak.centre) / peak.width);
    points_.resize(even + at_peak);
    points_.head(even).setLinSpaced(first, last);
    for (Eigen::Index k = 0; k < at_peak; ++k) {
      const double share = (static_cast<double>(k) + 1.0) / (static_cast<double>(at_peak) + 1.0);
      const double t = first_t + (last_t - first_t) * share;
      points_[even + k] = std::clamp(peak.centre + peak.width * std::sinh(t), first, last);
    }
    std::inplace_merge(points_.begin(), points_.begin() + even, points_.end());
    observation_.coordinate_log_density(y_, coordinate_, points_, log_g_);
    log_values_.resize(points_.size());
  }

  void assign_density(double centre) {
    const auto begin = std::lower_bound(points_.begin(), points_.end(), centre - reach_);
    const auto end = std::upper_bound(begin, points_.end(), centre + reach_);
    const Eigen::Index first = begin - points_.begin();
    // In whole packets, as far as there are points.
    const Eigen::Index count = std::min((end - begin + 7) / 8 * 8, points_.size() - first);
    const auto points = points_.segment(first, count);
    auto log_values = log_values_.head(count);
    log_values = log_g_.segment(first, count) - 0.5 * precision_ * (points - centre).square();
    density_.assign(points, log_values);
  }

  const Observation& observation_;
  const Eigen::VectorXd& y_;
  int coordinate_;
  double precision_;
  double reach_;
  Eigen::ArrayXd points_, log_g_, log_values_;
  TabulatedDensity density_;
};

// A Latin hypercube: each column has one number in every interval [k, k + 1) / rows, in random
// order. Every row is uniform, and means over the rows are far less noisy.
Eigen::MatrixXd stratified_uniforms(Eigen::Index rows, Eigen::Index columns, RandomStream& random) {
  Eigen::MatrixXd u(rows, columns);
  for (auto column : u.colwise()) {
    for (Eigen::Index n = 0; n < rows; ++n) {
      column[n] = (static_cast<double>(n) + random.uniform()) / static_cast<double>(rows);
    }
    for (Eigen::Index n = rows - 1; n > 0; --n) {
      std::swap(column[n], column[random.uniform_index(static_cast<int>(n) + 1)]);
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

  // Coordinate by coordinate, all draws at a time: rows are draws here.
  const Eigen::MatrixXd uniforms = stratified_uniforms(v.cols(), d, random);
  Eigen::MatrixXd offset(v.cols(), d);  // x - mean
  Eigen::VectorXd conditional, drawn(v.cols());
  log_density.setZero(v.cols());
  for (Eigen::Index i = d - 1; i >= 0; --i) {
    // |L'(x - mean)|^2: row i of L' holds x_i and the coordinates after it.
    const Eigen::Index after = d - 1 - i;
    const double scale = lower(i, i);
    conditional = mean.row(i).transpose();
    conditional.noalias() -= offset.rightCols(after) * (lower.col(i).tail(after) / scale);
    // Take the site of this coordinate out again.
    const double full = scale * scale;
    const double precision = full - site_precision_[i];
    if (precision > 0.0) {
      conditional = (full * conditional.array() - site_information_[i]) / precision;
      CoordinateConditional(observation, y_, static_cast<int>(i), precision)
          .draw(conditional, uniforms.col(i), drawn, log_density);
    } else {
      random.fill_normal(drawn);
      log_density.array() += std::log(scale) - 0.5 * (drawn.array().square() + kLogTwoPi);
      drawn = conditional + drawn / scale;
    }
    offset.col(i) = drawn - mean.row(i).transpose();
  }
  x = mean + offset.transpose();
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

#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/quadratic_functions.hpp"
#include "ovf/math/random.hpp"

namespace ovf::test {

/// Arbitrary well-conditioned inputs, the same in every run.
class RandomInputs {
 public:
  explicit RandomInputs(std::uint64_t seed) : random_(seed) {}

  Eigen::MatrixXd matrix(int rows, int cols) {
    Eigen::MatrixXd values(rows, cols);
    random_.fill_normal(values);
    return values;
  }
  Eigen::VectorXd vector(int size) { return matrix(size, 1); }

  Eigen::MatrixXd covariance(int dim, CovarianceForm form) {
    const Eigen::MatrixXd a = matrix(dim, dim);
    const Eigen::MatrixXd full =
        0.4 * a * a.transpose() + 0.5 * Eigen::MatrixXd::Identity(dim, dim);
    if (form == CovarianceForm::kFull) return full;
    return full.diagonal().asDiagonal();
  }
  CovarianceFactor factor(int dim, CovarianceForm form) {
    return CovarianceFactor::from_covariance(covariance(dim, form), form);
  }
  Gaussian gaussian(int dim, CovarianceForm form) { return {vector(dim), factor(dim, form)}; }
  AffineGaussian conditional(int out, int in, CovarianceForm form) {
    return {matrix(out, in), vector(out), factor(out, form)};
  }
  AffineVariable affine(int dim, int dim_z, int dim_e) {
    return {vector(dim), matrix(dim, dim_z), matrix(dim, dim_e)};
  }
  QuadraticFunctions quadratics(int dim, int count) {
    QuadraticFunctions functions(dim, count);
    functions.constant() = vector(count);
    functions.linear() = matrix(dim, count);
    for (int j = 0; j < count; ++j) {
      const Eigen::MatrixXd a = matrix(dim, dim);
      functions.quadratic_of(j) = a + a.transpose();
    }
    return functions;
  }

 private:
  RandomStream random_;
};

/// constant + by_z z + by_e e, one column for each column of e.
inline Eigen::MatrixXd evaluate(const AffineVariable& variable, const Eigen::VectorXd& z,
                                const Eigen::MatrixXd& e) {
  return (variable.by_e * e).colwise() + (variable.constant + variable.by_z * z);
}

/// The mean over these columns is the expectation under N(0, I) of any quadratic function.
inline Eigen::MatrixXd cubature_points(int dim) {
  const double radius = std::sqrt(static_cast<double>(dim));
  Eigen::MatrixXd points(dim, 2 * dim);
  points << Eigen::MatrixXd::Identity(dim, dim) * radius,
      Eigen::MatrixXd::Identity(dim, dim) * -radius;
  return points;
}

/// Equal sizes, and every entry equal within tolerance * max(1, |b|).
inline ::testing::AssertionResult all_close(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                                            double tolerance) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    return ::testing::AssertionFailure()
           << a.rows() << "x" << a.cols() << " against " << b.rows() << "x" << b.cols();
  }
  const Eigen::ArrayXXd allowed = tolerance * b.array().abs().max(1.0);
  if (((a - b).array().abs() <= allowed).all()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "got\n" << a << "\nexpected\n" << b;
}

/// The message of the exception that the call throws; fails the test if it throws none.
template <typename Error = std::invalid_argument, typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string form_name(CovarianceForm form) {
  return form == CovarianceForm::kDiagonal ? "Diagonal" : "Full";
}

}  // namespace ovf::test

#include "ovf/regression/regressor.hpp"

#include <stdexcept>
#include <string>

namespace ovf {
namespace {

std::string shape(const Eigen::MatrixXd& matrix) {
  return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols());
}

}  // namespace

void Regressor::tune(const Eigen::MatrixXd&, const Eigen::MatrixXd&) {}

void check_samples(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  if (inputs.size() == 0 || targets.size() == 0 || inputs.cols() != targets.cols()) {
    throw std::invalid_argument("regression samples: inputs are " + shape(inputs) +
                                " and targets are " + shape(targets) +
                                ", expected as many columns in both and at least one");
  }
  if (!inputs.allFinite()) throw std::invalid_argument("regression samples: non-finite input");
  if (!targets.allFinite()) throw std::invalid_argument("regression samples: non-finite target");
}

}  // namespace ovf

#pragma once

#include <string>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/model/linear_conditional.hpp"

namespace ovf::test {

/// One combination of shape and learned parts of N(output; A input, Q).
struct LinearCase {
  int rows;
  int cols;
  Learned matrix;
  Learned noise;
  /// The form of Q when it is not learned.
  CovarianceForm fixed_noise = CovarianceForm::kFull;
};

inline std::string learned_name(Learned learned) {
  switch (learned) {
    case Learned::kNo:
      return "Fixed";
    case Learned::kDiagonal:
      return "Diagonal";
    case Learned::kFull:
      return "Full";
  }
  return {};
}

inline std::string case_name(const LinearCase& c) {
  return std::to_string(c.rows) + "x" + std::to_string(c.cols) + learned_name(c.matrix) + "Matrix" +
         (c.noise == Learned::kNo ? form_name(c.fixed_noise) : "") + learned_name(c.noise) +
         "Noise";
}

/// Every learned kind for each of the shapes.
inline std::vector<LinearCase> linear_cases(const std::vector<std::pair<int, int>>& shapes) {
  std::vector<LinearCase> cases;
  for (const auto& [rows, cols] : shapes) {
    for (const Learned matrix : {Learned::kNo, Learned::kDiagonal, Learned::kFull}) {
      for (const Learned noise : {Learned::kNo, Learned::kDiagonal, Learned::kFull}) {
        cases.push_back({rows, cols, matrix, noise});
      }
      cases.push_back({rows, cols, matrix, Learned::kNo, CovarianceForm::kDiagonal});
    }
  }
  return cases;
}

inline LinearConditional::Spec linear_spec(const LinearCase& c, RandomInputs& inputs) {
  const CovarianceForm form = c.noise == Learned::kNo         ? c.fixed_noise
                              : c.noise == Learned::kDiagonal ? CovarianceForm::kDiagonal
                                                              : CovarianceForm::kFull;
  LinearConditional::Spec spec;
  spec.matrix_name = "A";
  spec.matrix = inputs.matrix(c.rows, c.cols);
  spec.learn_matrix = c.matrix;
  spec.noise_name = "Q";
  spec.noise_covariance = inputs.covariance(c.rows, form);
  spec.learn_noise = c.noise;
  return spec;
}

}  // namespace ovf::test

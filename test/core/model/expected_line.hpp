#pragma once

#include "ovf/model/transition.hpp"

namespace ovf::test {

/// The line that stands for f where x_{t-1} is distributed as `from`.
inline AffineGaussian expected_line(const Transition& f, const StepInput& input,
                                    const AffineVariable& from) {
  const Gaussian at{from.constant,
                    CovarianceFactor::from_covariance(
                        from.by_z * from.by_z.transpose() + from.by_e * from.by_e.transpose(),
                        CovarianceForm::kFull)};
  AffineGaussian line;
  f.linearise(input, at, Linearisation::kExpected, line);
  return line;
}

}  // namespace ovf::test

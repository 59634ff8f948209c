#pragma once

#include "ovf/math/gaussian.hpp"

namespace ovf {

/// to := from in the form that `to` has: a mean-field Gaussian takes the standard deviations.
inline void assign_in_form(const Gaussian& from, Gaussian& to) {
  to.mean = from.mean;
  if (to.factor.is_diagonal()) {
    to.factor.lower().diagonal() = from.factor.lower().rowwise().norm();
  } else {
    to.factor.lower() = from.factor.lower();
  }
}

}  // namespace ovf

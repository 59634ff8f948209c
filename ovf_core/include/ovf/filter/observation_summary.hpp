#pragma once

#include <Eigen/Core>

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// What an observation says of the state, in as many numbers for every sensor (two per dimension)
/// and in the coordinates of the prediction, x = m + L z: of slope s and curvature c of the
/// expected log g along each z, the step s / (1 + c) that a Newton iteration would take, and the
/// share c / (1 + |c|) of the information that the observation has. An observation without
/// information has zeros. Where the step has a start (StepInput::start, a network's guess), z of
/// the start takes the place of the Newton step, and g is not evaluated.
class ObservationSummary {
 public:
  static int size(int dim) { return 2 * dim; }

  /// `prediction` in the form of the marginal: mean field or full.
  void summarise(const StateSpaceModel& model, const Gaussian& prediction, const StepRecord& record,
                 Eigen::VectorXd& out);

 private:
  ExpectedDerivatives derivatives_;
  Eigen::MatrixXd curved_;
};

}  // namespace ovf

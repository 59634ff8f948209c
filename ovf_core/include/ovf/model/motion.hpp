#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "ovf/model/dual_mean.hpp"
#include "ovf/model/step_input.hpp"

namespace ovf {

/// What sensors see of a moving body. World frame: x east, y north, z up (REP-103); body frame: x
/// forward, y left, z up.
template <typename T>
struct Kinematics {
  Eigen::Matrix<T, 3, 1> position;  ///< of the body in the world
  Eigen::Matrix<T, 3, 3> rotation;  ///< from body to world
  Eigen::Matrix<T, 3, 1> velocity;  ///< in the body frame
  Eigen::Matrix<T, 3, 1> rate;      ///< turn rate, in the body frame
  /// What an accelerometer at the body's origin shows, in the body frame, where the motion says it.
  std::optional<Eigen::Matrix<T, 3, 1>> specific_force = {};
};

/// One number of a motion's own state.
struct MotionState {
  std::string name;
  bool angle = false;
};

/// A quantity of the body, the same wherever it is, that a learned part of the dynamics looks at.
struct ResidualInput {
  std::string name;
  /// Whether its powers and products matter too, rather than only the quantity itself.
  bool products = true;
};

/// How a robot moves, written for numbers and for dual numbers. The whole state begins with the
/// motion's own; what is learned along with it (scales, biases) follows, and stays as it is.
class Motion {
 public:
  virtual ~Motion() = default;

  /// Its own part of the state.
  virtual const std::vector<MotionState>& states() const = 0;
  int state_dim() const { return static_cast<int>(states().size()); }
  /// Numbers of a control; 0: it takes none.
  virtual int control_dim() const = 0;
  /// Numbers of a residual: what a learned part of the dynamics adds to the body's velocities.
  virtual int residual_dim() const { return 0; }
  virtual std::string residual_name(int i) const { return std::to_string(i); }
  /// What a residual depends on, and its values at x_{t-1}.
  virtual std::vector<ResidualInput> residual_inputs() const { return {}; }
  virtual void residual_input_values(const StepInput& /*input*/, const double* /*x*/,
                                     double* /*out*/) const {}
  virtual void residual_input_values(const StepInput& /*input*/, const Dual* /*x*/,
                                     Dual* /*out*/) const {}

  /// Its own part of x_t from the whole x_{t-1}. A control that is empty means that none is known.
  /// `residual` is null or has residual_dim numbers.
  virtual void move(const StepInput& input, const double* x, const double* residual,
                    double* out) const = 0;
  virtual void move(const StepInput& input, const Dual* x, const Dual* residual,
                    Dual* out) const = 0;

  /// Of x_t.
  virtual Kinematics<double> kinematics(const StepInput& input, const double* x) const = 0;
  virtual Kinematics<Dual> kinematics(const StepInput& input, const Dual* x) const = 0;

  /// The reference orientation of x_t, given a belief of x_{t-1}; the identity without one.
  virtual Eigen::Quaterniond next_reference(const StepInput& /*input*/,
                                            const Eigen::VectorXd& /*mean*/) const {
    return Eigen::Quaterniond::Identity();
  }
};

/// A number of the state, or a constant where it is not learned.
struct Quantity {
  int index = -1;
  double value = 0.0;

  template <typename T>
  T of(const T* x) const {
    return index >= 0 ? x[index] : T(value);
  }
};

/// Implements a motion by templates of the class itself: move_as<T>, kinematics_as<T> and, where
/// there are residual_inputs, residual_input_values_as<T>.
template <typename Derived>
class MotionOf : public Motion {
 public:
  void move(const StepInput& input, const double* x, const double* residual,
            double* out) const final {
    self().move_as(input, x, residual, out);
  }
  void move(const StepInput& input, const Dual* x, const Dual* residual, Dual* out) const final {
    self().move_as(input, x, residual, out);
  }
  Kinematics<double> kinematics(const StepInput& input, const double* x) const final {
    return self().template kinematics_as<double>(input, x);
  }
  Kinematics<Dual> kinematics(const StepInput& input, const Dual* x) const final {
    return self().template kinematics_as<Dual>(input, x);
  }
  void residual_input_values(const StepInput& input, const double* x, double* out) const final {
    self().residual_input_values_as(input, x, out);
  }
  void residual_input_values(const StepInput& input, const Dual* x, Dual* out) const final {
    self().residual_input_values_as(input, x, out);
  }

  template <typename T>
  void residual_input_values_as(const StepInput& /*input*/, const T* /*x*/, T* /*out*/) const {}

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace ovf

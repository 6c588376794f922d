#pragma once
/// Numerical derivatives on the state space of a flow: along legs of the frame, so that rotations stay rotations.

#include <functional>
#include <vector>

#include <Eigen/Core>

#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/states/rates.hpp>

namespace rattleback {

/// Differences of compiled code only: no symbolic derivative is used.
class Neighbourhood {
 public:
  explicit Neighbourhood(const Flow& flow);

  using State = std::vector<double>;
  /// The state moved from y along w^i X_i by about h; exact to first order in h.
  State moved(const State& y, const Eigen::VectorXd& w, double h);
  /// d/dh f(moved(y, w, h)) at h = 0, by differences of fourth order.
  static double slope(const std::function<double(double)>& f);

  /// v^i at the state.
  Eigen::VectorXd velocity(const State& y);
  /// The rates of the whole state.
  State rates(const State& y);
  /// The admissible fields at a configuration: column a is ∂v/∂z^a, for constraints that are linear in the velocities.
  Eigen::MatrixXd admissible(const State& y);
  int legs() const { return legs_; }

 private:
  const Flow* flow_;
  int legs_;
  Observer velocity_, motion_of_functions_;
  Rates rates_;
  std::vector<int> quaternion_of_leg_;  ///< where the quaternion starts that a leg turns, or −1
  std::vector<int> axis_of_leg_;
  std::vector<std::size_t> place_of_function_;
};

}  // namespace rattleback

#pragma once
/// Constraints as the model states them, on positions and on local velocities: for discrete steps that keep positions, and that need no
/// frame of the constraint.

#include <memory>
#include <vector>

#include <Eigen/Core>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// φ(q, t) and C(q, w, t) with their slopes; C of a position constraint is the rate of its φ. Rows are independent on {φ = 0}, those of
/// positions come first.
struct StatedFormulas {
  explicit StatedFormulas(const Flow& flow);
  Eigen::Index all() const { return positions + others; }

  Eigen::Index positions = 0, others = 0;
  Code position;  ///< φ, then ∂φ/∂y over the numbers of the configuration
  Code velocity;  ///< C, then ∂C/∂w
};

/// Each thread needs its own. States are those of the flow.
class StatedConstraints {
 public:
  explicit StatedConstraints(const Flow& flow);
  StatedConstraints(const StatedConstraints&) = delete;
  StatedConstraints& operator=(const StatedConstraints&) = delete;

  Eigen::Index positions() const { return formulas_->positions; }
  Eigen::Index others() const { return formulas_->others; }
  Eigen::Index all() const { return formulas_->all(); }

  struct Position {
    Eigen::VectorXd values;
    Eigen::MatrixXd slopes;  ///< by the numbers of the configuration
  };
  Position position(double t, std::span<const double> y);
  struct Velocity {
    Eigen::VectorXd values;
    Eigen::MatrixXd rows;  ///< ∂C/∂w
  };
  Velocity velocity(double t, std::span<const double> y, const Eigen::VectorXd& w);

 private:
  std::size_t configuration_;
  Eigen::Index legs_;
  std::shared_ptr<const StatedFormulas> formulas_;
  std::vector<Evaluator<double>> evaluate_;
  std::vector<double> x_, out_;
};

/// Does the model constrain positions?
bool has_position_constraints(const Flow& flow);

}  // namespace rattleback

#pragma once
/// The boundary value problem of a periodic motion, up to symmetries: unknowns, equations with slopes, and Floquet multipliers.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/study/collocated_orbit.hpp>
#include <rattleback/study/periodic_branch.hpp>
#include <rattleback/study/reduced_motion.hpp>

namespace rattleback {

/// Unknowns are u = (y(0), ω, T, p): the state at phase 0, the rates along the group, the period, and the parameters that are varied. The
/// equations (O.22) stand above periodic_branches(). They are solved on a mesh that follows the last orbit.
class PeriodicEquations {
 public:
  PeriodicEquations(const System& system, const OrbitStart& start, const PeriodicQuestion& question);
  PeriodicEquations(const PeriodicEquations&) = delete;
  PeriodicEquations& operator=(const PeriodicEquations&) = delete;

  const ReducedMotion& motion() const { return motion_; }
  const Flow& flow() const { return motion_.flow(); }
  /// Values of the parameters at the start, as unknowns.
  const Eigen::VectorXd& parameters() const { return parameters_; }
  /// The period of the forcing, where the rates depend on time.
  double forcing_period(const Eigen::VectorXd& u) const { return forcing_->value(inputs(u))[0]; }

  // Where the unknowns stand.
  Eigen::Index states() const { return n_; }
  Eigen::Index turns() const { return static_cast<Eigen::Index>(motion_.fields().size()); }
  Eigen::Index unknowns() const { return n_ + turns() + 1 + parameters_.size(); }
  Eigen::Index period_at() const { return n_ + turns(); }
  std::optional<Eigen::Index> varied_at() const { return parameter_at(varied_); }
  std::optional<Eigen::Index> second_at() const { return parameter_at(second_); }
  double period_of(const Eigen::VectorXd& u) const { return u[period_at()]; }

  /// Inputs of functions of the motion at phase 0, and slopes of such functions by the unknowns.
  Eigen::VectorXd inputs(const Eigen::VectorXd& u) const;
  Eigen::MatrixXd spread(const Eigen::MatrixXd& slopes) const;

  /// f − ω^a X_a at phase 0, with its slopes.
  RatesWithSlopes rates_at(const Eigen::VectorXd& u) const;
  /// The state after one period; nothing where the collocation fails.
  std::optional<CollocatedOrbit::End> end_of(const Eigen::VectorXd& u);
  /// F(u) and its slopes; NaN where there is no orbit.
  void equations(const Eigen::VectorXd& u, Eigen::VectorXd& F, Eigen::MatrixXd& slopes);
  /// What is varied, and its slope.
  double quantity(const Eigen::VectorXd& u, Eigen::VectorXd* slope) const;
  /// The equations, the quantity and the multipliers (O.23), for continuation. The set refers to this object.
  SolutionSet solution_set();
  /// Least and largest values along an orbit whose multipliers were asked for.
  const OrbitExtent& extent(const Eigen::VectorXd& u) { return extents_[key(u)]; }

  /// Phases are measured from this orbit; `adapt` moves the mesh to where it needs it.
  void rebase(const Eigen::VectorXd& u, bool adapt);
  void new_mesh(std::size_t intervals = 40);
  /// What one period does besides closing: angles turn by multiples of 2π, quaternions change their sign.
  void set_turns(Eigen::VectorXd signs, Eigen::VectorXd shift);
  const Eigen::VectorXd& signs() const { return signs_; }
  /// Orbits that close after two of the periods before, or after one again.
  void double_period();
  void undo_double_period();
  /// The second parameter is free besides the first; otherwise it keeps its value.
  void free_second(bool free) { both_free_ = free; }

 private:
  static std::vector<double> key(const Eigen::VectorXd& u) { return {u.begin(), u.end()}; }
  std::optional<Eigen::Index> parameter_at(std::optional<Eigen::Index> k) const;
  bool pinned() const { return second_ && !both_free_; }
  void choose_quantity(const PeriodicQuestion& question);
  void choose_forcing(const PeriodicQuestion& question);
  RatesWithSlopes rates(const Eigen::VectorXd& y, double t, const Eigen::VectorXd& numbers) const;
  Eigen::VectorXd numbers_of(const Eigen::VectorXd& u) const;
  Eigen::VectorXd middle_of(const CollocatedOrbit::End& end) const;
  std::string mirrored(const Eigen::VectorXd& before, const Eigen::VectorXd& after) const;
  Eigen::VectorXcd multipliers(const Eigen::VectorXd& u);

  ReducedMotion motion_;
  Eigen::Index n_ = 0;
  Eigen::VectorXd parameters_;
  std::optional<Eigen::Index> varied_, second_;  ///< which of the parameters
  bool both_free_ = false;
  bool doubled_ = false;
  std::unique_ptr<SlopedFunctions> quantity_, forcing_;
  std::unique_ptr<CollocatedOrbit> orbit_;
  Eigen::VectorXd last_u_;  ///< the last orbit that was computed
  std::optional<CollocatedOrbit::End> last_end_;
  Eigen::VectorXd base_, signs_, shift_;
  Eigen::VectorXd signs_before_, shift_before_;  ///< of one period, while it is doubled
  Eigen::MatrixXd phase_, free_;
  std::map<std::vector<double>, OrbitExtent> extents_;
  std::map<std::vector<double>, Eigen::VectorXd> offsets_;  ///< what vanishes where a family begins
};

/// A multiplier grows when its size is above 1 by more than this.
inline constexpr double multiplier_tolerance = 1e-6;

/// The solutions in the plane through a point, across a direction.
SolutionSet in_plane(const SolutionSet& set, const Eigen::VectorXd& point, const Eigen::VectorXd& direction);

}  // namespace rattleback

#pragma once
/// Branches of periodic motions, up to symmetries, over a parameter, an integral or the period, with Floquet multipliers.

#include <map>

#include <rattleback/simulate/states/invariants.hpp>
#include <rattleback/study/steady_branch.hpp>

namespace rattleback {

/// Least and largest value of each number of the state along an orbit.
struct OrbitExtent {
  std::vector<double> least, largest;
};

struct PeriodicBranches {
  std::vector<std::string>
      names;  ///< of the entries of a point: state at phase 0, rates along the group, period, parameter
  std::size_t states = 0;            ///< how many of them are numbers of the state
  std::vector<std::string> fields;   ///< the group: fields that commute with the motion
  std::vector<std::string> held;     ///< what keeps its value along a branch
  std::vector<std::string> trivial;  ///< what makes multipliers that are 1: they are not in the spectra
  bool forced = false;               ///< rates depend on time: the period is given
  Branch first;
  std::vector<Branch> others;   ///< that cross the first
  std::vector<Branch> doubled;  ///< born where the first doubles its period
  std::string second;
  std::vector<BifurcationCurve> curves;           ///< in two parameters, from the special points of the first
  std::vector<std::vector<OrbitExtent>> extents;  ///< of the points of all branches, in this order

  std::vector<const Branch*> all() const;
};

/// Where a family begins: a state, about which period, and whether orbits are born at a steady motion there.
struct OrbitStart {
  std::vector<double> state;        ///< of the flow
  std::optional<double> period;     ///< otherwise the time of the first near return
  std::optional<double> parameter;  ///< otherwise the model's value
  bool steady = false;  ///< the state is a steady motion whose small oscillations have this period
  std::vector<std::pair<std::string, double>> rates = {};  ///< along the group, by the names of its fields
};

struct PeriodicQuestion {
  std::string vary;  ///< a parameter, `period`, or an expression of the state that is constant along motions
  BranchOptions branch;
  std::vector<Invariant>
      known;  ///< integrals: held while a family has more directions than one; their multipliers are 1
  std::vector<Invariant> held;  ///< held in any case
  std::string forcing_period;   ///< for rates that depend on time: an expression of the parameters
  bool doublings = true;        ///< follow what is born where the period doubles
  SecondParameter second = {};  ///< in which bifurcations are followed besides
};

/// y(T) = y(0) in the frame that moves along the group, dy/dt = f(y) − ω^a X_a(y): unknowns are y(0), ω, T and the parameter; the
/// equations are those of the period on the complement of the gradients of integrals, the constraints, and that y(0) has moved
/// neither along the motion nor along the group since the last point (O.22). Coordinates on which no other rate depends are left
/// out. Angles may turn by multiples of 2π in a period, a unit quaternion may change its sign.
/// Multipliers are the eigenvalues of ∂y(T)/∂y(0) where the integrals keep their values, modulo motion and group.     (O.23)
/// Throws Error[usage], and Error[no-periodic-motion] where Newton's method finds no orbit.
PeriodicBranches periodic_branches(const System& system, const OrbitStart& start,
                                   const PeriodicQuestion& question);

/// What happens at a special point: "fold", "period doubling", "torus, angle 1.2", "branch point", ….
std::string orbit_description(const BranchPoint& before, const BranchPoint& at, const BranchPoint& after);

}  // namespace rattleback

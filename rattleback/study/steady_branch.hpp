#pragma once
/// Branches of steady motions (relative equilibria) over a parameter, an integral or any function of the state.

#include <rattleback/simulate/states/invariants.hpp>
#include <rattleback/study/bifurcation_curve.hpp>

namespace rattleback {

struct SteadyBranches {
  std::vector<std::string>
      names;  ///< of the entries of a point: the state, then the rates along the group, then the parameter
  std::vector<std::string> fields;  ///< the group: fields that commute with the motion
  std::vector<std::string> held;    ///< what keeps its value along a branch
  std::size_t states = 0;           ///< how many of the names are numbers of the state
  bool over_parameter = false;      ///< what is varied is the first parameter of a point
  Branch first;
  std::vector<Branch> others;  ///< that cross it
  std::string second;
  std::vector<BifurcationCurve> curves;  ///< in two parameters, from its special points
};

struct SteadyQuestion {
  std::string vary;  ///< a parameter, or an expression of the state
  BranchOptions branch;
  std::vector<Invariant> known;  ///< integrals that are held while a family has more directions than one
  std::vector<Invariant> held;   ///< held in any case
  SecondParameter second = {};   ///< in which bifurcations are followed besides
};

/// A steady motion moves along a group of symmetries, f(y) = ω^a X_a(y) with constant ω: the unknowns are y, ω and the parameter, the
/// equations this one, the constraints, |q| = 1 for unit quaternions, and that y has not moved along the group since the last point.
/// Eigenvalues are those of ∂(f − ω^a X_a)/∂y on the tangent space of the states modulo the group.          (O.21)
/// Starts at the steady motion nearest to y. Throws Error[usage], and Error[not-steady] where Newton's method finds none.
SteadyBranches steady_branches(const System& system, std::span<const double> y,
                               const SteadyQuestion& question);

/// What happens at a special point, from the eigenvalues there and behind it: "fold", "Hopf, frequency 1.2", "branch point", ….
std::string description(const BranchPoint& before, const BranchPoint& at, const BranchPoint& after);

}  // namespace rattleback

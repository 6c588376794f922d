#pragma once
/// Curves of bifurcations in two parameters: folds, Hopf points, period doublings, tori and collisions of frequencies, continued.

#include <rattleback/study/branch.hpp>

namespace rattleback {

/// A second parameter with its range; no name: there is none.
struct SecondParameter {
  std::string name;
  double low = 0, high = 1;
};
/// Throws Error[usage] where a name was given that is none of a parameter.
void require_second(const SecondParameter& second, bool found);
/// What stays a symbol: names that are given.
std::vector<std::string> free_parameters(const std::string& vary, const std::string& second);

struct BifurcationCurve {
  std::string
      kind;  ///< "fold", "Hopf", "period doubling", "torus (Neimark-Sacker)", "collision of frequencies", "collision of multipliers"
  Branch
      branch;  ///< its quantity is the second parameter; spectra are without what is critical along the curve
  std::vector<double> first;     ///< what was varied first, at its points
  std::vector<double> critical;  ///< frequency or angle of the critical pair there; 0 for real ones
};

struct TwoParameterProblem {
  const SolutionSet& set;  ///< both parameters free; its quantity is what was varied first
  Eigen::Index second;     ///< the unknown that is the second parameter
  SecondParameter range;
  bool
      multipliers;  ///< the spectra are multipliers: the critical circle is |z| = 1, otherwise the imaginary axis
  /// What happens at a special point, from those before, at and after it.
  std::function<std::string(const BranchPoint&, const BranchPoint&, const BranchPoint&)> describe;
};

/// From each fold and each change of stability of a branch, except where branches cross:
///     F(u) = 0,  h(u) = h₀,  g(u) = 0,                                                                   (O.27)
/// with g = Re λ of the pair, |μ|² − 1, det(M + 1), the discriminant of a pair of frequencies, and for folds the last entry of the
/// solution of a bordered system, which vanishes where the equations at a fixed value of the quantity are singular [Govaerts 2000].
/// g is differentiated by differences along the solutions; its zero is not affected by their error.
std::vector<BifurcationCurve> bifurcation_curves(const TwoParameterProblem& problem, const Branch& branch,
                                                 const BranchOptions& options);

/// Moves the special points of a branch to where g vanishes: bisection finds them only to where an eigenvalue counts as growing. `second` of the
/// problem is not used.
void refine_special_points(const TwoParameterProblem& problem, Branch& branch);

}  // namespace rattleback

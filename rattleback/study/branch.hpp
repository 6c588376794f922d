#pragma once
/// Numerical continuation: solutions of F(u) = 0 along a curve, by pseudo-arclength and Newton's method in the sense of least squares.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace rattleback {

/// F and its matrix; F may have more entries than there are unknowns, as long as the others follow from them.
struct SolutionSet {
  std::function<void(const Eigen::VectorXd& u, Eigen::VectorXd& F, Eigen::MatrixXd& slopes)> at;
  /// Functions that keep their values along a branch: they make a curve of a family of several parameters.
  std::function<void(const Eigen::VectorXd& u, Eigen::VectorXd& h, Eigen::MatrixXd& slopes)> held;
  /// What the branch is drawn over, and its slope.
  std::function<double(const Eigen::VectorXd& u, Eigen::VectorXd* slope)> quantity;
  /// Eigenvalues that decide about stability, or multipliers.
  std::function<Eigen::VectorXcd(const Eigen::VectorXd& u)> spectrum;
  /// How many of them grow.
  std::function<int(const Eigen::VectorXcd& spectrum)> growing;
  /// After a step: phases are measured from there.
  std::function<void(const Eigen::VectorXd& u)> rebase = [](const Eigen::VectorXd&) {};
  /// Why a branch ends between two of its points; empty: it does not.
  std::function<std::string(const Eigen::VectorXd& before, const Eigen::VectorXd& after)> ended;
  double rank_tolerance = 1e-10;  ///< of least squares: how exactly equations follow from others
};

struct BranchPoint {
  Eigen::VectorXd u;
  double quantity = 0;
  Eigen::VectorXcd spectrum;
  int growing = 0;
  enum class Kind { regular, fold, change } kind = Kind::regular;
};

struct Branch {
  std::vector<BranchPoint> points;  ///< in their order along the curve
  std::size_t family = 1;           ///< dimension of the solution set at the start, what is held not counted
  std::string ended_forward, ended_backward;
};

struct BranchOptions {
  double low = 0, high = 1;  ///< of the quantity
  double step = 0;           ///< the first; 0: a fiftieth of the range
  std::size_t most_points = 400;
};

/// An orthonormal basis of {v : m v = 0}, as columns. Singular values below the threshold times the largest one count as zero.
Eigen::MatrixXd kernel_basis(const Eigen::MatrixXd& m, double threshold = 1e-7);

/// The nearest solution, by Newton's method with corrections of least length; nothing where it does not converge.
std::optional<Eigen::VectorXd> nearest_solution(const SolutionSet& set, Eigen::VectorXd u);

/// In both directions from a solution, until the quantity leaves its range, the curve closes, or Newton's method fails.
///
/// At a point the solutions of F' v = 0 on which what is held does not change span the tangent; u + s v is corrected across it,
///     F(u) = 0,  h(u) = h₀,  v·(u − u₀ − s v) = 0,                                                        (O.20)
/// all in the sense of least squares: equations that follow from others, and directions that change nothing, do no harm. Folds are
/// where the quantity turns back, changes where the number of growing eigenvalues jumps: both are located by bisection of s.
Branch continued(const SolutionSet& set, const Eigen::VectorXd& start, const BranchOptions& options);

/// Branches that cross this one where a real eigenvalue passes zero and the curve does not turn back: they leave along the second
/// direction in which the equations do not change. One for each side on which there are solutions that are not on the branch.
std::vector<Branch> crossing_branches(const SolutionSet& set, const Branch& branch,
                                      const BranchOptions& options);

}  // namespace rattleback

#pragma once
/// Assembly of closed loops: positions that satisfy the constraints, near a guess, by Newton's method.

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/native/evaluator.hpp>

namespace rattleback {

/// f(x) = 0 and its Jacobian as compiled functions of x; every other symbol has a value.
class PositionEquations {
 public:
  PositionEquations(std::span<const Expr> f, std::span<const Symbol> x, const Numbers& at);
  PositionEquations(const PositionEquations&) = delete;
  PositionEquations& operator=(const PositionEquations&) = delete;

  struct Values {
    Eigen::VectorXd f;
    Eigen::MatrixXd slopes;  ///< ∂f_s/∂x_k
  };
  const Values& operator()(const Eigen::VectorXd& x);
  Eigen::Index unknowns() const { return unknowns_; }

 private:
  Eigen::Index unknowns_;
  Code code_;
  Evaluator<double> evaluate_;
  std::vector<double> out_;
  Values values_;
};

/// Which unknowns are angles, of which a whole turn does not matter.
using Angles = std::vector<bool>;

struct AssembledPosition {
  Eigen::VectorXd x;
  int rank = 0;         ///< of the Jacobian there
  double residual = 0;  ///< the largest |f_s|
};

/// Newton steps of least norm from x; a step that does not reduce |f| is halved, and no angle moves more than a radian at once.
AssembledPosition assembled_from(PositionEquations& f, Eigen::VectorXd x, const Angles& angles);

/// The solution nearest to a: argmin (x − a)ᵀ W (x − a) on f(x) = 0.                                     (S.2)
AssembledPosition nearest_position(PositionEquations& f, const Eigen::VectorXd& a, const Eigen::MatrixXd& W,
                                   const Angles& angles);

/// Isolated solutions that Newton's method finds from `about` and from points around it, the same in every run: angles within
/// half a turn of `about`, the nearest solution first.
std::vector<Eigen::VectorXd> isolated_positions(PositionEquations& f, const Eigen::VectorXd& about,
                                                const Angles& angles, double tolerance);

/// x with every angle within half a turn of that of `about`.
Eigen::VectorXd within_a_turn(Eigen::VectorXd x, const Eigen::VectorXd& about, const Angles& angles);

}  // namespace rattleback

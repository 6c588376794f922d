#pragma once
/// Does an expression vanish identically? Modular first, then exact; three-valued, with evidence.

#include <span>

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

struct ZeroTest {
  int points = 3;          ///< random points modulo the prime
  std::uint64_t seed = 1;  ///< the same seed draws the same points in every run
  bool want_exact = true;  ///< turn "zero at random points" into a proof where counted work allows
  bool operator==(const ZeroTest&) const = default;
};

/// e ≡ 0 as a function of its symbols, on the domain where it is real and defined. Entries of rotation matrices
/// and unit vectors move on their manifolds, positive symbols over positive numbers.
Verdict is_zero(Expr e, const ZeroTest& how = {});
/// All of them vanish; a refutation names the first that does not.
Verdict is_zero(std::span<const Expr> es, const ZeroTest& how = {});
Verdict are_equal(Expr a, Expr b, const ZeroTest& how = {});

/// Fast test for pivots: false means certainly nonzero (as an element of the function field), true
/// means zero at every random point tried. Poles and bad branches are redrawn. No exact work, no real points.
bool vanishes_at_random_points(Expr e, std::uint64_t seed = 1);

}  // namespace rattleback

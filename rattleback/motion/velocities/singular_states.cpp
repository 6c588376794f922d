#include <rattleback/motion/velocities/singular_states.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

/// Does a known condition fail wherever all f vanish? Seen when the f are symbols, which can be put to zero.
bool is_covered(const std::vector<Expr>& locus, const Assumptions& known) {
  SymbolMap zero;
  for (const Expr f : locus) {
    const Expr bare = split_coefficient(f).rest;
    if (!bare.is(Kind::symbol)) return false;
    zero.emplace(bare.symbol(), Expr(0));
  }
  return std::any_of(known.begin(), known.end(), [&](const Assumption& a) {
    try {
      return vanishes_at_random_points(substitute(a.expression, zero));
    } catch (const NoValue&) {
      return false;  // a pole there
    }
  });
}

}  // namespace

Assumptions full_rank_conditions(const Matrix& a, const Assumptions& known, const std::string& why) {
  Assumptions where;
  if (a.rows() == 0 || a.columns() == 0) return where;
  for (const std::vector<Expr>& locus : rank_drop(a).loci) {
    if (is_covered(locus, known)) continue;
    std::vector<Expr> squares;
    for (const Expr f : locus) squares.push_back(locus.size() == 1 ? f : f * f);
    where.push_back({sum(squares), Assumption::Kind::nonzero, why});
  }
  return where;
}

}  // namespace rattleback

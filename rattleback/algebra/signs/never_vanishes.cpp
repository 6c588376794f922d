#include <rattleback/algebra/signs/never_vanishes.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/pythagoras.hpp>

namespace rattleback {
namespace {

/// The angles x of the terms p·f²(x) of a sum, where p never vanishes.
std::vector<Expr> angles_of_squares(Expr sum, Builtin f) {
  std::vector<Expr> angles;
  for (const Expr term : sum.args()) {
    const std::span<const Expr> factors =
        term.is(Kind::product) ? term.args() : std::span<const Expr>(&term, 1);
    const auto square = std::ranges::find_if(factors, [&](Expr e) { return is_square_of(e, f); });
    if (square == factors.end()) continue;
    const auto is_harmless = [&](const Expr& e) { return &e == &*square || never_vanishes(e); };
    if (std::ranges::all_of(factors, is_harmless)) angles.push_back(square->args()[0].args()[0]);
  }
  return angles;
}

bool is_at_least_zero(KnownSign s) { return s == KnownSign::positive || s == KnownSign::nonnegative; }

}  // namespace

bool never_vanishes(Expr e) {
  allow_recursion();
  const KnownSign sign = known_sign(e);
  if (sign == KnownSign::positive || sign == KnownSign::negative) return true;
  if (sign == KnownSign::zero || sign == KnownSign::unknown || !e.is(Kind::sum)) return false;
  // Where all terms have one sign, the sum vanishes only where all of them do.
  const auto is_like_the_sum = [&](Expr term) {
    const KnownSign s = known_sign(term);
    return s != KnownSign::unknown && is_at_least_zero(s) == is_at_least_zero(sign);
  };
  if (!std::ranges::all_of(e.args(), is_like_the_sum)) return false;
  const std::vector<Expr> cosines = angles_of_squares(e, Builtin::cos);
  if (cosines.empty()) return false;
  const std::vector<Expr> sines = angles_of_squares(e, Builtin::sin);
  return std::ranges::any_of(cosines, [&](Expr x) { return std::ranges::find(sines, x) != sines.end(); });
}

}  // namespace rattleback

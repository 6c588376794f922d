#include <rattleback/algebra/assumptions.hpp>

#include <algorithm>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/tape.hpp>

namespace rattleback {

Assumptions simplified(const Assumptions& where) {
  Assumptions out;
  const auto add = [&](Expr e, const Assumption& a) {
    const auto same = [&](const Assumption& other) {
      return other.kind == a.kind &&
             (other.expression == e || (a.kind == Assumption::Kind::nonzero && other.expression == -e));
    };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back({e, a.kind, a.why});
  };
  for (const Assumption& a : where) {
    const Expr e = short_form(a.expression);
    if (a.kind == Assumption::Kind::positive) {
      if (known_sign(e) != KnownSign::positive) add(e, a);
      continue;
    }
    // A fraction vanishes with its numerator; poles of its denominator are excluded wherever it stands.
    for (const HalfPower& factor : as_fraction(e).numerator) {
      if (!known_nonzero(factor.base)) add(factor.base, a);
    }
  }
  return out;
}

Assumptions denominators(std::span<const Expr> formulas) {
  Assumptions found;
  const Tape tape(formulas);
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::power) && e.exponent() < 0)
      found.push_back({e.args()[0], Assumption::Kind::nonzero, "a denominator"});
    if (!e.is(Kind::call)) continue;
    const Builtin f = e.function().kind();
    const Expr x = e.args()[0];
    if (f == Builtin::tan || f == Builtin::sec)
      found.push_back({cos(x), Assumption::Kind::nonzero, "a pole"});
    if (f == Builtin::cot || f == Builtin::csc)
      found.push_back({sin(x), Assumption::Kind::nonzero, "a pole"});
  }
  return simplified(found);
}

}  // namespace rattleback

#include <rattleback/algebra/assumptions.hpp>

#include <algorithm>

#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/known_sign.hpp>

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

}  // namespace rattleback

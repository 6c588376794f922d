#include <rattleback/proof/evidence/factors.hpp>

#include <algorithm>

#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {
namespace {

std::span<const Expr> factors_of(const Expr& e) {
  return e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1);
}

}  // namespace

Factors factors(Expr e) {
  Factors out;
  for (const Expr f : factors_of(e)) {
    if (f.is(Kind::constant)) continue;
    const Expr base = f.is(Kind::power) ? f.args()[0] : f;
    const bool below = f.is(Kind::power) && f.exponent() < 0;
    (below ? out.below : out.above).push_back(is_call_of(base, Builtin::sqrt) ? base.args()[0] : base);
  }
  return out;
}

bool is_constant(Expr e) {
  const auto symbols = symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [](Symbol s) { return s.role() == Role::parameter || s.role() == Role::constant; });
}

Expr without_constant_factors(Expr e) {
  std::vector<Expr> kept;
  for (const Expr f : factors_of(e)) {
    if (!is_constant(f)) kept.push_back(f);
  }
  return product(kept);
}

}  // namespace rattleback

#include <rattleback/algebra/expression/switching.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace rattleback {

bool is_switching_function(std::string_view name) {
  constexpr std::array<std::string_view, 5> names{"sign", "min", "max", "piecewise", "smoothstep"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

Function sign_function() { return Function::abstract("sign", 1); }

Expr sign_of(Expr x) {
  if (x.is(Kind::constant)) return x.is_zero() ? Expr(0) : Expr(x.value().sign());
  if (x.is(Kind::symbol) && x.symbol().is_positive()) return 1;
  const Scaled scaled = split_coefficient(x);
  return scaled.coefficient.sign() < 0 ? -call(sign_function(), {-x}) : call(sign_function(), {x});
}

Expr where_positive(Expr x, Expr yes, Expr no) {
  const Expr half = Expr(1) / 2, s = sign_of(x);
  return half * (yes + no) + half * (yes - no) * s;
}

Expr larger(Expr a, Expr b) { return (a + b + (a - b) * sign_of(a - b)) / 2; }

Expr smooth_step(Expr x) {
  const Expr between = 3 * pow(x, 2) - 2 * pow(x, 3);
  return where_positive(x, where_positive(1 - x, between, 1), 0);
}

Expr sign_formula(Symbol x) { return x / (abs(x) + pow(Expr(10), -150)); }

std::vector<Expr> sign_calls(std::span<const Expr> roots) {
  std::vector<Expr> calls;
  std::set<std::uint32_t> seen;
  const auto visit = [&](const auto& self, Expr e) -> void {
    if (!seen.insert(e.id()).second) return;
    for (const Expr argument : e.args()) self(self, argument);
    if (e.is(Kind::call) && e.function() == sign_function()) calls.push_back(e);
  };
  for (const Expr e : roots) visit(visit, e);
  return calls;
}

}  // namespace rattleback

#include <rattleback/proof/evidence/total_derivative.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {

std::optional<System> without_total_derivative(const System& system) {
  const Space& space = system.space;
  const auto v = space.velocities();
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  const std::vector<Expr> A = substitute(gradient(system.lagrangian, v), rest);
  if (std::all_of(A.begin(), A.end(), [](Expr e) { return e.is_zero(); })) return std::nullopt;
  const auto at = [&](int i) { return A[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < space.dimension(); ++i) {
    if (contains(at(i), system.time)) return std::nullopt;
    for (int j = 0; j < i; ++j) {
      std::vector<Expr> terms{space.derivative(i, at(j)), -space.derivative(j, at(i))};
      for (int k = 0; k < space.dimension(); ++k) terms.push_back(-space.c()(i, j, k) * at(k));
      if (!vanishes_at_random_points(sum(terms))) return std::nullopt;
    }
  }
  System plain = system;
  std::vector<Expr> terms{system.lagrangian};
  for (int i = 0; i < space.dimension(); ++i) terms.push_back(-at(i) * v[static_cast<std::size_t>(i)]);
  plain.lagrangian = sum(terms);
  return plain;
}

}  // namespace rattleback

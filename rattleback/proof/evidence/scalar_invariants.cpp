#include <rattleback/proof/evidence/scalar_invariants.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/one_form.hpp>

namespace rattleback {
namespace {

/// ½ g(v, v) − V with g of the configuration alone.
struct NaturalLagrangian {
  Matrix g;
  Expr V;
};
std::optional<NaturalLagrangian> natural(const System& system) {
  const auto v = system.space.velocities();
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  const std::vector<Expr> p = gradient(system.lagrangian, v);
  NaturalLagrangian l{jacobian(p, v), -substitute(system.lagrangian, rest)};
  const auto vanishes = [](Expr e) { return vanishes_at_random_points(e); };
  const std::vector<Expr> linear = substitute(p, rest);
  if (!std::all_of(linear.begin(), linear.end(), vanishes)) return std::nullopt;
  for (const Symbol s : v) {
    const Matrix slope = derivative(l.g, s);
    if (!std::all_of(slope.entries().begin(), slope.entries().end(), vanishes)) return std::nullopt;
  }
  if (!vanishes(derivative(system.lagrangian, system.time))) return std::nullopt;
  return l;
}

int independent(const Space& space, const std::vector<Expr>& functions) {
  std::vector<OneForm> forms;
  for (const Expr f : functions) forms.push_back(differential(space, f));
  return rank(as_rows(space, forms));
}

}  // namespace

ScalarInvariants scalar_invariants(const System& system) {
  const auto l = natural(system);
  const int n = system.space.dimension();
  ScalarInvariants found;
  if (!l || rank(l->g) < n) return found;
  const auto gradient_of = [&](Expr f) {
    const auto x = unique_solution(l->g, Matrix::column(differential(system.space, f).coefficients()));
    return VectorField(system.space, {x->x.entries().begin(), x->x.entries().end()});
  };
  constexpr std::size_t most = search_limits::scalar_invariants.count;
  std::vector<Expr> functions{l->V};
  std::vector<VectorField> gradients{gradient_of(l->V)};
  for (std::size_t k = 0; k < functions.size() && functions.size() < most; ++k) {
    for (std::size_t j = 0; j <= k && functions.size() < most && found.independent < n; ++j) {
      functions.push_back(gradients[j](functions[k]));
      gradients.push_back(gradient_of(functions.back()));
      found.pairs.emplace_back(static_cast<int>(j), static_cast<int>(k));
      found.independent = independent(system.space, functions);
    }
    if (found.independent == n) break;
  }
  return found;
}

}  // namespace rattleback

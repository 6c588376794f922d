#include <rattleback/proof/variational/driven_lagrangian.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/antiderivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// Does e change with none of the state but perhaps with q_x?
bool depends_at_most_on(Expr e, const SecondOrderSystem& s, std::optional<std::size_t> x) {
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    if (i != x && !vanishes_at_random_points(derivative(e, s.q[i]))) return false;
    if (!vanishes_at_random_points(derivative(e, s.v[i]))) return false;
  }
  return true;
}

/// ½ Σ_a (q̇_a + c_a ẋ)² over the coordinates that are neither x nor y; nothing when some c_a is no constant.
std::optional<Expr> uniform_part(const SecondOrderSystem& s, std::size_t x, std::size_t y) {
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t a = 0; a < s.q.size(); ++a) {
    if (a == x || a == y) continue;
    const Expr c = short_form(-s.f[a] / s.f[x]);
    if (!depends_at_most_on(c, s, std::nullopt)) return std::nullopt;
    terms.push_back(pow(Expr(s.v[a]) + c * Expr(s.v[x]), 2) / 2);
  }
  return sum(terms);
}

}  // namespace

std::optional<DrivenLagrangian> driven_lagrangian(const SecondOrderSystem& s) {
  for (std::size_t y = 0; y < s.q.size(); ++y) {
    if (!vanishes_at_random_points(s.f[y])) continue;
    for (std::size_t x = 0; x < s.q.size(); ++x) {
      if (x == y || vanishes_at_random_points(s.f[x])) continue;
      const Expr u = s.v[x], v = s.v[y], Xi = short_form(s.f[x] / (u * v));
      if (!depends_at_most_on(Xi, s, x)) continue;
      const auto A = antiderivative(-Xi, s.q[x]);
      const auto rest = uniform_part(s, x, y);
      if (!A || !rest) continue;
      const Expr L = u * log(v / u) + *A * v + pow(v, 2) / 2 + *rest;
      return DrivenLagrangian{L, u * v, is_lagrangian(s, L)};
    }
  }
  return std::nullopt;
}

}  // namespace rattleback

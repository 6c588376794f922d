#include <rattleback/model/system/first_order_form.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

/// Has L no term of second degree in the velocities?
bool is_linear_in(Expr L, std::span<const Symbol> velocities) {
  for (const Expr slope : gradient(L, velocities)) {
    for (const Expr second : gradient(slope, velocities))
      if (!second.is_zero() && !vanishes_at_random_points(second)) return false;
  }
  return true;
}

}  // namespace

std::optional<Matrix> first_order_form(const System& system) {
  const auto v = system.space.velocities();
  const int n = system.space.dimension();
  if (!system.constraints.empty() || system.parametrization || n == 0) return std::nullopt;
  std::vector<Symbol> q;
  for (int i = 0; i < n; ++i) {
    const auto coordinate = system.space.coordinate(i);
    if (!coordinate || system.space.motion().at(*coordinate) != Expr(v[static_cast<std::size_t>(i)]))
      return std::nullopt;
    q.push_back(*coordinate);
  }
  const Expr L = on_frame(system, system.lagrangian);
  if (!is_linear_in(L, v)) return std::nullopt;
  SymbolMap at_rest;
  for (const Symbol s : v) at_rest.emplace(s, Expr(0));
  const std::vector<Expr> a = substitute(gradient(L, v), at_rest);
  Matrix F(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      F(i, j) = derivative(a[static_cast<std::size_t>(j)], q[static_cast<std::size_t>(i)]) -
                derivative(a[static_cast<std::size_t>(i)], q[static_cast<std::size_t>(j)]);
  }
  for (int i = 0; i < n && i < static_cast<int>(system.forces.size()); ++i) {
    const Expr force = on_frame(system, system.forces[static_cast<std::size_t>(i)]);
    if (!is_linear_in(force, v)) return std::nullopt;
    const std::vector<Expr> slopes = substitute(gradient(force, v), at_rest);
    for (int j = 0; j < n; ++j) F(i, j) = F(i, j) + slopes[static_cast<std::size_t>(j)];
  }
  return F;
}

bool is_first_order(const System& system) {
  const auto F = first_order_form(system);
  return F && rank(*F) == F->rows();
}

}  // namespace rattleback

#include <rattleback/motion/velocities/velocity_axes.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/solving/poisson_vector.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

bool contains_entries(const Matrix& m, const std::string& family) {
  const auto is_entry = [&](Symbol s) {
    return s.role() == Role::rotation && s.attributes().family == family;
  };
  return std::ranges::any_of(m.entries(),
                             [&](Expr e) { return std::ranges::any_of(symbols_of(e), is_entry); });
}

/// The part of L that depends on the velocities, in w.
Expr kinetic_part(const System& system, const VelocityAxes& axes) {
  SymbolMap at_rest;
  for (const Symbol v : system.space.velocities()) at_rest.emplace(v, Expr(0));
  const Expr L = system.lagrangian;
  return without_idle_rotations(substitute(L, axes.substitution(system.space)) - substitute(L, at_rest));
}

/// The axes with those of one rotation, whose velocities begin at `first`, in space.
VelocityAxes turned_at(const System& system, VelocityAxes axes, const Matrix& B, int first) {
  const auto v = system.space.velocities();
  const std::string which = axes.turned ? "_" + B[0].symbol().attributes().family : "";
  if (!axes.turned) axes.T = Matrix::identity(system.space.dimension());
  axes.turned = true;
  for (int i = 0; i < 3; ++i) {
    const int k = first + i;
    for (int j = 0; j < 3; ++j) axes.T(k, first + j) = B(j, i);
    axes.velocities[k] =
        invented_symbol(system, fmt::format("omega{}{}", which, i + 1), {.role = Role::velocity, .order = k});
    axes.definitions[k] = B(i, 0) * v[first] + B(i, 1) * v[first + 1] + B(i, 2) * v[first + 2];
  }
  return axes;
}

}  // namespace

SymbolMap VelocityAxes::substitution(const Space& space) const {
  const Matrix v = in_frame(Matrix::column(std::vector<Expr>(velocities.begin(), velocities.end())));
  SymbolMap into;
  for (int i = 0; i < v.rows(); ++i) into.emplace(space.velocities()[i], v[i]);
  return into;
}

Matrix VelocityAxes::rows(const Matrix& A) const {
  if (!turned) return A;
  Matrix found = A * T;
  for (Expr& e : found.entries()) e = without_idle_rotations(e);
  return found;
}

std::vector<Expr> VelocityAxes::equations(const Space& space, std::vector<Expr> in_v) const {
  if (!turned) return in_v;
  std::vector<Expr> in_w = substitute(in_v, substitution(space));
  for (Expr& e : in_w) e = without_idle_rotations(e);
  return in_w;
}

VelocityAxes frame_axes(const Space& space) {
  const auto v = space.velocities();
  return {{v.begin(), v.end()}, {v.begin(), v.end()}, {}, false};
}

VelocityAxes best_axes(const System& system, const Matrix& A) {
  VelocityAxes axes = frame_axes(system.space);
  int next = 0;
  for (const Factor& factor : system.space.factors()) {
    const int first = std::exchange(next, next + factor.dimension());
    if (factor.kind != Factor::Kind::SO3) continue;
    const Matrix B = factor.rotation();
    const std::string& family = B[0].symbol().attributes().family;
    if (!contains_entries(axes.rows(A), family)) continue;
    VelocityAxes turned = turned_at(system, axes, B, first);
    if (contains_entries(turned.rows(A), family) ||
        contains_entries(Matrix{{kinetic_part(system, turned)}}, family))
      continue;
    axes = std::move(turned);
  }
  return axes;
}

}  // namespace rattleback

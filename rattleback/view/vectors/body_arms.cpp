#include <rattleback/view/vectors/body_arms.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

/// All coordinates 0, all attitudes 1.
std::optional<Matrix> at_origin(const System& system, const RotatingBodies& all, const Matrix& m) {
  SymbolMap values;
  for (const Symbol f : system.space.functions()) values.emplace(f, Expr(0));
  for (const FreeRotation& a : all.rotations)
    for (int i = 0; i < 9; ++i) values[a.B[i].symbol()] = Expr(i % 4 == 0 ? 1 : 0);
  try {
    return short_form(substitute(m, values));
  } catch (const NoValue&) {  // a pole there
    return std::nullopt;
  }
}

bool moves_with(const System& system, const Matrix& m) {
  const auto functions = system.space.functions();
  return std::ranges::any_of(symbols_of(m.entries()),
                             [&](Symbol s) { return std::ranges::find(functions, s) != functions.end(); });
}

/// B c, with a factor in front where c is a multiple of an axis.
CovariantTerm turned(const CovariantTerm& B, const Matrix& c) {
  for (int k = 0; k < 3; ++k) {
    bool only = !c[k].is_zero();
    for (int i = 0; i < 3; ++i) only = only && (i == k || c[i].is_zero());
    if (only) return scaled(c[k], applied(B, unit_term(k)));
  }
  return applied(B, constant_term(c));
}

bool has_root(Expr e) {
  if (e.is(Kind::constant) || e.is(Kind::symbol)) return false;
  if (e.is(Kind::call)) return true;
  return std::ranges::any_of(e.args(), [](Expr part) { return has_root(part); });
}

/// The only entry, as a positive multiple, or the root of the square.
Expr length_of(const Matrix& constant) {
  for (int k = 0; k < 3; ++k)
    if (constant[(k + 1) % 3].is_zero() && constant[(k + 2) % 3].is_zero())
      return split_coefficient(constant[k]).coefficient < Rational(0) ? -constant[k] : constant[k];
  return short_form(sqrt(short_form(dot(constant, constant))));
}

}  // namespace

CovariantTerm shortest_in_axes(const Matrix& vector, const std::vector<CovariantTerm>& rotations) {
  CovariantTerm best = constant_term(short_form(vector));
  for (const CovariantTerm& B : rotations) {
    const CovariantTerm other = turned(B, short_form(transpose(B.value) * vector));
    if (other.length() < best.length()) best = other;
  }
  return best;
}

namespace {

std::optional<BodyArm> arm_between(const System& system, const RotatingBodies& all,
                                   const std::vector<CovariantTerm>& rotations, VectorNames& names,
                                   std::size_t from, std::size_t to) {
  const Matrix arm = all.bodies[to].r - all.bodies[from].r, rate = all.bodies[to].v - all.bodies[from].v;
  if (vanish_at_random_states(arm) || vanish_at_random_states(rate) ||
      !vanish_at_random_states(Matrix{{dot(arm, rate)}}))
    return std::nullopt;
  const auto start = at_origin(system, all, arm);
  if (!start || moves_with(system, *start)) return std::nullopt;
  BodyArm found;
  found.parent = static_cast<int>(from);
  const std::vector<std::string> letters{"c", "c_" + all.bodies[to].name};
  if (const auto fixed = fixed_in_body(system, all, rotations, arm)) {
    found.is_fixed = true;
    found.formula = *fixed;
    found.vector = named_term(names.name_of(arm, letters), fixed->value);
    return found;
  }
  const Expr length = length_of(*start);
  if (!has_root(length)) found.length = length;
  Matrix vector = pow(found.length, -1) * arm;
  for (Expr& e : vector.entries()) e = short_form(e);
  found.formula = shortest_in_axes(vector, rotations);
  found.vector = named_term(
      names.name_of(vector,
                    has_root(length) ? letters : std::vector<std::string>{"n", "n_" + all.bodies[to].name}),
      vector);
  return found;
}

}  // namespace

std::optional<CovariantTerm> fixed_in_body(const System& system, const RotatingBodies& all,
                                           const std::vector<CovariantTerm>& rotations, const Matrix& m) {
  const auto start = at_origin(system, all, m);
  if (!start || moves_with(system, *start)) return std::nullopt;
  for (const CovariantTerm& B : rotations)
    if (vanish_at_random_states(m - B.value * *start)) return turned(B, *start);
  return std::nullopt;
}

std::vector<BodyArm> body_arms(const System& system, const RotatingBodies& all,
                               const std::vector<CovariantTerm>& rotations, VectorNames& names) {
  std::vector<BodyArm> arms(all.bodies.size());
  for (std::size_t to = 1; to < all.bodies.size(); ++to) {
    for (std::size_t from = 0; from < to && arms[to].parent < 0; ++from)
      if (auto arm = arm_between(system, all, rotations, names, from, to)) arms[to] = *std::move(arm);
  }
  return arms;
}

}  // namespace rattleback

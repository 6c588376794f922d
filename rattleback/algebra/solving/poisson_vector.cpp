#include <rattleback/algebra/solving/poisson_vector.hpp>

#include <array>
#include <cmath>
#include <map>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/orthonormal.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

/// The entries of one rotation matrix, those that do not occur made up.
struct Attitude {
  Matrix B{3, 3};
  std::string family;
};

std::vector<Attitude> attitudes_in(Expr e) {
  std::map<std::string, Symbol> sample;
  for (const Symbol s : symbols_of(e)) {
    if (s.role() == Role::rotation) sample.emplace(s.attributes().family, s);
  }
  std::vector<Attitude> all;
  for (const auto& [family, s] : sample) {
    Attitude attitude;
    attitude.family = family;
    for (int k = 0; k < 9; ++k) attitude.B(k / 3, k % 3) = rotation_entry(s, k);
    all.push_back(std::move(attitude));
  }
  return all;
}

/// Does e change along a motion by more than rounding errors? A numerical test at one point: fast, and mostly sufficient.
bool visibly_moves(Expr e, const SymbolMap& motion) {
  constexpr double clearly = 1e-4;
  const BallPoint point(1);
  Numbers at, direction;
  try {
    for (const Symbol s : symbols_of(e)) {
      if (Expr(s) != pi()) at.emplace(s, point.value(s).to_double());
    }
    for (const auto& [s, rate] : motion) {
      Numbers entries;
      for (const Symbol b : symbols_of(rate)) entries.emplace(b, point.value(b).to_double());
      direction.emplace(s, evaluate(rate, entries));
    }
    const Dual d = evaluate_dual(e, at, direction);
    return std::isfinite(d.tangent) && std::abs(d.tangent) > clearly * (1 + std::abs(d.value));
  } catch (const NoValue&) {
    return false;  // an abstract function has no number
  }
}

/// Does e stand still along B' = ê_k B, or B' = B ê_k?
bool stands_still(Expr e, const Matrix& B, int k, bool about_space_axis) {
  const Matrix turn = hat(unit_vector(k)), rate = about_space_axis ? turn * B : B * turn;
  SymbolMap motion;
  for (int i = 0; i < 9; ++i) motion.emplace(B[i].symbol(), rate[i]);
  return !visibly_moves(e, motion) && vanishes_at_random_points(derivative_along(e, motion));
}

bool contains_any(Expr e, const Matrix& m) {
  for (const Expr b : m.entries()) {
    if (contains(e, b.symbol())) return true;
  }
  return false;
}

/// A rotation matrix with γ as its row k, up to the factor ρ = |γ − γ_z e_z| in the other rows; of the next one, entry z is 0.
Matrix section(const std::array<Expr, 3>& gamma, Expr rho, int k, int z) {
  const int x = (z + 1) % 3, y = (z + 2) % 3;
  const auto g = [&](int j) { return gamma[static_cast<std::size_t>(j)]; };
  Matrix B(3, 3);
  for (int j = 0; j < 3; ++j) B(k, j) = g(j);
  const int first = (k + 1) % 3, second = (k + 2) % 3;
  B(first, x) = g(y) / rho;
  B(first, y) = -g(x) / rho;
  B(first, z) = 0;
  B(second, x) = g(x) * g(z) / rho;
  B(second, y) = g(y) * g(z) / rho;
  B(second, z) = -rho;
  return B;
}

/// The expression on a section; nothing where it divides by the entry that is 0 there.
std::optional<Expr> on_section(Expr e, const std::array<Expr, 3>& gamma, const Matrix& B, int k, int z) {
  const Expr rho = sqrt(pow(gamma[static_cast<std::size_t>((z + 1) % 3)], 2) +
                        pow(gamma[static_cast<std::size_t>((z + 2) % 3)], 2));
  const Matrix at = section(gamma, rho, k, z);
  SymbolMap into;
  for (int i = 0; i < 9; ++i) into.emplace(B[i].symbol(), at[i]);
  try {
    const Expr reduced = canonical(substitute(e, into));
    if (Tape(std::span(&reduced, 1)).slot_of(rho)) return std::nullopt;
    return reduced;
  } catch (const NoValue&) {
    return std::nullopt;
  }
}

/// The expression in γ, where it is a function of row k of B (of Bᵀ for a column).
std::optional<Expr> on_direction(Expr e, const Attitude& attitude, int k, bool is_row, SymbolMap& back) {
  const Matrix B = is_row ? attitude.B : transpose(attitude.B);
  std::array<Expr, 3> gamma;
  SymbolMap into, from;
  for (int j = 0; j < 3; ++j) {
    gamma[static_cast<std::size_t>(j)] =
        Symbol::make(B(k, j).symbol().name() + " direction", {.role = Role::direction,
                                                              .order = B(k, j).symbol().attributes().order,
                                                              .family = attitude.family,
                                                              .entry = j});
    into.emplace(B(k, j).symbol(), gamma[static_cast<std::size_t>(j)]);
    from.emplace(gamma[static_cast<std::size_t>(j)].symbol(), B(k, j));
  }
  // Where e is 0/0 on a section, a factor of both parts that vanishes there has been cancelled: the value is that of another function.
  const auto is_e = [&](Expr in_gamma) { return vanishes_at_random_points(e - substitute(in_gamma, from)); };
  std::optional<Expr> reduced;
  if (const Expr direct = substitute(e, into); !contains_any(direct, B)) {
    reduced = direct;
  } else {
    for (int z = 2; z >= 0 && !reduced; --z) {
      reduced = on_section(e, gamma, B, k, z);
      if (reduced && !is_e(*reduced)) reduced.reset();
    }
  }
  if (!reduced || contains_any(*reduced, B)) return std::nullopt;
  for (const auto& [direction, entry] : from) back.insert_or_assign(direction, entry);
  return reduced;
}

}  // namespace

std::optional<InDirections> in_directions(Expr e) {
  InDirections out{e, {}};
  for (const Attitude& attitude : attitudes_in(e)) {
    for (const bool is_row : {true, false}) {
      for (int k = 2; k >= 0; --k) {
        if (!contains_any(out.expression, attitude.B)) break;
        if (!stands_still(out.expression, attitude.B, k, is_row)) continue;
        if (const auto reduced = on_direction(out.expression, attitude, k, is_row, out.back))
          out.expression = *reduced;
      }
    }
  }
  if (out.back.empty()) return std::nullopt;
  return out;
}

/// Two turns generate all.
Expr without_idle_rotations(Expr e) {
  for (const Attitude& attitude : attitudes_in(e)) {
    if (!stands_still(e, attitude.B, 0, true) || !stands_still(e, attitude.B, 1, true)) continue;
    SymbolMap unit;
    for (int i = 0; i < 9; ++i) unit.emplace(attitude.B[i].symbol(), Expr(i % 4 == 0 ? 1 : 0));
    try {
      if (const Expr at_unit = substitute(e, unit); vanishes_at_random_points(e - at_unit)) e = at_unit;
    } catch (const NoValue&) {
      // 0/0 at the unit: it stays as it is
    }
  }
  return e;
}

}  // namespace rattleback

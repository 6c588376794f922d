#include <rattleback/proof/steady/orbit_slice.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>
#include <rattleback/proof/steady/equation_solutions.hpp>

namespace rattleback {
namespace {

/// The matrix with γ in its last row.                                                                       (O.12)
Matrix with_last_row(const std::vector<Symbol>& gamma) {
  const Expr a = gamma[0], b = gamma[1], c = gamma[2];
  Matrix B(3, 3);
  B(0, 0) = 1 - a * a / (1 + c);
  B(0, 1) = B(1, 0) = -a * b / (1 + c);
  B(1, 1) = 1 - b * b / (1 + c);
  B(0, 2) = -a;
  B(1, 2) = -b;
  B(2, 0) = a;
  B(2, 1) = b;
  B(2, 2) = c;
  return B;
}

/// Rows turned round until the last is row k: still a rotation.
Matrix rows_turned(const Matrix& B, int k) {
  Matrix out(3, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out((i + k + 1) % 3, j) = B(i, j);
  }
  return out;
}

struct RotationChart {
  Matrix B;
  std::vector<Symbol> open, direction;
  bool whole = true;
  int axis = -1;
};

class Slices {
 public:
  Slices(const System& system, const CorotatingMotion& corotating)
      : system_(system), corotating_(corotating) {}

  std::vector<OrbitSlice> result() {
    std::vector<OrbitSlice> slices{OrbitSlice{}};
    int first = 0;
    for (const Factor& factor : system_.space.factors()) {
      const bool turns = !factor.pieces.empty() && factor.pieces.front().carrier == Carrier::unit_quaternion;
      if (turns) slices = with_rotation(slices, factor, first);
      first += factor.dimension();
    }
    std::vector<OrbitSlice> all;
    for (const OrbitSlice& slice : slices) {
      for (OrbitSlice& fixed : with_fixed_coordinates(slice)) all.push_back(std::move(fixed));
    }
    return all;
  }

 private:
  bool matters(int leg) const {
    return std::find(corotating_.legs.begin(), corotating_.legs.end(), leg) != corotating_.legs.end();
  }

  /// The group along three legs.
  Matrix turning(int first) const {
    Matrix m(3, static_cast<int>(corotating_.group.size()));
    for (int i = 0; i < 3; ++i) {
      for (int a = 0; a < m.columns(); ++a)
        m(i, a) = corotating_.group[static_cast<std::size_t>(a)][first + i];
    }
    return m;
  }

  std::vector<OrbitSlice> with_rotation(const std::vector<OrbitSlice>& slices, const Factor& factor,
                                        int first) {
    const Matrix B = factor.rotation();
    std::vector<OrbitSlice> more;
    for (const OrbitSlice& slice : slices) {
      for (const RotationChart& chart : charts(B, first)) {
        OrbitSlice s = slice;
        for (std::size_t k = 0; k < 9; ++k) s.values.emplace(B.entries()[k].symbol(), chart.B.entries()[k]);
        s.open.insert(s.open.end(), chart.open.begin(), chart.open.end());
        if (!chart.direction.empty()) s.direction = chart.direction;
        s.whole = s.whole && chart.whole;
        if (chart.axis >= 0) s.along = first + chart.axis;
        more.push_back(std::move(s));
      }
    }
    return more;
  }

  std::vector<RotationChart> charts(const Matrix& B, int first) const {
    if (!matters(first)) return {{Matrix::identity(3), {}, {}}};
    const Matrix group = turning(first);
    const int orbits = group.columns() == 0 ? 0 : static_cast<int>(rank(group));
    if (orbits == 3) return {{Matrix::identity(3), {}, {}}};
    if (orbits == 2) return by_angle(B, group);
    if (orbits == 1) return by_direction(B);
    return {{Matrix::identity(3), {}, {}, false}};
  }

  /// One angle about a body axis across the orbits.
  std::vector<RotationChart> by_angle(const Matrix& B, const Matrix& group) const {
    const Symbol tilt = invented_symbol(system_, "tilt", {.role = Role::coordinate});
    int axis = 0;
    for (const Matrix& R : {rotation_x(tilt), rotation_y(tilt), rotation_z(tilt)}) {
      SymbolMap here;
      for (std::size_t k = 0; k < 9; ++k) here.emplace(B.entries()[k].symbol(), R.entries()[k]);
      if (rank(beside(substitute(group, here), unit_vector(axis))) == 3) return {{R, {tilt}, {}, true, axis}};
      ++axis;
    }
    return {{Matrix::identity(3), {}, {}, false}};
  }

  /// A row or a column that the group leaves alone.
  std::vector<RotationChart> by_direction(const Matrix& B) const {
    std::vector<Symbol> gamma;
    for (int k = 0; k < 3; ++k)
      gamma.push_back(Symbol::make("gamma" + std::to_string(k + 1),
                                   {.role = Role::direction, .order = k, .family = "gamma", .entry = k}));
    Matrix below = Matrix::identity(3);  // γ = −e₃
    below(1, 1) = below(2, 2) = -1;
    for (const bool row : {true, false}) {
      for (const int k : {2, 0, 1}) {
        bool still = true;
        for (int j = 0; j < 3 && still; ++j) still = is_invariant(row ? B(k, j) : B(j, k), corotating_.group);
        if (!still) continue;
        const Matrix chart = rows_turned(with_last_row(gamma), k), pole = rows_turned(below, k);
        return {{row ? chart : transpose(chart), gamma, gamma}, {row ? pole : transpose(pole), {}, {}}};
      }
    }
    return {{Matrix::identity(3), {}, {}, false}};
  }

  /// Does the group still move all of them independently there?
  static bool is_free_at(const SymbolMap& here, const Matrix& moves) {
    try {
      return here.empty() || rank(substitute(moves, here)) == moves.columns();
    } catch (const NoValue&) {  // a pole of the group's fields
      return false;
    }
  }

  /// Coordinates that the rest of the group moves independently, at 0 or, where that is no place for it, at 1 or a quarter
  /// turn, on either side; and what no orbit brings there.
  std::vector<OrbitSlice> with_fixed_coordinates(const OrbitSlice& slice) const {
    std::vector<Symbol> coordinates;
    std::vector<int> legs;
    for (const int i : corotating_.legs) {
      if (const auto q = system_.space.coordinate(i)) {
        coordinates.push_back(*q);
        legs.push_back(i);
      }
    }
    const Matrix moves = rest_of_group(slice, legs);
    const std::vector<int> chosen =
        moves.rows() == 0 || moves.columns() == 0 ? std::vector<int>() : independent_columns(moves);
    std::vector<OrbitSlice> all;
    for (const int side : {0, 1, -1}) {
      SymbolMap here;
      for (const int c : chosen) {
        const Symbol q = coordinates[static_cast<std::size_t>(c)];
        here.emplace(q, side * (is_angle(system_.space, q) ? pi() / 2 : Expr(1)));
      }
      if (!is_free_at(here, columns_of(moves, chosen))) continue;
      all.push_back(at_coordinates(slice, here, coordinates));
      if (side == 0 || side == -1) break;
    }
    const std::vector<Expr> never = chosen.empty() ? std::vector<Expr>() : unreached(moves, chosen);
    const bool somewhere = !all.empty();
    if (!somewhere) all.push_back(at_coordinates(slice, {}, coordinates));
    if (somewhere && !never.empty()) {
      for (OrbitSlice& s : with_unreached(slice, never, coordinates)) all.push_back(std::move(s));
    }
    return all;
  }

  /// The configurations that satisfy `never`: coordinates have the values that solve it, or it stays an equation.
  std::vector<OrbitSlice> with_unreached(const OrbitSlice& slice, const std::vector<Expr>& never,
                                         const std::vector<Symbol>& coordinates) const {
    const OrbitSlice whole = at_coordinates(slice, {}, coordinates);
    std::vector<Expr> lines;
    for (const Symbol q : coordinates) {
      if (!is_angle(system_.space, q)) lines.emplace_back(q);
    }
    const std::vector<Expr> equations = substitute(never, whole.values);
    const auto functions = symbols_of(equations);
    const bool polynomial = std::all_of(functions.begin(), functions.end(), [&](Symbol s) {
      const bool here = std::find(lines.begin(), lines.end(), Expr(s)) != lines.end();
      return here || s.role() == Role::parameter;
    });
    const EquationSolutions solved = polynomial ? equation_solutions(equations, lines) : EquationSolutions();
    const bool plain = polynomial && solved.complete &&
                       std::all_of(solved.components.begin(), solved.components.end(),
                                   [](const EquationSolution& s) { return s.radicands.empty(); });
    if (!plain) {
      OrbitSlice s = whole;
      s.also = never;
      return {s};
    }
    std::vector<OrbitSlice> all;
    for (const EquationSolution& component : solved.components) {
      OrbitSlice s = whole;
      for (const auto& [q, value] : component.values) {
        s.values.insert_or_assign(q.symbol(), value);
        s.pinned.push_back(q.symbol());
        std::erase(s.open, q.symbol());
      }
      all.push_back(std::move(s));
    }
    return all;
  }

  OrbitSlice at_coordinates(OrbitSlice slice, const SymbolMap& here,
                            const std::vector<Symbol>& coordinates) const {
    for (const auto& [q, at] : here) slice.values.insert_or_assign(q, at);
    for (const Symbol q : coordinates) (slice.values.contains(q) ? slice.fixed : slice.open).push_back(q);
    for (const Symbol f : system_.space.functions()) {
      const bool open = std::find(slice.open.begin(), slice.open.end(), f) != slice.open.end();
      if (!open && !slice.values.contains(f)) slice.values.emplace(f, Expr(0));
    }
    return slice;
  }

  /// Δ, η_a[Δ], η_b[η_a[Δ]] for the minor Δ of these coordinates: they vanish together on orbits within Δ = 0.        (O.13)
  /// Empty where they cannot.
  std::vector<Expr> unreached(const Matrix& moves, const std::vector<int>& chosen) const {
    const Matrix square = columns_of(moves, chosen);
    const Expr delta = short_form(determinant(rows_of(square, independent_columns(transpose(square)))));
    if (known_nonzero(delta)) return {};
    std::vector<Expr> all{delta}, last{delta};
    for (int order = 0; order < 2; ++order) {
      std::vector<Expr> next;
      for (const VectorField& eta : corotating_.group) {
        for (const Expr e : last) {
          const Expr slope = short_form(eta(e));
          if (slope.is_zero() || vanishes_at_random_points(slope)) continue;
          if (known_nonzero(slope)) return {};
          next.push_back(slope);
        }
      }
      all.insert(all.end(), next.begin(), next.end());
      last = std::move(next);
    }
    return all;
  }

  /// Combinations of generators that keep the rotations on the slice, along these legs: one in each row.
  Matrix rest_of_group(const OrbitSlice& slice, const std::vector<int>& legs) const {
    const int k = static_cast<int>(corotating_.group.size());
    Matrix turned(0, k), moved(static_cast<int>(legs.size()), k);
    for (const int i : corotating_.legs) {
      if (system_.space.coordinate(i) || i == slice.along) continue;
      Matrix row(1, k);
      for (int a = 0; a < k; ++a) row(0, a) = corotating_.group[static_cast<std::size_t>(a)][i];
      turned = above(turned, row);
    }
    for (int i = 0; i < moved.rows(); ++i) {
      for (int a = 0; a < k; ++a)
        moved(i, a) = corotating_.group[static_cast<std::size_t>(a)][legs[static_cast<std::size_t>(i)]];
    }
    if (k == 0 || moved.rows() == 0) return Matrix(0, moved.rows());
    turned = substitute(turned, slice.values);
    moved = substitute(moved, slice.values);
    if (turned.rows() == 0) return transpose(moved);
    return transpose(moved * kernel(turned).basis);
  }

  const System& system_;
  const CorotatingMotion& corotating_;
};

}  // namespace

std::vector<OrbitSlice> orbit_slices(const System& system, const CorotatingMotion& corotating) {
  return Slices(system, corotating).result();
}

}  // namespace rattleback

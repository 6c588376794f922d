#include <rattleback/motion/velocities/heading_axes.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

/// −y ∂_x + x ∂_y + Σ ∂_angle, by the legs of x and y; the first angle is the heading.
struct PlaneRotation {
  int x, y;
  std::vector<Symbol> angles;
};

int leg_of(const Space& space, Symbol q) {
  for (int i = 0; i < space.dimension(); ++i) {
    if (space.coordinate(i) == q) return i;
  }
  return -1;
}

bool depends_on(const Matrix& m, Symbol q) {
  return std::ranges::any_of(m.entries(), [&](Expr e) { return contains(e, q); });
}

/// The rotation that a generator of a symmetry is, if it is one.
std::optional<PlaneRotation> rotation_of(const Space& space, const VectorField& field) {
  PlaneRotation found{-1, -1, {}};
  for (int i = 0; i < space.dimension(); ++i) {
    const Expr rate = field[i];
    if (rate.is_zero()) continue;
    const auto q = space.coordinate(i);
    if (!q) return std::nullopt;
    if (rate.is_one()) {
      found.angles.push_back(*q);
      continue;
    }
    for (int j = 0; j < space.dimension(); ++j) {
      const auto other = space.coordinate(j);
      if (!other || j == i || !(rate + Expr(*other)).is_zero() || field[j] != Expr(*q)) continue;
      if (found.x >= 0) return std::nullopt;
      found.x = i;
      found.y = j;
    }
  }
  const auto is_covered = [&](int i) {
    return field[i].is_zero() || field[i].is_one() || i == found.x || i == found.y;
  };
  for (int i = 0; i < space.dimension(); ++i) {
    if (!is_covered(i)) return std::nullopt;
  }
  if (found.x < 0 || found.angles.empty()) return std::nullopt;
  return found;
}

/// Those that the model declares; then pairs of coordinates on which the rows do not depend, with each angle in them and with all.
std::vector<PlaneRotation> candidates(const System& system, const Matrix& A) {
  std::vector<PlaneRotation> all;
  for (const Symmetry& s : system.symmetries) {
    for (const Generator& g : s.generators) {
      if (auto rotation = rotation_of(system.space, g.field)) all.push_back(std::move(*rotation));
    }
  }
  std::vector<int> lines;
  std::vector<Symbol> angles;
  for (const Factor& factor : system.space.factors()) {
    if (factor.kind != Factor::Kind::line && factor.kind != Factor::Kind::circle) continue;
    const Symbol q = factor.pieces.front().functions.front();
    if (depends_on(A, q)) {
      angles.push_back(q);
    } else if (const int leg = leg_of(system.space, q);
               leg >= 0) {  // a changed frame need not have a leg along q
      lines.push_back(leg);
    }
  }
  constexpr std::size_t most_lines = search_limits::lines_turned.count,
                        most_angles = search_limits::angles_turned_by.count;
  if (lines.size() > most_lines || angles.size() > most_angles) return all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      for (const Symbol angle : angles) all.push_back({lines[i], lines[j], {angle}});
      if (angles.size() > 1) all.push_back({lines[i], lines[j], angles});
    }
  }
  return all;
}

SymbolMap heading_zero(const PlaneRotation& r) {
  SymbolMap map{{r.angles.front(), Expr(0)}};
  for (std::size_t k = 1; k < r.angles.size(); ++k)
    map.emplace(r.angles[k], Expr(r.angles[k]) - Expr(r.angles.front()));
  return map;
}

VelocityAxes turned_axes(const System& system, const PlaneRotation& r) {
  VelocityAxes axes = frame_axes(system.space);
  const Expr c = cos(Expr(r.angles.front())), s = sin(Expr(r.angles.front()));
  const Expr vx = system.space.velocities()[static_cast<std::size_t>(r.x)],
             vy = system.space.velocities()[static_cast<std::size_t>(r.y)];
  axes.turned = true;
  axes.T = Matrix::identity(system.space.dimension());
  axes.T(r.x, r.x) = axes.T(r.y, r.y) = c;
  axes.T(r.x, r.y) = -s;
  axes.T(r.y, r.x) = s;
  const auto named = [&](const char* name, int leg) {
    return invented_symbol(system, name, {.role = Role::velocity, .order = leg});
  };
  axes.velocities[static_cast<std::size_t>(r.x)] = named("v_ahead", r.x);
  axes.velocities[static_cast<std::size_t>(r.y)] = named("v_aside", r.y);
  axes.definitions[static_cast<std::size_t>(r.x)] = c * vx + s * vy;
  axes.definitions[static_cast<std::size_t>(r.y)] = c * vy - s * vx;
  return axes;
}

}  // namespace

Matrix HeadingAxes::rows(const Matrix& U) const {
  Matrix turned = U * axes.T;
  const Matrix there = substitute(U, at_heading_zero);  // T = 1 at heading 0
  for (int s = 0; s < U.rows(); ++s) {
    bool same = true;
    for (int i = 0; i < U.columns() && same; ++i)
      same = vanishes_at_random_points(turned(s, i) - there(s, i));
    for (int i = 0; i < U.columns() && same; ++i) turned(s, i) = there(s, i);
  }
  return turned;
}

std::vector<Expr> HeadingAxes::equations(const System& system, std::span<const Expr> in_v) const {
  SymbolMap renamed = at_heading_zero;
  for (std::size_t i = 0; i < axes.velocities.size(); ++i)
    renamed.emplace(system.space.velocities()[i], Expr(axes.velocities[i]));
  std::vector<Expr> there = substitute(in_v, renamed);
  const std::vector<Expr> turned = substitute(in_v, axes.substitution(system.space));
  for (std::size_t k = system.constraints.size(); k < there.size(); ++k) {
    if (!vanishes_at_random_points(there[k] - turned[k])) there[k] = turned[k];
  }
  return there;
}

std::optional<HeadingAxes> heading_axes(const System& system, const VelocityRows& constraints) {
  const Matrix &A = constraints.a, &b = constraints.b;
  for (const PlaneRotation& r : candidates(system, A)) {
    if (!depends_on(A, r.angles.front())) continue;
    HeadingAxes found{turned_axes(system, r), heading_zero(r), {}, {}};
    found.a = substitute(A, found.at_heading_zero);
    found.b = substitute(b, found.at_heading_zero);
    const Matrix here = beside(A * found.axes.T, b), there = beside(found.a, found.b);
    const int independent = rank(here);
    if (independent != A.rows() || rank(there) != independent || rank(above(here, there)) != independent)
      continue;
    return found;
  }
  return std::nullopt;
}

}  // namespace rattleback

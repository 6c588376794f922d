#include <rattleback/proof/steady/corotating_motion.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>
#include <rattleback/proof/momenta/free_groups.hpp>

namespace rattleback {
namespace {

bool vanish(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(),
                     [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
}

/// The legs of the factor to which leg i belongs: a body turns as a whole.
std::vector<int> legs_of_factor(const Space& space, int i) {
  int first = 0;
  for (const Factor& factor : space.factors()) {
    if (i < first + factor.dimension()) {
      std::vector<int> legs;
      for (int k = 0; k < factor.dimension(); ++k) legs.push_back(first + k);
      return legs;
    }
    first += factor.dimension();
  }
  return {i};
}

/// Directions along which the force changes, or the velocity in such directions does.
std::vector<int> legs_that_matter(const System& system, const ProjectedMotion& motion) {
  const Space& space = system.space;
  std::vector<Expr> rates(motion.force.entries().begin(), motion.force.entries().end());
  std::vector<bool> matters(static_cast<std::size_t>(space.dimension()));
  for (bool grows = true; grows;) {
    grows = false;
    for (int i = 0; i < space.dimension(); ++i) {
      if (matters[static_cast<std::size_t>(i)] || vanish(derivative_along(rates, space.leg(i)))) continue;
      grows = true;
      for (const int k : legs_of_factor(space, i)) {
        matters[static_cast<std::size_t>(k)] = true;
        rates.push_back(motion.velocities.psi[static_cast<std::size_t>(k)]);
      }
    }
  }
  std::vector<int> legs;
  for (int i = 0; i < space.dimension(); ++i) {
    if (matters[static_cast<std::size_t>(i)]) legs.push_back(i);
  }
  return legs;
}

Matrix rows_at(const std::vector<VectorField>& fields, const std::vector<int>& legs) {
  Matrix m(static_cast<int>(legs.size()), static_cast<int>(fields.size()));
  for (int i = 0; i < m.rows(); ++i) {
    for (int a = 0; a < m.columns(); ++a)
      m(i, a) = fields[static_cast<std::size_t>(a)][legs[static_cast<std::size_t>(i)]];
  }
  return m;
}

/// Generators that change the legs that matter or the speeds, and their effect on the speeds.
void add_group(const System& system, const SolvedVelocities& v, CorotatingMotion& m) {
  const int r = static_cast<int>(v.speeds.size());
  m.lift = Matrix(r, 0);
  if (v.definitions.size() != v.speeds.size()) return;
  const std::vector<FreeGroup> groups = free_groups(system);
  if (groups.empty() || groups.front().formal) return;
  const SymbolMap psi = v.substitution(system.space);
  for (const VectorField& eta : groups.front().fields) {
    Matrix effect(r, 1);
    for (int a = 0; a < r; ++a) {
      const Expr e = substitute(complete_lift(eta, v.definitions[static_cast<std::size_t>(a)]), psi);
      effect[a] = vanishes_at_random_points(e) ? Expr(0) : e;
    }
    if (vanish(effect.entries()) && vanish(rows_at({eta}, m.legs).entries())) continue;
    m.lift = beside(m.lift, effect);
    m.rates.push_back(
        invented_symbol(system, fmt::format("turn{}", m.group.size() + 1), {.role = Role::velocity}));
    m.group.push_back(eta);
  }
}

/// Legs of D's positions: variations that keep the position constraints, where these concern the legs alone.
Matrix admissible_variations(const System& system, const std::vector<int>& legs, const AtPoint& at) {
  std::vector<Expr> rows;
  int count = 0;
  for (const Constraint& c : system.constraints) {
    if (!c.position) continue;
    std::vector<Expr> slopes;
    for (int i = 0; i < system.space.dimension(); ++i)
      slopes.push_back(system.space.derivative(i, *c.position));
    slopes = at(slopes);
    std::vector<Expr> row;
    for (const int i : legs) row.push_back(std::exchange(slopes[static_cast<std::size_t>(i)], Expr(0)));
    if (!vanish(slopes) || vanish(row)) continue;
    rows.insert(rows.end(), row.begin(), row.end());
    ++count;
  }
  const int n = static_cast<int>(legs.size());
  if (count == 0) return Matrix::identity(n);
  Matrix a(count, n);
  std::copy(rows.begin(), rows.end(), a.entries().begin());
  return kernel(a).basis;
}

Matrix without_hidden_zeros(Matrix m) {
  for (Expr& e : m.entries()) {
    if (!e.is(Kind::constant) && vanishes_at_random_points(e)) e = Expr(0);
  }
  return m;
}

Matrix part(const Matrix& m, int first_row, int rows, int first_column, int columns) {
  Matrix out(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) out(i, j) = m(first_row + i, first_column + j);
  }
  return out;
}

}  // namespace

std::vector<Expr> CorotatingMotion::equations() const {
  std::vector<Expr> all = drift;
  all.insert(all.end(), force.begin(), force.end());
  return all;
}

CorotatingMotion corotating_motion(const System& system, const SolvedVelocities& v) {
  CorotatingMotion m{projected_motion(system, v), {}, {}, {}, {}, {}, {}};
  m.legs = legs_that_matter(system, m.motion);
  add_group(system, v, m);
  const int k = static_cast<int>(m.rates.size());
  Matrix omega(k, 1);
  for (int a = 0; a < k; ++a) omega[a] = m.rates[static_cast<std::size_t>(a)];
  const Matrix along_group = rows_at(m.group, m.legs) * omega;
  for (std::size_t i = 0; i < m.legs.size(); ++i)
    m.drift.push_back(v.psi[static_cast<std::size_t>(m.legs[i])] -
                      (k > 0 ? along_group[static_cast<int>(i)] : Expr(0)));
  const Matrix lifted =
      k > 0 ? m.motion.metric * (m.lift * omega) : Matrix(static_cast<int>(v.speeds.size()), 1);
  for (int a = 0; a < m.motion.force.rows(); ++a) m.force.push_back(m.motion.force[a] - lifted[a]);
  return m;
}

Linearisation corotating_linearisation(const System& system, const SolvedVelocities& v,
                                       const CorotatingMotion& corotating, const AtPoint& at) {
  const int n = static_cast<int>(corotating.legs.size()), r = static_cast<int>(v.speeds.size());
  const auto here = [&](Matrix m) {
    const std::vector<Expr> values = at({m.entries().begin(), m.entries().end()});
    std::copy(values.begin(), values.end(), m.entries().begin());
    return without_hidden_zeros(std::move(m));
  };
  const Matrix orbit = here(rows_at(corotating.group, corotating.legs)),
               kept = admissible_variations(system, corotating.legs, at);
  const std::vector<int> independent = independent_columns(beside(orbit, kept));
  std::vector<int> turning, across;
  for (const int c : independent)
    (c < orbit.columns() ? turning : across).push_back(c < orbit.columns() ? c : c - orbit.columns());
  const Matrix T = columns_of(kept, across), basis = beside(columns_of(orbit, turning), T);
  const int k = static_cast<int>(turning.size()), t = T.columns();

  // Slopes of (V − ωη, b − G ω η^C z) along the legs, then along the speeds.
  const std::vector<Expr> functions = corotating.equations();
  Matrix along(n + r, n), speeds(n + r, r);
  for (int j = 0; j < n; ++j) {
    const auto d =
        derivative_along(functions, system.space.leg(corotating.legs[static_cast<std::size_t>(j)]));
    for (int i = 0; i < n + r; ++i) along(i, j) = d[static_cast<std::size_t>(i)];
  }
  for (int j = 0; j < r; ++j) {
    for (int i = 0; i < n + r; ++i)
      speeds(i, j) =
          derivative(functions[static_cast<std::size_t>(i)], v.speeds[static_cast<std::size_t>(j)]);
  }
  const Matrix slopes = beside(here(along) * T, here(speeds));
  Matrix split(k + t, t + r);
  if (n > 0) {
    const auto solved = solve(basis, part(slopes, 0, n, 0, t + r));
    if (!solved)
      throw Inapplicable("not-steady", "the directions that matter do not keep together", "",
                         "choose another state");
    split = solved->x;
  }
  Linearisation small;
  small.speeds = v.speeds;
  for (const int i : corotating.legs) {
    if (const auto q = system.space.coordinate(i)) small.configuration.push_back(*q);
  }
  small.M = here(corotating.motion.metric);
  Matrix forces = -part(slopes, n, r, 0, t + r);
  if (k > 0)
    forces = forces + small.M * columns_of(here(corotating.lift), turning) * part(split, 0, k, 0, t + r);
  forces = without_hidden_zeros(std::move(forces));
  split = without_hidden_zeros(std::move(split));
  small.N = part(split, k, t, 0, t);
  small.J = part(split, k, t, t, r);
  small.K = part(forces, 0, r, 0, t);
  small.C = part(forces, 0, r, t, r);
  return small;
}

}  // namespace rattleback

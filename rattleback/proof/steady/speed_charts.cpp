#include <rattleback/proof/steady/speed_charts.hpp>

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/steady/equation_solutions.hpp>

namespace rattleback {

std::vector<SpeedChart> speed_charts(const System& system) try {
  constexpr std::size_t most = search_limits::speed_charts.count;
  if (system.parametrization) return {};
  const Matrix A = independent_constraints(system).a;
  const auto velocities = system.space.velocities();
  const auto choices = subsets(A.columns(), A.rows());
  if (choices.size() > most) return {};
  std::vector<SpeedChart> charts;
  for (const std::vector<int>& determined : choices) {
    if (rank(columns_of(A, determined)) < A.rows()) continue;
    System chart = system;
    chart.velocities.clear();
    for (int i = 0; i < A.columns(); ++i) {
      if (std::find(determined.begin(), determined.end(), i) != determined.end()) continue;
      const Symbol v = velocities[static_cast<std::size_t>(i)];
      chart.velocities.push_back({v, Expr(v), system.lagrangian_place});
    }
    charts.push_back({std::move(chart), determinant(columns_of(A, determined))});
  }
  return charts;
} catch (const OutOfDomain&) {
  return {};  // not linear
}

namespace {

/// Velocities of coordinates, then B Ω for every rotation.
std::vector<QuasiVelocity> spatial_velocities(const System& system) {
  std::vector<QuasiVelocity> lines, turning;
  const auto velocities = system.space.velocities();
  std::size_t first = 0;
  for (const Factor& factor : system.space.factors()) {
    const bool rotates = !factor.pieces.empty() && factor.pieces.front().carrier == Carrier::unit_quaternion;
    const auto own = std::span(velocities).subspan(first, factor.dimension());
    for (int i = 0; i < factor.dimension(); ++i) {
      const Symbol v = own[i];
      if (!rotates || i >= 3) {
        lines.push_back({v, Expr(v), system.lagrangian_place});
        continue;
      }
      std::vector<Expr> terms;
      for (int j = 0; j < 3; ++j) terms.push_back(factor.rotation()(i, j) * Expr(own[j]));
      const Symbol omega = invented_symbol(system, fmt::format("omega{}", i + 1), {.role = Role::velocity});
      turning.push_back({omega, sum(terms), system.lagrangian_place});
    }
    first += own.size();
  }
  if (turning.empty()) return {};
  lines.insert(lines.end(), turning.begin(), turning.end());
  return lines;
}

}  // namespace

std::optional<System> with_spatial_speeds(const System& system) try {
  if (!system.velocities.empty() || system.parametrization) return std::nullopt;
  const Matrix A = independent_constraints(system).a;
  const auto velocities = system.space.velocities();
  Matrix rows = A;
  System chart = system;
  for (const QuasiVelocity& z : spatial_velocities(system)) {
    if (rows.rows() == A.columns()) break;
    const Matrix more = above(rows, jacobian(std::vector{z.expression}, velocities));
    if (rank(more) < more.rows()) continue;
    rows = more;
    chart.velocities.push_back(z);
  }
  if (rows.rows() < A.columns() || chart.velocities.empty()) return std::nullopt;
  return chart;
} catch (const OutOfDomain&) {
  return std::nullopt;  // not linear
}

namespace {

/// What the entries are divided by and may vanish. Nothing when the configuration decides, and not the speeds alone.
std::optional<std::vector<Expr>> divisors(const Matrix& frame, const SolvedVelocities& v) {
  std::vector<Expr> found;
  for (const Expr e : frame.entries()) {
    for (const Expr base : factors(short_form(e)).below) {
      if (is_constant(base) || known_sign(base) == KnownSign::positive) continue;
      for (const Symbol s : symbols_of(base)) {
        const bool speed = std::find(v.speeds.begin(), v.speeds.end(), s) != v.speeds.end();
        if (!speed && s.role() != Role::parameter) return std::nullopt;
      }
      if (std::find(found.begin(), found.end(), base) == found.end()) found.push_back(base);
    }
  }
  return found;
}

/// rank ∂C/∂v at the states of a component is not what it is elsewhere.
bool drops_on(const EquationSolution& component, const Matrix& slopes) {
  Matrix there = slopes;
  for (Expr& e : there.entries()) e = component.at(e);
  return rank(there) < rank(slopes);
}

}  // namespace

bool degenerate_with_constraints(const System& system, const SolvedVelocities& v) try {
  const Matrix frame = jacobian(v.psi, v.speeds);
  const auto below = divisors(frame, v);
  if (!below || drops_somewhere(frame, position_relations(system))) return false;
  const Matrix slopes = substitute(jacobian(constraint_functions(system), system.space.velocities()),
                                   v.substitution(system.space));
  const std::vector<Expr> unknowns(v.speeds.begin(), v.speeds.end());
  return std::all_of(below->begin(), below->end(), [&](Expr divisor) {
    const EquationSolutions zeros = equation_solutions({divisor}, unknowns);
    return zeros.complete && std::all_of(zeros.components.begin(), zeros.components.end(),
                                         [&](const EquationSolution& c) { return drops_on(c, slopes); });
  });
} catch (const OutOfDomain&) {
  return false;
}

}  // namespace rattleback

#include <rattleback/proof/evidence/momentum_count.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/prolongation.hpp>

namespace rattleback {
namespace {

bool all_vanish(const Matrix& m) {
  return std::ranges::all_of(m.entries(), [](Expr e) { return vanishes_at_random_points(e); });
}

/// (N.17) in a chart. Unknown are ξ^1, …, ξ^n, and h where something turns or brakes the velocities.
class MomentumEquations {
 public:
  MomentumEquations(const System& system, const Chart& chart, const Matrix& g, const LinearForces& forces)
      : unknowns(chart.size()), chart_(chart) {
    const auto v = system.space.velocities();
    SymbolMap rest;
    for (const Symbol s : v) rest.emplace(s, Expr(0));
    const Matrix& T = chart.tangent;
    const Matrix A = transpose(T) * Matrix::column(substitute(gradient(system.lagrangian, v), rest));
    const Matrix D = directions_in(chart, system);
    const Matrix turning = (two_form(A) + transpose(T) * (forces.slopes * T)) * D;
    if (!all_vanish(turning)) unknowns = chart.size() + 1;
    add_tangency(D);
    add_metric(g, D);
    add_potential(substitute(system.lagrangian, rest), transpose(T) * forces.constant);
    if (unknowns > chart.size()) add_turning(turning, D);
    metric_on_D = transpose(D) * (g * D);
  }

  std::vector<FieldEquation> list;
  std::size_t unknowns;
  Matrix metric_on_D;

 private:
  int n() const { return static_cast<int>(chart_.size()); }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  FieldEquation blank() const {
    return {std::vector<Expr>(unknowns), std::vector<Expr>(unknowns * chart_.size())};
  }

  /// dA(∂_i, ∂_k).
  Matrix two_form(const Matrix& A) const {
    Matrix B(n(), n());
    for (int i = 0; i < n(); ++i) {
      for (int k = 0; k < n(); ++k) B(i, k) = chart_.slope(A[k], at(i)) - chart_.slope(A[i], at(k));
    }
    return B;
  }

  void add_tangency(const Matrix& D) {
    const Matrix rows = transpose(left_kernel(D).basis);
    for (int s = 0; s < rows.rows(); ++s) {
      FieldEquation e = blank();
      for (int i = 0; i < n(); ++i) e.a[at(i)] = rows(s, i);
      keep(list, std::move(e));
    }
  }

  /// (g_jk,i ξ^i + g_ik ∂_j ξ^i + g_ji ∂_k ξ^i) w^j u^k = 0 for columns w, u of D.
  void add_metric(const Matrix& g, const Matrix& D) {
    for (int w = 0; w < D.columns(); ++w) {
      for (int u = w; u < D.columns(); ++u) {
        const Matrix lowered_w = g * D.column(w), lowered_u = g * D.column(u);
        FieldEquation e = blank();
        for (int i = 0; i < n(); ++i) {
          for (int j = 0; j < n(); ++j) {
            for (int k = 0; k < n(); ++k) e.a[at(i)] += D(j, w) * D(k, u) * chart_.slope(g(j, k), at(i));
            e.b[at(i) * chart_.size() + at(j)] = D(j, w) * lowered_u[i] + D(j, u) * lowered_w[i];
          }
        }
        keep(list, std::move(e));
      }
    }
  }

  void add_potential(Expr minus_V, const Matrix& F) {
    FieldEquation e = blank();
    for (int i = 0; i < n(); ++i) e.a[at(i)] = chart_.slope(minus_V, at(i)) + F[i];
    keep(list, std::move(e));
  }

  void add_turning(const Matrix& turning, const Matrix& D) {
    for (int w = 0; w < D.columns(); ++w) {
      FieldEquation e = blank();
      for (int i = 0; i < n(); ++i) {
        e.a[at(i)] = turning(i, w);
        e.b[chart_.size() * chart_.size() + at(i)] = -D(i, w);
      }
      keep(list, std::move(e));
    }
  }

  const Chart& chart_;
};

/// Of one function of n variables.
std::size_t derivatives_up_to(int order, std::size_t n) {
  std::size_t count = 1;
  for (std::size_t k = 1; k <= n; ++k) count = count * (static_cast<std::size_t>(order) + k) / k;
  return count;
}

bool is_linear_without_drift(const System& system) {
  return (system.constraints.empty() && !system.parametrization) ||
         all_vanish(admissible_velocities(system).drift);
}

Dependence dependence_of(const MomentumEquations& equations, const Chart& chart, int order) {
  try {
    const Budget budget(work_limits::one_locus);
    return dependence_of_no_room(
        no_room_unless(equations.list, chart, equations.unknowns, chart.size(), order),
        equations.metric_on_D);
  } catch (const Exhausted&) {
    Budget::check();
  }
  return {};
}

}  // namespace

std::optional<Dependence> no_momenta(const System& system) {
  constexpr auto largest = static_cast<int>(search_limits::prolonged_symmetries.count);
  if (contains_time(system) || system.space.dimension() > largest) return std::nullopt;
  const OnPositions here(system);
  try {
    const Budget budget(work_limits::symmetry_count);
    const auto chart = has_parts(system) ? std::nullopt : chart_of_configurations(system);
    const auto metric = chart ? metric_in(*chart, system) : std::nullopt;
    const auto forces = linear_forces(system);
    if (!metric || !forces || !is_linear_without_drift(system)) return std::nullopt;
    const MomentumEquations equations(system, *chart, *metric, *forces);
    if (rank(equations.metric_on_D) < equations.metric_on_D.rows()) return std::nullopt;
    constexpr std::size_t most_columns = search_limits::columns_of_a_momentum_count.count;
    constexpr auto last = static_cast<int>(search_limits::prolongations.count);
    for (int order = 2; order <= last; ++order) {
      if (derivatives_up_to(order, chart->size()) * equations.unknowns > most_columns) break;
      const auto room = room_left(equations.list, *chart, equations.unknowns, chart->size(), order);
      if (!room) return std::nullopt;
      if (room->values == 0) return dependence_of(equations, *chart, order);
    }
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;  // constraints that are not linear
  }
  return std::nullopt;
}

}  // namespace rattleback

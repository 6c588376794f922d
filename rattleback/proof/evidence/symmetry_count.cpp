#include <rattleback/proof/evidence/symmetry_count.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/prolongation.hpp>

namespace rattleback {
namespace {

class Equations {
 public:
  /// Of symmetries of L; with forces of what keeps the equations of motion as they are.
  Equations(const System& system, Chart chart, Matrix metric, const LinearForces* forces)
      : g(std::move(metric)), chart_(std::move(chart)) {
    const auto v = system.space.velocities();
    SymbolMap rest;
    for (const Symbol s : v) rest.emplace(s, Expr(0));
    const Matrix& T = chart_.tangent;
    const Matrix A = transpose(T) * Matrix::column(substitute(gradient(system.lagrangian, v), rest));
    const Matrix D = directions_in(chart_, system);
    const Expr minus_V = substitute(system.lagrangian, rest);
    add_metric();
    add_constraints(D);
    const Matrix turning = two_form(A);
    if (forces == nullptr) {
      add_function(minus_V);
      add_bilinear_form(turning, D, Matrix::identity(static_cast<int>(n())));
      return;
    }
    const Matrix F = transpose(T) * forces->constant;
    std::vector<Expr> at_rest;
    for (std::size_t i = 0; i < n(); ++i) at_rest.push_back(F[static_cast<int>(i)] + slope(minus_V, i));
    for (int a = 0; a < D.columns(); ++a) {
      const Matrix w = D.column(a);
      add_form(at_rest, {w.entries().begin(), w.entries().end()});
    }
    add_bilinear_form(turning + transpose(T) * (forces->slopes * T), D, D);
  }

  std::vector<FieldEquation> list;
  Matrix g;

 private:
  std::size_t n() const { return chart_.q.size(); }
  Expr slope(Expr f, std::size_t i) const { return chart_.slope(f, i); }

  FieldEquation blank() const { return {std::vector<Expr>(n()), std::vector<Expr>(n() * n())}; }
  void keep(FieldEquation e) { rattleback::keep(list, std::move(e)); }

  /// g_jk,i ξ^i + g_ik ∂_j ξ^i + g_ji ∂_k ξ^i = 0.
  void add_metric() {
    for (std::size_t j = 0; j < n(); ++j) {
      for (std::size_t k = j; k < n(); ++k) {
        FieldEquation e = blank();
        for (std::size_t i = 0; i < n(); ++i) {
          const auto [I, J, K] = std::tuple(static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
          e.a[i] = slope(g(J, K), i);
          e.b[i * n() + j] += g(I, K);
          e.b[i * n() + k] += g(J, I);
        }
        keep(std::move(e));
      }
    }
  }

  /// (L_ξ α)_k w^k = (α_k,i ξ^i + α_i ∂_k ξ^i) w^k = 0 for the vector w; for every unit vector when none is given.
  void add_form(const std::vector<Expr>& alpha, const std::vector<Expr>& w) {
    for (std::size_t only = 0; only < (w.empty() ? n() : 1); ++only) {
      FieldEquation e = blank();
      for (std::size_t k = 0; k < n(); ++k) {
        const Expr weight = w.empty() ? Expr(k == only ? 1 : 0) : w[k];
        if (weight.is_zero()) continue;
        for (std::size_t i = 0; i < n(); ++i) {
          e.a[i] += weight * slope(alpha[k], i);
          e.b[i * n() + k] += weight * alpha[i];
        }
      }
      keep(std::move(e));
    }
  }

  /// B_jk = A_k,j − A_j,k.
  Matrix two_form(const Matrix& A) const {
    const int count = static_cast<int>(n());
    Matrix B(count, count);
    for (int j = 0; j < count; ++j) {
      for (int k = 0; k < count; ++k) {
        const Expr b = slope(A[k], static_cast<std::size_t>(j)) - slope(A[j], static_cast<std::size_t>(k));
        if (j != k && !vanishes_at_random_points(b)) B(j, k) = b;
      }
    }
    return B;
  }

  /// (B_jk,i ξ^i + B_ik ∂_j ξ^i + B_ji ∂_k ξ^i) u^j w^k = 0 for columns w of D and u of U.
  void add_bilinear_form(const Matrix& B, const Matrix& D, const Matrix& U) {
    if (std::ranges::all_of(B.entries(), [](Expr e) { return e.is_zero(); })) return;
    const int count = static_cast<int>(n());
    for (int w = 0; w < D.columns(); ++w) {
      for (int u = 0; u < U.columns(); ++u) {
        FieldEquation e = blank();
        for (int j = 0; j < count; ++j) {
          for (int k = 0; k < count; ++k) {
            const Expr weight = U(j, u) * D(k, w);
            if (weight.is_zero()) continue;
            for (int i = 0; i < count; ++i) {
              const auto [I, J, K] = std::tuple(static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                                                static_cast<std::size_t>(k));
              e.a[I] += weight * slope(B(j, k), I);
              e.b[I * n() + J] += weight * B(i, k);
              e.b[I * n() + K] += weight * B(j, i);
            }
          }
        }
        keep(std::move(e));
      }
    }
  }

  void add_function(Expr f) {
    FieldEquation e = blank();
    for (std::size_t i = 0; i < n(); ++i) e.a[i] = slope(f, i);
    keep(std::move(e));
  }

  void add_constraints(const Matrix& D) {
    const Matrix rows = transpose(left_kernel(D).basis);
    for (int s = 0; s < rows.rows(); ++s) {
      std::vector<Expr> alpha;
      for (int i = 0; i < rows.columns(); ++i) alpha.push_back(rows(s, i));
      for (int a = 0; a < D.columns(); ++a) {
        const Matrix w = D.column(a);
        add_form(alpha, {w.entries().begin(), w.entries().end()});
      }
    }
  }

  Chart chart_;
};

}  // namespace

namespace {

/// Up to the derivatives that are bearable.
int order_for(std::size_t n) {
  constexpr std::size_t small = search_limits::four_prolongations.count;
  return n <= small ? 4 : 3;
}

}  // namespace

std::optional<int> room_for_symmetries(const System& system, Keeps what) {
  constexpr auto largest = static_cast<int>(search_limits::prolonged_symmetries.count);
  if (contains_time(system) || system.space.dimension() > largest) return std::nullopt;
  const OnPositions here(system);
  try {
    const Budget budget(work_limits::symmetry_count);
    const auto chart = chart_of_configurations(system);
    const auto metric = chart ? metric_in(*chart, system) : std::nullopt;
    const auto forces = what == Keeps::motion ? linear_forces(system) : std::nullopt;
    if (!metric || (what == Keeps::motion && !forces)) return std::nullopt;
    const Equations equations(system, *chart, *metric, forces ? &*forces : nullptr);
    const std::size_t n = chart->size();
    const auto room = room_left(equations.list, *chart, n, n, order_for(n));
    if (!room) return std::nullopt;
    return room->jets;
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;  // constraints that are not linear
  }
  return std::nullopt;
}

std::optional<int> most_symmetries(const System& system) {
  if (has_parts(system)) return std::nullopt;
  const auto of_lagrangian = room_for_symmetries(system, Keeps::lagrangian);
  const bool is_forced = std::ranges::any_of(system.forces, [](Expr e) { return !e.is_zero(); });
  if (!of_lagrangian || *of_lagrangian == 0 || !is_forced) return of_lagrangian;
  const auto of_motion =
      room_for_symmetries(system, Keeps::motion);  // what keeps L and the forces keeps that
  return of_motion ? std::min(*of_lagrangian, *of_motion) : of_lagrangian;
}

Dependence dependence_of_no_symmetry(const System& system) {
  try {
    const Budget budget(work_limits::one_locus);
    const auto chart = chart_of_configurations(system);
    const auto metric = chart ? metric_in(*chart, system) : std::nullopt;
    if (!metric) return {};
    const std::size_t n = chart->size();
    const auto by = [&](const LinearForces* forces) {
      const Equations equations(system, *chart, *metric, forces);
      for (int order = 1; order <= order_for(n); ++order) {
        if (const auto unless = no_room_unless(equations.list, *chart, n, n, order))
          return dependence_of_no_room(unless, *metric);
      }
      return Dependence();
    };
    const Dependence of_lagrangian = by(nullptr);
    const auto forces = linear_forces(system);  // symmetries keep these, too
    return of_lagrangian.exhaustive || !forces ? of_lagrangian : by(&*forces);
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return {};  // constraints that are not linear
  }
  return {};
}

}  // namespace rattleback

#include <rattleback/proof/evidence/symmetry_count.hpp>

#include <algorithm>
#include <map>
#include <numeric>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/positions.hpp>
#include <rattleback/motion/admissible.hpp>
#include <rattleback/motion/time_dependence.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
namespace {

/// Σ a_i ξ^i + Σ b_ij ∂_j ξ^i = 0, b stored as b[i·n + j].
struct FieldEquation {
  std::vector<Expr> a, b;
  bool has_slopes = false;
};

/// The coordinates, where every leg is ∂/∂q of one.
std::optional<std::vector<Symbol>> coordinates(const Space& space) {
  std::vector<Symbol> q;
  for (int i = 0; i < space.dimension(); ++i) {
    const auto s = space.coordinate(i);
    if (!s || space.leg(i).size() != 1 || space.leg(i).begin()->second != Expr(1)) return std::nullopt;
    q.push_back(*s);
  }
  return q;
}

/// Coordinates of Q, or of N = {φ = 0}: then q are free ones, the dependent y are functions of them, and
///     D_i f = ∂f/∂q^i + Y^a_i ∂f/∂y^a,   Y = −(∂φ/∂y)⁻¹ ∂φ/∂q.
struct Chart {
  std::vector<Symbol> q, dependent;
  Matrix Y;        ///< a row for each dependent coordinate
  Matrix tangent;  ///< T: velocities of all coordinates of Q out of those of q

  Expr slope(Expr f, std::size_t i) const {
    Expr total = derivative(f, q[i]);
    for (std::size_t a = 0; a < dependent.size(); ++a) {
      if (contains(f, dependent[a]))
        total += Y(static_cast<int>(a), static_cast<int>(i)) * derivative(f, dependent[a]);
    }
    return total;
  }
};

Chart chart_of_space(std::vector<Symbol> q) {
  const int n = static_cast<int>(q.size());
  return {std::move(q), {}, {}, Matrix::identity(n)};
}

/// Is one of the relations a product? Then N has parts, and one of them may have symmetries of its own.
bool has_parts(std::span<const Expr> relations) {
  return std::any_of(relations.begin(), relations.end(), [](Expr e) {
    const std::vector<Expr> above = factors(short_form(e)).above;
    return std::count_if(above.begin(), above.end(), [](Expr f) { return !is_constant(f); }) > 1;
  });
}

/// On N, while an OnPositions lives.
std::optional<Chart> chart_of_positions(const std::vector<Symbol>& q, const std::vector<Expr>& relations) {
  const Matrix slopes = jacobian(relations, q);
  const std::vector<int> rows = independent_rows(slopes);
  const Matrix phi = rows_of(slopes, rows);
  const std::vector<int> dependent = independent_rows(transpose(phi));
  std::vector<int> free;
  for (int i = 0; i < static_cast<int>(q.size()); ++i) {
    if (std::find(dependent.begin(), dependent.end(), i) == dependent.end()) free.push_back(i);
  }
  if (free.empty()) return std::nullopt;
  const Matrix columns = transpose(phi);
  const Matrix y = transpose(rows_of(columns, dependent)), x = transpose(rows_of(columns, free));
  Chart chart;
  chart.Y = Expr(-1) * (inverse(y).x * x);
  chart.tangent = Matrix(static_cast<int>(q.size()), static_cast<int>(free.size()));
  for (std::size_t k = 0; k < free.size(); ++k) {
    chart.q.push_back(q[static_cast<std::size_t>(free[k])]);
    chart.tangent(free[k], static_cast<int>(k)) = Expr(1);
  }
  for (std::size_t a = 0; a < dependent.size(); ++a) {
    chart.dependent.push_back(q[static_cast<std::size_t>(dependent[a])]);
    for (int k = 0; k < chart.Y.columns(); ++k)
      chart.tangent(dependent[a], k) = chart.Y(static_cast<int>(a), k);
  }
  return chart;
}

class Equations {
 public:
  Equations(const System& system, Chart chart) : chart_(std::move(chart)) {
    const auto v = system.space.velocities();
    SymbolMap rest;
    for (const Symbol s : v) rest.emplace(s, Expr(0));
    const std::vector<Expr> p = gradient(system.lagrangian, v);
    const Matrix& T = chart_.tangent;
    g = transpose(T) * (jacobian(p, v) * T);
    add_metric();
    add_function(substitute(system.lagrangian, rest));
    const Matrix A = transpose(T) * Matrix::column(substitute(p, rest));
    const Matrix D = directions(system);
    add_constraints(D);
    add_two_form({A.entries().begin(), A.entries().end()}, D);
  }

  std::vector<FieldEquation> list;
  Matrix g;

 private:
  std::size_t n() const { return chart_.q.size(); }
  Expr slope(Expr f, std::size_t i) const { return chart_.slope(f, i); }

  /// Columns that span D, in the velocities of the chart.
  Matrix directions(const System& system) const {
    if (system.constraints.empty() && !system.parametrization) return Matrix::identity(static_cast<int>(n()));
    const Matrix psi = admissible_velocities(system).psi;
    std::vector<int> kept;
    for (const Symbol q : chart_.q) {
      for (int i = 0; i < system.space.dimension(); ++i) {
        if (system.space.coordinate(i) == q) kept.push_back(i);
      }
    }
    return rows_of(psi, kept);
  }

  FieldEquation blank() const { return {std::vector<Expr>(n()), std::vector<Expr>(n() * n())}; }
  void keep(FieldEquation e) {
    const auto is_zero = [](Expr x) { return x.is_zero(); };
    e.has_slopes = !std::all_of(e.b.begin(), e.b.end(), is_zero);
    if (e.has_slopes || !std::all_of(e.a.begin(), e.a.end(), is_zero)) list.push_back(std::move(e));
  }

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

  /// (B_jk,i ξ^i + B_ik ∂_j ξ^i + B_ji ∂_k ξ^i) w^k = 0 with B_jk = A_k,j − A_j,k, for columns w that span D.
  void add_two_form(const std::vector<Expr>& A, const Matrix& D) {
    const int n_int = static_cast<int>(n());
    Matrix B(n_int, n_int);
    bool closed = true;
    for (int j = 0; j < n_int; ++j) {
      for (int k = 0; k < n_int; ++k) {
        const auto [J, K] = std::pair(static_cast<std::size_t>(j), static_cast<std::size_t>(k));
        const Expr b = slope(A[K], J) - slope(A[J], K);
        if (j == k || vanishes_at_random_points(b)) continue;
        B(j, k) = b;
        closed = false;
      }
    }
    if (closed) return;
    for (int w = 0; w < D.columns(); ++w) {
      for (int j = 0; j < n_int; ++j) {
        FieldEquation e = blank();
        for (int k = 0; k < n_int; ++k) {
          if (D(k, w).is_zero()) continue;
          for (int i = 0; i < n_int; ++i) {
            const auto [I, J, K] = std::tuple(static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                                              static_cast<std::size_t>(k));
            e.a[I] += D(k, w) * slope(B(j, k), I);
            e.b[I * n() + J] += D(k, w) * B(i, k);
            e.b[I * n() + K] += D(k, w) * B(j, i);
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

/// Multi-indices of n variables up to an order, lowest order first.
using MultiIndex = std::vector<int>;
std::vector<MultiIndex> multi_indices(std::size_t n, int order) {
  std::vector<MultiIndex> all{MultiIndex(n, 0)};
  for (std::size_t at = 0, d = 0; d < static_cast<std::size_t>(order); ++d) {
    const std::size_t end = all.size();
    for (; at < end; ++at) {
      std::size_t last = 0;  // only variables from the last one on, so that each index comes once
      for (std::size_t i = 0; i < n; ++i) last = all[at][i] > 0 ? i : last;
      for (std::size_t i = last; i < n; ++i) {
        MultiIndex next = all[at];
        ++next[i];
        all.push_back(std::move(next));
      }
    }
  }
  return all;
}

int order_of(const MultiIndex& a) { return std::accumulate(a.begin(), a.end(), 0); }

/// Π_i (β_i choose γ_i); 0 unless γ ≤ β.
long binomial(const MultiIndex& beta, const MultiIndex& gamma) {
  long product_of = 1;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    if (gamma[i] > beta[i]) return 0;
    for (int k = 0; k < gamma[i]; ++k) product_of = product_of * (beta[i] - k) / (k + 1);
  }
  return product_of;
}

/// All derivatives ∂^α f of a list of functions, as outputs of one program at one point.
class Derivatives {
 public:
  Derivatives(const std::vector<FieldEquation>& equations, const Chart& q,
              const std::vector<MultiIndex>& indices)
      : indices_(indices) {
    for (std::size_t k = 0; k < indices.size(); ++k) place_.emplace(indices[k], k);
    for (const FieldEquation& e : equations) {
      for (const auto* part : {&e.a, &e.b}) {
        for (const Expr f : *part) add(f, q);
      }
    }
    roots_.emplace_back(1);
  }
  const std::vector<Expr>& roots() const { return roots_; }
  bool zero(Expr f) const { return first_.at(f) == none; }
  std::size_t output(Expr f, const MultiIndex& alpha) const { return first_.at(f) + place_.at(alpha); }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  void add(Expr f, const Chart& q) {
    if (first_.contains(f)) return;
    first_[f] = f.is_zero() ? none : roots_.size();
    if (f.is_zero()) return;
    const std::size_t start = roots_.size();
    for (const MultiIndex& alpha : indices_) {
      Budget::check();
      const auto step = std::find_if(alpha.begin(), alpha.end(), [](int k) { return k > 0; });
      if (step == alpha.end()) {
        roots_.push_back(f);
        continue;
      }
      MultiIndex before = alpha;
      const auto i = static_cast<std::size_t>(step - alpha.begin());
      --before[i];
      roots_.push_back(q.slope(roots_[start + place_.at(before)], i));
    }
  }

  const std::vector<MultiIndex>& indices_;
  std::map<MultiIndex, std::size_t> place_;
  std::unordered_map<Expr, std::size_t> first_;
  std::vector<Expr> roots_;
};

/// On N a value that is not zero may belong to another part of it, so that no point there counts as faithful: several are taken.
bool is_faithful_off_positions(const std::vector<Expr>& roots) {
  const InAmbientSpace everywhere;
  return ModularProgram(roots).is_faithful();
}

/// The dimension of what the equations and their derivatives leave of the derivatives of ξ up to `order`.
std::optional<int> room_left(const std::vector<FieldEquation>& equations, const Chart& q, int order,
                             std::uint64_t seed) {
  const std::size_t n = q.q.size();
  const std::vector<MultiIndex> jets = multi_indices(n, order), inner = multi_indices(n, order);
  std::map<MultiIndex, std::size_t> place;
  for (std::size_t k = 0; k < jets.size(); ++k) place.emplace(jets[k], k);
  const Derivatives slopes(equations, q, inner);
  const ModularProgram program(slopes.roots());
  if (!is_faithful_off_positions(slopes.roots())) return std::nullopt;
  const auto run = program.run_near(seed);
  if (!run) return std::nullopt;
  const auto unknown = [&](std::size_t i, const MultiIndex& alpha) {
    return i * jets.size() + place.at(alpha);
  };
  std::vector<std::vector<ModP>> rows;
  for (const FieldEquation& e : equations) {
    for (const MultiIndex& beta : inner) {
      if (order_of(beta) > order - (e.has_slopes ? 1 : 0)) continue;
      Budget::check();
      std::vector<ModP> row(n * jets.size());
      for (const MultiIndex& gamma : inner) {
        const long times = binomial(beta, gamma);
        if (times == 0) continue;
        MultiIndex rest = beta;
        for (std::size_t i = 0; i < n; ++i) rest[i] -= gamma[i];
        for (std::size_t i = 0; i < n; ++i) {
          if (!slopes.zero(e.a[i]))
            row[unknown(i, gamma)] += ModP(times) * run->value(slopes.output(e.a[i], rest));
          for (std::size_t j = 0; j < n; ++j) {
            const Expr b = e.b[i * n + j];
            if (slopes.zero(b)) continue;
            MultiIndex ahead = gamma;
            ++ahead[j];
            row[unknown(i, ahead)] += ModP(times) * run->value(slopes.output(b, rest));
          }
        }
      }
      rows.push_back(std::move(row));
    }
  }
  ModularMatrix m(std::max(1, static_cast<int>(rows.size())), static_cast<int>(n * jets.size()));
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy(rows[r].begin(), rows[r].end(), m.row(static_cast<int>(r)).begin());
  // Rank modulo the prime at one point is at most the generic rank, so what is left here is at least what there is.
  return kernel(m).columns();
}

/// Random configurations; several on N, which may have parts.
const std::vector<std::uint64_t> one_seed{20'011}, seeds_on_parts{20'011, 20'023, 20'047, 20'071};

bool depends_on_velocities(const System& system, const Matrix& g) {
  for (const Symbol v : system.space.velocities()) {
    const Matrix slope = derivative(g, v);
    for (const Expr e : slope.entries()) {
      if (!vanishes_at_random_points(e)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<int> most_symmetries(const System& system) {
  const auto q = coordinates(system.space);
  constexpr std::size_t largest = search_limits::prolonged_symmetries.count;
  if (!q || contains_time(system) || q->size() > largest) return std::nullopt;
  const std::vector<Expr> relations = position_relations(system);
  const OnPositions here(system);
  try {
    const Budget budget(work_limits::symmetry_count);
    if (has_parts(relations)) return std::nullopt;
    const auto chart = relations.empty() ? chart_of_space(*q) : chart_of_positions(*q, relations);
    if (!chart) return std::nullopt;
    Equations equations(system, *chart);
    SymbolMap rest;
    for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
    if (depends_on_velocities(system, equations.g) || rank(equations.g) < static_cast<int>(chart->q.size()))
      return std::nullopt;
    for (FieldEquation& e : equations.list) {
      for (Expr& x : e.a) x = substitute(x, rest);
      for (Expr& x : e.b) x = substitute(x, rest);
    }
    constexpr std::size_t small = search_limits::four_prolongations.count;
    const int order = chart->q.size() <= small ? 4 : 3;
    int most = 0;
    for (const std::uint64_t seed : relations.empty() ? one_seed : seeds_on_parts) {
      const auto room = room_left(equations.list, *chart, order, seed);
      if (!room) return std::nullopt;
      most = std::max(most, *room);
    }
    return most;
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;  // constraints that are not linear
  }
  return std::nullopt;
}

}  // namespace rattleback

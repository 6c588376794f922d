#include <rattleback/proof/evidence/prolongation.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
Expr Chart::slope(Expr f, std::size_t i) const {
  Expr total = derivative(f, q[i]);
  for (std::size_t a = 0; a < dependent.size(); ++a) {
    if (contains(f, dependent[a]))
      total += Y(static_cast<int>(a), static_cast<int>(i)) * derivative(f, dependent[a]);
  }
  return total;
}

namespace {

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

Chart chart_of_space(std::vector<Symbol> q) {
  const int n = static_cast<int>(q.size());
  return {std::move(q), {}, {}, Matrix::identity(n)};
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

}  // namespace

bool has_parts(const System& system) {
  if (const auto variety = variety_with_points(system); variety && !variety->parts().empty()) return true;
  return std::ranges::any_of(position_relations(system), [](Expr e) {
    const std::vector<Expr> above = factors(short_form(e)).above;
    return std::ranges::count_if(above, [](Expr f) { return !is_constant(f) && !never_vanishes(f); }) > 1;
  });
}

std::optional<Chart> chart_of_configurations(const System& system) {
  const auto q = coordinates(system.space);
  if (!q) return std::nullopt;
  const std::vector<Expr> relations = position_relations(system);
  return relations.empty() ? chart_of_space(*q) : chart_of_positions(*q, relations);
}

Matrix directions_in(const Chart& chart, const System& system) {
  if (system.constraints.empty() && !system.parametrization)
    return Matrix::identity(static_cast<int>(chart.size()));
  const Matrix psi = admissible_velocities(system).psi;
  std::vector<int> kept;
  for (const Symbol q : chart.q) {
    for (int i = 0; i < system.space.dimension(); ++i) {
      if (system.space.coordinate(i) == q) kept.push_back(i);
    }
  }
  return rows_of(psi, kept);
}

std::optional<Matrix> metric_in(const Chart& chart, const System& system) {
  const auto v = system.space.velocities();
  const Matrix& T = chart.tangent;
  Matrix g = transpose(T) * (jacobian(gradient(system.lagrangian, v), v) * T);
  SymbolMap rest;
  for (const Symbol s : v) {
    const Matrix slope = derivative(g, s);
    for (const Expr e : slope.entries()) {
      if (!vanishes_at_random_points(e)) return std::nullopt;
    }
    rest.emplace(s, Expr(0));
  }
  for (Expr& e : g.entries()) e = substitute(e, rest);
  if (rank(g) < static_cast<int>(chart.size())) return std::nullopt;
  return g;
}

std::optional<LinearForces> linear_forces(const System& system) {
  const auto v = system.space.velocities();
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  LinearForces found{Matrix::column(substitute(system.forces, rest)), jacobian(system.forces, v)};
  for (Expr& e : found.slopes.entries()) {
    if (!std::ranges::all_of(gradient(e, v), [](Expr second) { return vanishes_at_random_points(second); }))
      return std::nullopt;
    e = substitute(e, rest);
  }
  return found;
}

void keep(std::vector<FieldEquation>& equations, FieldEquation e) {
  const auto is_zero = [](Expr x) { return x.is_zero(); };
  e.has_slopes = !std::all_of(e.b.begin(), e.b.end(), is_zero);
  if (e.has_slopes || !std::all_of(e.a.begin(), e.a.end(), is_zero)) equations.push_back(std::move(e));
}

namespace {

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

/// Π_i (β_i choose γ_i); 0 unless γ ≤ β. No overflow below order 60.
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

/// The unknowns of the prolonged equations are the derivatives ∂^α u^i, and every row is a derivative ∂^β of one equation.
class Prolonged {
 public:
  Prolonged(const std::vector<FieldEquation>& equations, const Chart& q, std::size_t unknowns, int order)
      : n_(q.size()),
        unknowns_(unknowns),
        indices_(multi_indices(n_, order)),
        slopes_(equations, q, indices_) {
    for (std::size_t k = 0; k < indices_.size(); ++k) place_.emplace(indices_[k], k);
    for (const FieldEquation& e : equations) {
      for (const MultiIndex& beta : indices_) {
        if (order_of(beta) <= order - (e.has_slopes ? 1 : 0)) rows_.emplace_back(&e, &beta);
      }
    }
    std::ranges::stable_sort(rows_, {}, [](const auto& row) { return order_of(*row.second); });
  }

  const std::vector<Expr>& roots() const { return slopes_.roots(); }
  std::size_t rows() const { return rows_.size(); }
  std::size_t columns() const { return unknowns_ * indices_.size(); }
  /// Of u^i itself.
  std::size_t column(std::size_t i) const { return unknown(i, MultiIndex(n_, 0)); }

  /// ∂^β (Σ a_i u^i + Σ b_ij ∂_j u^i), the values of the roots being given.
  template <class Value>
  std::vector<Value> row(std::size_t r, const std::function<Value(std::size_t)>& root) const {
    const auto& [e, beta] = rows_[r];
    std::vector<Value> row(columns());
    for (const MultiIndex& gamma : indices_) {
      const long times = binomial(*beta, gamma);
      if (times == 0) continue;
      MultiIndex rest = *beta;
      for (std::size_t i = 0; i < n_; ++i) rest[i] -= gamma[i];
      const auto add = [&](Expr f, std::size_t column) {
        if (!slopes_.zero(f)) row[column] += Value(times) * root(slopes_.output(f, rest));
      };
      for (std::size_t i = 0; i < unknowns_; ++i) {
        add(e->a[i], unknown(i, gamma));
        for (std::size_t j = 0; j < n_; ++j) {
          if (slopes_.zero(e->b[i * n_ + j])) continue;
          MultiIndex ahead = gamma;
          ++ahead[j];
          add(e->b[i * n_ + j], unknown(i, ahead));
        }
      }
    }
    return row;
  }

 private:
  std::size_t unknown(std::size_t i, const MultiIndex& alpha) const {
    return i * indices_.size() + place_.at(alpha);
  }

  std::size_t n_, unknowns_;
  std::vector<MultiIndex> indices_;
  std::map<MultiIndex, std::size_t> place_;
  Derivatives slopes_;
  std::vector<std::pair<const FieldEquation*, const MultiIndex*>> rows_;  ///< lowest order first
};

/// Nothing where a value modulo the prime is not faithful.
std::optional<ModularMatrix> matrix_at(const Prolonged& prolonged, std::uint64_t seed) {
  const ModularProgram program(prolonged.roots());
  if (!is_faithful_off_positions(prolonged.roots())) return std::nullopt;
  const auto run = program.run_near(seed);
  if (!run) return std::nullopt;
  ModularMatrix m(std::max(1, static_cast<int>(prolonged.rows())), static_cast<int>(prolonged.columns()));
  for (std::size_t r = 0; r < prolonged.rows(); ++r) {
    Budget::check();
    const auto row = prolonged.row<ModP>(r, [&](std::size_t output) { return run->value(output); });
    std::ranges::copy(row, m.row(static_cast<int>(r)).begin());
  }
  return m;
}

std::optional<RoomLeft> room_at(const Prolonged& prolonged, std::size_t counted, std::uint64_t seed) {
  const auto m = matrix_at(prolonged, seed);
  if (!m) return std::nullopt;
  // Rank modulo the prime at one point is at most the generic rank, so what is left here is at least what there is.
  const auto left = kernel(*m);
  ModularMatrix values(static_cast<int>(counted), std::max(1, left.columns()));
  for (std::size_t i = 0; i < counted; ++i) {
    const int row = static_cast<int>(prolonged.column(i));
    std::ranges::copy(left.row(row), values.row(static_cast<int>(i)).begin());
  }
  return RoomLeft{left.columns(), values.columns() - kernel(values).columns()};
}

/// Random configurations; several on N, which may have parts.
const std::vector<std::uint64_t> one_seed{20'011}, seeds_on_parts{20'011, 20'023, 20'047, 20'071};

}  // namespace

std::optional<RoomLeft> room_left(const std::vector<FieldEquation>& equations, const Chart& chart,
                                  std::size_t unknowns, std::size_t counted, int order) {
  const Prolonged prolonged(equations, chart, unknowns, order);
  RoomLeft most;
  for (const std::uint64_t seed : chart.dependent.empty() ? one_seed : seeds_on_parts) {
    const auto room = room_at(prolonged, counted, seed);
    if (!room) return std::nullopt;
    most = {std::max(most.jets, room->jets), std::max(most.values, room->values)};
  }
  return most;
}

namespace {

ModularMatrix transposed(const ModularMatrix& m) {
  ModularMatrix t(m.columns(), m.rows());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) t(j, i) = m(i, j);
  }
  return t;
}

/// Independent rows among whose combinations the unit vectors of these columns are.
std::optional<std::vector<int>> rows_that_span(const ModularMatrix& m, const std::vector<int>& columns) {
  ModularMatrix units(m.columns(), static_cast<int>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) units(columns[k], static_cast<int>(k)) = ModP(1);
  const auto combination = solve(transposed(m), units);
  if (!combination) return std::nullopt;
  std::vector<int> rows;
  for (int r = 0; r < m.rows(); ++r) {
    if (std::ranges::any_of(combination->row(r), [](ModP c) { return !c.is_zero(); })) rows.push_back(r);
  }
  return rows;
}

ModularMatrix rows_of(const ModularMatrix& m, const std::vector<int>& rows) {
  ModularMatrix some(static_cast<int>(rows.size()), m.columns());
  for (std::size_t k = 0; k < rows.size(); ++k)
    std::ranges::copy(m.row(rows[k]), some.row(static_cast<int>(k)).begin());
  return some;
}

}  // namespace

std::optional<std::vector<Expr>> no_room_unless(const std::vector<FieldEquation>& equations,
                                                const Chart& chart, std::size_t unknowns, std::size_t counted,
                                                int order) {
  constexpr std::size_t most_rows = search_limits::prolonged_rows_with_parameters.count;
  if (!chart.dependent.empty()) return std::nullopt;
  const Prolonged prolonged(equations, chart, unknowns, order);
  const auto m = matrix_at(prolonged, one_seed.front());
  std::vector<int> values;
  for (std::size_t i = 0; i < counted; ++i) values.push_back(static_cast<int>(prolonged.column(i)));
  const auto rows = m ? rows_that_span(*m, values) : std::nullopt;
  if (!rows || rows->empty() || rows->size() > most_rows) return std::nullopt;
  // Where these rows stay independent they span what they span at general parameters.
  const std::vector<int> columns = row_echelon(rows_of(*m, *rows)).pivots;
  Matrix minor(static_cast<int>(rows->size()), static_cast<int>(columns.size()));
  for (int i = 0; i < minor.rows(); ++i) {
    const auto row = prolonged.row<Expr>(static_cast<std::size_t>((*rows)[static_cast<std::size_t>(i)]),
                                         [&](std::size_t output) { return prolonged.roots()[output]; });
    for (int j = 0; j < minor.columns(); ++j)
      minor(i, j) = row[static_cast<std::size_t>(columns[static_cast<std::size_t>(j)])];
  }
  return regular_unless(minor);
}

Dependence dependence_of_no_room(const std::optional<std::vector<Expr>>& no_room_unless,
                                 const Matrix& metric) {
  const auto regular = no_room_unless ? regular_unless(metric) : std::nullopt;
  if (!regular) return {};
  Dependence found = on_nothing();
  for (const std::vector<Expr>& functions : {*no_room_unless, *regular}) {
    if (!functions.empty()) found.on.push_back(functions);
  }
  return found;
}

}  // namespace rattleback

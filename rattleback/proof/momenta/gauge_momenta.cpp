#include <rattleback/proof/momenta/gauge_momenta.hpp>

#include <algorithm>
#include <deque>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/momenta/free_groups.hpp>

namespace rattleback {
namespace {

/// Long entries are left as they are: ranks need values alone.
Expr shortened(Expr e) {
  constexpr std::size_t worth_shortening = search_limits::entries_of_gauge_equations.count;
  return written_size(e) <= worth_shortening ? short_form(e) : e;
}

Matrix shortened(Matrix m) {
  for (Expr& e : m.entries()) e = shortened(e);
  return m;
}

/// Fields of D along the orbits, from an invariant frame of D.
std::optional<std::vector<VectorField>> invariant_sections(const System& system,
                                                           const std::vector<VectorField>& group) {
  const auto D = invariant_velocities(system, group);
  if (!D) return std::nullopt;
  const Matrix across = transpose(left_kernel(as_columns(system.space, group)).basis);
  Matrix fields = D->psi;
  if (across.rows() > 0) fields = D->psi * invariant_kernel(across * D->psi, group);
  std::vector<VectorField> sections = from_columns(system.space, shortened(fields));
  for (const VectorField& xi : sections) {
    if (!is_invariant(xi, group)) return std::nullopt;
  }
  return sections;
}

/// A frame of D ∩ T Orb that the group may turn.
std::vector<VectorField> sections_along_orbits(const Admissible& D, const std::vector<VectorField>& group) {
  const Matrix across = transpose(left_kernel(as_columns(D.space, group)).basis);
  const Matrix fields = across.rows() > 0 ? D.psi * kernel(across * D.psi).basis : D.psi;
  return from_columns(D.space, shortened(fields));
}

/// f^b ξ_b is left as it is by η when η[f^c] = −k_b^c f^b, [η, ξ_b] = k_b^c ξ_c; the function f^0 when η[f^0] = 0.   (Y.6)
std::optional<Transport> along_group(const VectorField& eta, const std::vector<VectorField>& sections) {
  const int k = static_cast<int>(sections.size());
  Transport t{eta, Matrix(k + 1, k + 1)};
  for (int b = 0; b < k; ++b) {
    const VectorField turned = bracket(eta, sections[static_cast<std::size_t>(b)]);
    const auto c = solve(as_columns(eta.space(), sections), Matrix::column(turned.coefficients()));
    if (!c) return std::nullopt;
    for (int d = 0; d < k; ++d) t.M(d, b) = shortened(-c->x[d]);
  }
  return t;
}

std::optional<std::vector<VectorField>> legs_of(const Admissible& D) {
  std::vector<VectorField> legs;
  for (int a = 0; a < D.rank(); ++a) legs.push_back(D.leg(a));
  return legs;
}

std::vector<int> range(int from, int to) {
  std::vector<int> all;
  for (int i = from; i < to; ++i) all.push_back(i);
  return all;
}

/// J_b and J̇_b along the motion, and J_0 = 1 for an added function of the shape.
std::vector<MomentumEquation> momenta_along(const System& system, const EquationsOfMotion& motion,
                                            const std::vector<VectorField>& fields) {
  std::vector<MomentumEquation> equations;
  for (const VectorField& xi : fields) {
    const Expr J = shortened(substitute(momentum(system, xi), motion.velocities));
    equations.push_back({xi, J, derivative_along(J, along(system, motion))});
  }
  equations.push_back({VectorField(system.space), 1, 0});
  return equations;
}

/// e = e_0 + e_a z^a + e_ab z^a z^b: the coefficients, one below the other. Nothing when e is of higher degree.
std::optional<std::vector<Expr>> coefficients(Expr e, const std::vector<Symbol>& z) {
  SymbolMap rest;
  for (const Symbol s : z) rest.emplace(s, Expr(0));
  std::vector<Expr> all{substitute(e, rest)};
  for (std::size_t a = 0; a < z.size(); ++a) {
    const Expr slope = derivative(e, z[a]);
    all.push_back(substitute(slope, rest));
    for (std::size_t b = a; b < z.size(); ++b) {
      const Expr second = derivative(slope, z[b]);
      for (std::size_t c = b; c < z.size(); ++c) {
        if (!vanishes_at_random_points(derivative(second, z[c]))) return std::nullopt;
      }
      all.push_back(substitute(second, rest) / (a == b ? 2 : 1));
    }
  }
  return all;
}

/// V = s^i h_i + c^a η_a: directions of D across the orbits, the rates along them and along the group.
struct Across {
  std::vector<VectorField> h;
  std::vector<Expr> rates, turns;
};
Across across_orbits(const Admissible& D, const std::vector<VectorField>& group) {
  std::vector<VectorField> candidates = group;
  const std::size_t orbits = group.size();
  for (int a = 0; a < D.rank(); ++a) candidates.push_back(D.leg(a));
  const VectorField y(D.space, {D.drift.entries().begin(), D.drift.entries().end()});
  candidates.push_back(y);
  const Matrix columns = as_columns(D.space, candidates);
  std::vector<int> chosen = independent_columns(columns);
  Across x;
  std::vector<int> basis;
  for (const int k : chosen) {
    basis.push_back(k);
    if (k >= static_cast<int>(orbits)) x.h.push_back(candidates[static_cast<std::size_t>(k)]);
  }
  const auto c = solve(columns_of(columns, basis), Matrix::column(D.velocity().coefficients()));
  for (std::size_t i = 0; c && i < basis.size(); ++i)
    (i < orbits ? x.turns : x.rates).push_back(shortened(c->x[static_cast<int>(i)]));
  return x;
}

/// The rows of (Y.1) for the unknowns (h_1[f], …, h_m[f], f), with η_a[f] = M_a f along the group.
std::optional<Matrix> rows_of_conservation(const std::vector<Symbol>& z, const Across& across,
                                           const std::vector<MomentumEquation>& momenta,
                                           const std::vector<Transport>& along_group) {
  std::vector<std::vector<Expr>> columns;
  const auto add = [&](Expr e) {
    const auto c = coefficients(e, z);
    if (c) columns.push_back(*c);
    return c.has_value();
  };
  for (const Expr rate : across.rates) {
    for (const MomentumEquation& e : momenta) {
      if (!add(rate * e.momentum)) return std::nullopt;
    }
  }
  for (std::size_t b = 0; b < momenta.size(); ++b) {
    std::vector<Expr> terms{momenta[b].rate};
    for (std::size_t a = 0; a < across.turns.size(); ++a) {
      for (std::size_t c = 0; c < momenta.size(); ++c)
        terms.push_back(across.turns[a] * momenta[c].momentum *
                        along_group[a].M(static_cast<int>(c), static_cast<int>(b)));
    }
    if (!add(sum(terms))) return std::nullopt;
  }
  Matrix rows(static_cast<int>(columns.front().size()), static_cast<int>(columns.size()));
  for (int i = 0; i < rows.rows(); ++i) {
    for (int j = 0; j < rows.columns(); ++j)
      rows(i, j) = shortened(columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]);
  }
  return rows;
}

Matrix derivative_of(const VectorField& Y, const Matrix& m) {
  Matrix d = m;
  for (Expr& e : d.entries()) e = Y(e);
  return d;
}

/// Rows that are independent at a generic point.
Matrix independent(const Matrix& rows) {
  return rows.rows() == 0 ? rows : shortened(rows_of(rows, independent_rows(rows)));
}

/// Brackets of everything with everything: new directions, or conditions.
class Closing {
 public:
  Closing(GaugeSystem& gauge, Symbol time) : g_(gauge), time_(time) {
    given_ = std::move(g_.transport);
    g_.transport.clear();
    changes_ = has_time(g_.conditions) ||
               std::ranges::any_of(given_, [&](const Transport& t) { return has_time(t.M); });
  }

  void close() {
    for (const Transport& t : given_) {
      take(t);
      if (changes_) g_.conditions = independent(above(g_.conditions, derivative(t.M, time_)));
    }
    while (!pending_.empty() && !full()) {
      const auto [i, j] = pending_.front();
      pending_.pop_front();
      const Transport y = g_.transport[i], z = g_.transport[j];
      take({bracket(y.field, z.field),
            derivative_of(y.field, z.M) - derivative_of(z.field, y.M) + z.M * y.M - y.M * z.M});
    }
    prolong();
  }

 private:
  bool full() const { return g_.count() == 0; }

  bool has_time(const Matrix& m) const {
    return std::ranges::any_of(m.entries(), [&](Expr e) { return contains(e, time_); });
  }

  void take(const Transport& t) {
    Budget::check();
    std::vector<VectorField> fields;
    for (const Transport& known : g_.transport) fields.push_back(known.field);
    if (!fields.empty()) {
      const Matrix columns = as_columns(t.field.space(), fields);
      if (const auto c = solve(columns, Matrix::column(t.field.coefficients()))) {
        Matrix excess = t.M;
        for (std::size_t i = 0; i < g_.transport.size(); ++i)
          excess = excess - c->x[static_cast<int>(i)] * g_.transport[i].M;
        g_.conditions = independent(above(g_.conditions, excess));
        return;
      }
    }
    for (std::size_t i = 0; i < g_.transport.size(); ++i) pending_.emplace_back(i, g_.transport.size());
    g_.transport.push_back({t.field, shortened(t.M)});
  }

  /// Y[N] + N M, and ∂N/∂t: f does not depend on time.
  void prolong() {
    for (bool grows = true; grows && !full();) {
      const Matrix before = g_.conditions;
      for (const Transport& t : g_.transport) {
        Budget::check();
        g_.conditions = independent(above(g_.conditions, derivative_of(t.field, before) + before * t.M));
      }
      if (changes_) g_.conditions = independent(above(g_.conditions, derivative(before, time_)));
      grows = g_.conditions.rows() > before.rows();
    }
  }

  GaugeSystem& g_;
  Symbol time_;
  bool changes_ = false;  ///< with time: (Y.1) holds at all of them, and so do its derivatives
  std::vector<Transport> given_;
  std::deque<std::pair<std::size_t, std::size_t>> pending_;
};

}  // namespace

int GaugeSystem::count() const {
  const int unknowns = static_cast<int>(momenta.size());
  return unknowns - 1 - (conditions.rows() == 0 ? 0 : static_cast<int>(rank(conditions)));
}

bool GaugeSystem::adds_function() const {
  return std::any_of(transport.begin(), transport.end(), [](const Transport& t) {
    const int last = t.M.rows() - 1;
    for (int b = 0; b < last; ++b) {
      if (!vanishes_at_random_points(t.M(last, b))) return true;
    }
    return false;
  });
}

/// (Y.1) taken apart: derivatives across the orbits on the left, conditions on the right.
std::optional<GaugeSystem> gauge_system(const System& system, const EquationsOfMotion& motion,
                                        const FreeGroup& group, const std::vector<VectorField>& sections,
                                        std::string& why_not) {
  const Admissible D = admissible_velocities(system);
  for (const Matrix* m : {&D.psi, &D.drift}) {
    for (const Expr e : m->entries()) {
      if (contains(e, system.time)) {
        why_not = "the constraints depend on time";
        return std::nullopt;
      }
    }
  }
  GaugeSystem g;
  g.invariant = std::all_of(sections.begin(), sections.end(),
                            [&](const VectorField& xi) { return is_invariant(xi, group.fields); });
  g.group = group.name;
  g.shape_dimension = group.formal ? 0 : system.space.dimension() - static_cast<int>(group.fields.size());
  g.sections = sections;
  g.momenta = momenta_along(system, motion, sections);
  const int k = static_cast<int>(g.momenta.size());
  g.conditions = Matrix(0, k);
  g.own_conditions = g.conditions;
  g.group_size = group.fields.size();
  const Across across = group.formal ? Across{} : across_orbits(D, group.fields);
  if (sections.empty()) {
    for (const auto* fields : {&group.fields, &across.h}) {
      for (const VectorField& Y : *fields) g.given.push_back({Y, Matrix(k, k)});
    }
    return g;
  }
  for (const VectorField& eta : group.fields) {
    const auto t = g.invariant ? std::optional(Transport{eta, Matrix(k, k)}) : along_group(eta, sections);
    if (!t) {
      why_not = "the symmetries do not leave D as it is";
      return std::nullopt;
    }
    g.transport.push_back(*t);
  }
  const auto rows = rows_of_conservation(D.speeds, across, g.momenta, g.transport);
  if (!rows) {
    why_not = "the motion is not quadratic in the speeds";
    return std::nullopt;
  }
  const int m = static_cast<int>(across.h.size());
  const Matrix A = columns_of(*rows, range(0, m * k)), C = columns_of(*rows, range(m * k, (m + 1) * k));
  g.conditions = C;
  if (m > 0) {
    const std::vector<int> pivots = independent_rows(A);
    const auto x = static_cast<int>(pivots.size()) == m * k ? solve(rows_of(A, pivots), -rows_of(C, pivots))
                                                            : std::nullopt;
    if (!x) {
      why_not = "the equations do not determine the derivatives of the coefficients";
      return std::nullopt;
    }
    const Matrix solved = shortened(x->x);
    for (int i = 0; i < m; ++i)
      g.transport.push_back(
          {across.h[static_cast<std::size_t>(i)], rows_of(solved, range(i * k, (i + 1) * k))});
    g.conditions = C + A * solved;
  }
  g.conditions = independent(g.conditions);
  g.given = g.transport;
  g.own_conditions = g.conditions;
  Closing(g, system.time).close();
  return g;
}

std::optional<GaugeSystem> gauge_system(const System& system, const EquationsOfMotion& motion,
                                        std::string& why_not) {
  const Admissible D = admissible_velocities(system);
  why_not = "the motion is not written in the speeds of the constraint";
  if (motion.speeds != D.speeds) return std::nullopt;
  why_not = "no symmetry was found";
  for (const FreeGroup& group : free_groups(system)) {
    auto sections = group.formal ? legs_of(D) : invariant_sections(system, group.fields);
    if (!sections) sections = sections_along_orbits(D, group.fields);
    if (auto found = gauge_system(system, motion, group, *sections, why_not)) {
      found->largest = group.largest;
      return found;
    }
  }
  return std::nullopt;
}

std::optional<Symbol> shape_function(const System& system, const GaugeSystem& gauge) {
  if (gauge.shape_dimension != 1) return std::nullopt;
  std::vector<VectorField> still;
  for (const Transport& t : gauge.transport) {
    if (static_cast<int>(still.size()) < system.space.dimension() - 1) still.push_back(t.field);
  }
  for (const Symbol s : system.space.functions()) {
    if (is_invariant(Expr(s), still)) return s;
  }
  return std::nullopt;
}

const Transport* across_the_orbits(const System& system, const GaugeSystem& gauge) {
  const std::size_t group = static_cast<std::size_t>(system.space.dimension() - gauge.shape_dimension);
  return gauge.shape_dimension == 1 && gauge.transport.size() > group ? &gauge.transport[group] : nullptr;
}

}  // namespace rattleback

#include <rattleback/proof/steady/energy_momentum.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/evidence/factors.hpp>

namespace rattleback {
namespace {

/// Functions of the configuration that e contains.
std::vector<Symbol> noticed(const System& system, Expr e) {
  std::vector<Symbol> found;
  for (const Symbol q : system.space.functions()) {
    if (contains(e, q)) found.push_back(q);
  }
  return found;
}

bool is_part(const std::vector<Symbol>& some, const std::vector<Symbol>& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](Symbol s) { return std::find(all.begin(), all.end(), s) != all.end(); });
}

/// Derivations of the state, and a point of it.
struct Tangent {
  std::vector<SymbolMap> directions;
  SymbolMap point;

  Expr slope(Expr f, std::size_t i) const { return derivative_along(f, directions[i]); }
  Expr at(Expr f) const { return short_form(substitute(f, point)); }
  int size() const { return static_cast<int>(directions.size()); }

  Matrix differential(Expr f) const {
    Matrix d(size(), 1);
    for (int i = 0; i < size(); ++i) d[i] = at(slope(f, static_cast<std::size_t>(i)));
    return d;
  }
  /// X_i X_j f, symmetric where df = 0.
  Matrix second_variation(Expr f) const {
    Matrix h(size(), size());
    for (int j = 0; j < size(); ++j) {
      const Expr first = slope(f, static_cast<std::size_t>(j));
      for (int i = 0; i <= j; ++i) h(i, j) = h(j, i) = at(slope(first, static_cast<std::size_t>(i)));
    }
    return h;
  }
};

/// Legs that change the functions q independently of each other, and the speeds.
Tangent tangent_at(const System& system, const SteadyFamily& family, const std::vector<Symbol>& q,
                   const SymbolMap& values) {
  Tangent t;
  for (const auto& [s, value] : family.point.values) t.point.emplace(s, substitute(value, values));
  Matrix effect(static_cast<int>(q.size()), system.space.dimension());
  for (int j = 0; j < effect.columns(); ++j) {
    for (int i = 0; i < effect.rows(); ++i)
      effect(i, j) = t.at(system.space.derivative(j, Expr(q[static_cast<std::size_t>(i)])));
  }
  if (!q.empty()) {
    for (const int leg : independent_columns(effect)) t.directions.push_back(system.space.leg(leg));
  }
  for (const Symbol z : family.small.speeds) t.directions.push_back({{z, Expr(1)}});
  return t;
}

/// Leading minors of ±h.
std::optional<std::vector<Inequality>> definite(const Matrix& h, int sign) {
  std::vector<Inequality> conditions;
  std::vector<int> chosen;
  for (int k = 0; k < h.rows(); ++k) {
    chosen.push_back(k);
    const bool flips = sign < 0 && k % 2 == 0;
    const Expr m = minor(h, chosen, chosen);
    const Inequality i = is_positive(flips ? -m : m);
    if (i.kind == Inequality::Kind::never || vanishes_at_random_points(m)) return std::nullopt;
    if (i.kind == Inequality::Kind::sometimes) conditions.push_back(i);
  }
  return conditions;
}

/// Factors that must not vanish for W and h to be what they are for generic values: of a largest minor of the slopes and of the
/// leading minors of h, unless their sign is known or the conditions, which do not see squares, exclude it.
std::vector<Expr> generic_factors(const Matrix& slopes, const Matrix& h,
                                  const std::vector<Inequality>& conditions) {
  std::vector<Expr> decisive, excluded, found;
  const std::vector<int> columns = independent_columns(slopes), rows = independent_columns(transpose(slopes));
  if (!columns.empty()) decisive.push_back(minor(slopes, rows, columns));
  std::vector<int> chosen;
  for (int k = 0; k < h.rows(); ++k) {
    chosen.push_back(k);
    decisive.push_back(minor(h, chosen, chosen));
  }
  for (const Inequality& i : conditions) {
    for (const Expr e : factors(short_form(i.e)).above) excluded.push_back(e);
  }
  for (const Expr d : decisive) {
    const Factors parts = factors(short_form(d));
    for (const Expr e : parts.above) {
      const auto same = [e](Expr other) { return other == e || other == -e; };
      if (is_positive(e).kind != Inequality::Kind::sometimes ||
          std::any_of(excluded.begin(), excluded.end(), same) ||
          std::any_of(found.begin(), found.end(), same))
        continue;
      found.push_back(e);
    }
  }
  return found;
}

/// λ with λ_i dF_i = 0 whose second variation is definite on W: each of a basis of them, then their sum.
std::optional<EnergyMomentum> stationary_combination(const Tangent& t, const std::vector<Expr>& F) {
  const int m = static_cast<int>(F.size());
  Matrix slopes(t.size(), m);
  std::vector<Matrix> second;
  for (int i = 0; i < m; ++i) {
    const Matrix d = t.differential(F[static_cast<std::size_t>(i)]);
    for (int k = 0; k < t.size(); ++k) slopes(k, i) = d[k];
    second.push_back(t.second_variation(F[static_cast<std::size_t>(i)]));
  }
  const Matrix W = kernel(transpose(slopes)).basis, null = kernel(slopes).basis;
  Matrix every(m, 1);
  std::vector<Matrix> candidates;
  for (int c = 0; c < null.columns(); ++c) {
    candidates.push_back(null.column(c));
    every = every + null.column(c);
  }
  if (candidates.size() > 1) candidates.push_back(every);
  for (const Matrix& lambda : candidates) {
    // The multipliers are numbers here, although speeds that are free may stand in them.
    Matrix h(t.size(), t.size());
    for (int i = 0; i < m; ++i) h = h + lambda[i] * second[static_cast<std::size_t>(i)];
    h = transpose(W) * h * W;
    for (Expr& e : h.entries()) e = short_form(e);
    for (const int sign : {1, -1}) {
      const auto conditions = definite(h, sign);
      if (!conditions) continue;
      EnergyMomentum found{F, {}, *conditions, generic_factors(slopes, h, *conditions)};
      for (int i = 0; i < m; ++i) found.multipliers.push_back(short_form(lambda[i]));
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<EnergyMomentum> energy_momentum(const System& system, const SolvedVelocities& v,
                                              const SteadyFamily& family,
                                              const std::vector<Expr>& integrals) {
  const SymbolMap values = parameter_values(system), psi = v.substitution(system.space);
  const auto on_state = [&](Expr f) { return short_form(substitute(substitute(f, psi), values)); };
  const Expr E = on_state(energy(system));
  // What matters has to be among the directions: an extremum that does not notice it proves nothing.
  std::vector<Symbol> q = noticed(system, E);
  for (const std::vector<Symbol>& influencing : {family.small.configuration, family.idle_to_first_order}) {
    for (const Symbol s : influencing) {
      if (!is_part({s}, q)) q.push_back(s);
    }
  }
  std::vector<Expr> F{E};
  std::vector<Expr> all = integrals;
  for (const Constraint& c : system.constraints) {
    if (c.position) all.push_back(*c.position);
  }
  for (const Expr f : all) {
    const Expr there = on_state(f);
    if (is_part(noticed(system, there), q) && std::find(F.begin(), F.end(), there) == F.end())
      F.push_back(there);
  }
  return stationary_combination(tangent_at(system, family, q, values), F);
}

bool energy_has_minimum(const System& system, const SteadyFamily& family) {
  if (family.small.configuration.empty() || !family.idle_to_first_order.empty()) return false;
  for (const Symbol z : family.small.speeds) {
    if (!family.point.values.at(z).is_zero()) return false;
  }
  for (const Constraint& c : system.constraints) {
    if (c.position) return false;
  }
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  const Expr V = -substitute(system.lagrangian, rest);
  for (const Symbol s : symbols_of(V)) {
    const auto& q = family.small.configuration;
    const bool influencing = std::find(q.begin(), q.end(), s) != q.end();
    if (!influencing && s.role() != Role::parameter && s.role() != Role::constant) return false;
    if (influencing && (s.role() != Role::coordinate ||
                        !vanishes_at_random_points(substitute(derivative(V, s), family.point.values))))
      return false;
  }
  const int n = static_cast<int>(family.small.configuration.size());
  Matrix hessian(n, n), mass = family.small.M;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      hessian(i, j) =
          substitute(derivative(derivative(V, family.small.configuration[static_cast<std::size_t>(i)]),
                                family.small.configuration[static_cast<std::size_t>(j)]),
                     family.point.values);
  }
  const auto definite = [](const Matrix& a) {
    std::vector<int> chosen;
    for (int k = 0; k < a.rows(); ++k) {
      chosen.push_back(k);
      if (is_positive(minor(a, chosen, chosen)).kind != Inequality::Kind::always) return false;
    }
    return true;
  };
  return definite(hessian) && definite(mass);
}

}  // namespace rattleback

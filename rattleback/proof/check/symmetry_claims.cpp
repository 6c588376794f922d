#include <rattleback/proof/check/symmetry_claims.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>

namespace rattleback {
namespace {

/// (L_ξ Q)_j = ξ^C Q_j + Q_i X_j(ξ^i) − Q_i C_kj^i ξ^k.                                                     (N.4)
std::vector<Expr> turned_forces(const ClaimedSystem& claim, const std::vector<Expr>& xi,
                                const SymbolMap& lift) {
  std::vector<Expr> all = derivative_along(claim.forces, lift);
  for (std::size_t j = 0; j < xi.size(); ++j) {
    for (std::size_t i = 0; i < xi.size(); ++i)
      all[j] += claim.forces[i] * derivative_along(xi[i], claim.frame[j]);
  }
  for (const auto& [k, j, i, value] : claim.structure)
    all[static_cast<std::size_t>(j)] -=
        claim.forces[static_cast<std::size_t>(i)] * value * xi[static_cast<std::size_t>(k)];
  return all;
}

/// What vanishes for a symmetry: of L everywhere, of C and Q on D.
struct SymmetryResiduals {
  std::vector<Expr> field, lagrangian, constraints, forces;
};
std::vector<SymmetryResiduals> symmetry_residuals(const ClaimedSystem& claim, const Data& certificate) {
  const Data* fields = certificate.find("fields");
  if (fields == nullptr || fields->list() == nullptr || fields->list()->empty())
    bad_certificate("`fields` is not a list of vector fields");
  std::vector<SymmetryResiduals> all;
  for (const Data& row : *fields->list()) {
    const std::vector<Expr> xi = formulas_of(claim, row, claim.velocities.size(),
                                             {&claim.functions, &time_alone()}, "a field on configurations");
    const SymbolMap lift = complete_lift(claim, xi);
    all.push_back({xi,
                   {derivative_along(claim.lagrangian, lift)},
                   turned_constraints(claim, lift),
                   substitute(turned_forces(claim, xi, lift), claim.psi)});
  }
  return all;
}

/// L = ½ g(v, v) − V, without time.
struct NaturalClaim {
  Matrix g;
  Expr V;
  std::vector<Expr> residuals;  ///< what would make it something else
};
NaturalClaim natural_claim(const ClaimedSystem& claim) {
  SymbolMap rest;
  for (const Symbol v : claim.velocities) rest.emplace(v, Expr(0));
  const std::vector<Expr> p = gradient(claim.lagrangian, claim.velocities);
  NaturalClaim l{jacobian(p, claim.velocities), -substitute(claim.lagrangian, rest), substitute(p, rest)};
  for (const Symbol v : claim.velocities) {
    for (const Expr e : derivative(l.g, v).entries()) l.residuals.push_back(e);
  }
  l.residuals.push_back(derivative(claim.lagrangian, Symbol::make("t", {.role = Role::time})));
  return l;
}

Matrix differential_row(const ClaimedSystem& claim, Expr f) {
  std::vector<Expr> df;
  for (const SymbolMap& leg : claim.frame) df.push_back(derivative_along(f, leg));
  return Matrix::row(df);
}

/// V, and g⁻¹(df_j, df_k) for the pairs named.                                                              (N.10)
std::vector<CheckedStep> invariant_steps(const ClaimedSystem& claim, const Data& certificate) {
  const NaturalClaim l = natural_claim(claim);
  const int n = static_cast<int>(claim.velocities.size());
  std::vector<Expr> functions{l.V};
  for (const Data& pair : list_field(certificate, "invariants")) {
    const auto [j, k] = bracket_below(pair, functions.size());
    const Matrix dj = transpose(differential_row(claim, functions[static_cast<std::size_t>(j)])),
                 dk = differential_row(claim, functions[static_cast<std::size_t>(k)]);
    const auto raised = unique_solution(l.g, dj);
    if (!raised) bad_certificate("the metric is singular");
    functions.push_back((dk * raised->x)[0]);
  }
  Matrix differentials(static_cast<int>(functions.size()), n);
  for (int k = 0; k < differentials.rows(); ++k) {
    const Matrix row = differential_row(claim, functions[static_cast<std::size_t>(k)]);
    for (int i = 0; i < n; ++i) differentials(k, i) = row(0, i);
  }
  return {{"the Lagrangian is kinetic energy minus a potential", is_zero(l.residuals)},
          {"functions that every symmetry leaves alone separate the configurations",
           at_least(rank(differentials).value, n, "the rank of their differentials")}};
}

/// ∂/∂q^i and q^j ∂/∂q^i, q^j not on a circle: among their combinations are all of (N.12).
std::vector<std::vector<Expr>> affine_fields(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<Expr> factors{Expr(1)};
  for (const Symbol q : claim.functions) {
    if (!is_circle(certificate, q.name())) factors.emplace_back(q);
  }
  std::vector<std::vector<Expr>> all;
  for (const Expr f : factors) {
    for (std::size_t i = 0; i < claim.velocities.size(); ++i) {
      all.emplace_back(claim.velocities.size(), Expr(0));
      all.back()[i] = f;
    }
  }
  return all;
}

/// One column for each field, the conditions at several states and times below each other: parameters are the same in
/// all of them.
Matrix conditions_at_several_states(const ClaimedSystem& claim,
                                    const std::vector<std::vector<Expr>>& fields) {
  std::vector<std::vector<Expr>> columns;
  for (const auto& xi : fields) {
    const SymbolMap lift = complete_lift(claim, xi);
    columns.push_back({derivative_along(claim.lagrangian, lift)});
    for (const auto& more :
         {turned_constraints(claim, lift), substitute(turned_forces(claim, xi, lift), claim.psi)})
      columns.back().insert(columns.back().end(), more.begin(), more.end());
  }
  const int conditions = static_cast<int>(columns.front().size()), m = static_cast<int>(fields.size());
  Matrix all(conditions * m, m);
  for (int s = 0; s < m; ++s) {
    SymbolMap other;
    for (const auto* symbols : {&claim.functions, &claim.velocities, &claim.speeds}) {
      for (const Symbol x : *symbols)
        other.emplace(x, Expr(Symbol::make(fmt::format("{}#{}", x.name(), s), {.role = x.role()})));
    }
    other.emplace(Symbol::make("t", {.role = Role::time}),
                  Expr(Symbol::make(fmt::format("t#{}", s), {.role = Role::plain})));
    for (int k = 0; k < m; ++k) {
      const std::vector<Expr> here = substitute(columns[static_cast<std::size_t>(k)], other);
      for (int c = 0; c < conditions; ++c) all(s * conditions + c, k) = here[static_cast<std::size_t>(c)];
    }
  }
  return all;
}

std::vector<CheckedStep> isometry_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<Expr> chart;  // X_i = ∂/∂q^i
  if (claim.functions.size() != claim.velocities.size())
    bad_certificate("the metric is not given in coordinates");
  for (std::size_t i = 0; i < claim.frame.size(); ++i) {
    for (std::size_t j = 0; j < claim.functions.size(); ++j)
      chart.push_back(claim.frame[i].at(claim.functions[j]) - Expr(i == j ? 1 : 0));
  }
  const Matrix g = jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities);
  std::vector<Expr> slopes;
  for (const auto* symbols : {&claim.functions, &claim.velocities}) {
    for (const Symbol x : *symbols) {
      for (const Expr e : derivative(g, x).entries()) slopes.push_back(e);
    }
  }
  const auto fields = affine_fields(claim, certificate);
  return {{"the frame is that of coordinates", is_zero(chart)},
          {"the metric is constant", is_zero(slopes)},
          {"it is regular", at_least(rank(g).value, g.rows(), "the rank of the metric")},
          {"no combination of its isometries leaves the system as it is",
           at_least(rank(conditions_at_several_states(claim, fields)).value, static_cast<int>(fields.size()),
                    "the rank of the conditions")}};
}

}  // namespace

std::vector<CheckedStep> symmetry_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  for (const SymmetryResiduals& r : symmetry_residuals(claim, certificate)) {
    steps.push_back({"a field moves something", some_do_not_vanish(r.field)});
    steps.push_back({"the Lagrangian is invariant under it", is_zero(r.lagrangian)});
    steps.push_back({"it maps admissible velocities to admissible ones", is_zero(r.constraints)});
    steps.push_back({"the forces are invariant under it", is_zero(r.forces)});
  }
  return steps;
}

std::vector<CheckedStep> not_a_symmetry_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  for (const SymmetryResiduals& r : symmetry_residuals(claim, certificate)) {
    std::vector<Expr> all = r.lagrangian;
    for (const auto* more : {&r.constraints, &r.forces}) all.insert(all.end(), more->begin(), more->end());
    steps.push_back({"the system is not invariant under the field", some_do_not_vanish(all)});
  }
  return steps;
}

std::vector<CheckedStep> no_symmetry_steps(const ClaimedSystem& claim, const Data& certificate) {
  if (!positions_of_check().empty())
    bad_certificate("isometries of the ambient space do not exclude symmetries of the position constraints");
  const bool free = claim.constraints.empty() &&
                    std::all_of(claim.forces.begin(), claim.forces.end(), [](Expr e) { return e.is_zero(); });
  if (certificate.find("question") != nullptr && text_field(certificate, "question") == "momenta" && !free)
    bad_certificate(
        "under velocity constraints and forces a field that is no symmetry may have a constant momentum");
  return certificate.find("invariants") != nullptr ? invariant_steps(claim, certificate)
                                                   : isometry_steps(claim, certificate);
}

}  // namespace rattleback

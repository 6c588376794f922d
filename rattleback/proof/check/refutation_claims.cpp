#include <rattleback/proof/check/refutation_claims.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// One of the groups: its orbits and what they determine.
struct Group {
  Matrix orbits;               ///< ξ_a^i, one row each
  Matrix coframe;              ///< θ^α_i
  Matrix legs;                 ///< X_α^i as columns
  std::vector<Expr> p, right;  ///< p_α and (i_Γ dp̂ + dE)(X_α)

  int dimension() const { return legs.columns(); }
};

Group group_of(const ClaimedSystem& claim, const Data& d) {
  const int n = static_cast<int>(claim.velocities.size()), m = static_cast<int>(claim.speeds.size());
  Group g{
      rows_field(claim, d, "orbits", n - m), rows_field(claim, d, "coframe", m), legs_on_Q(claim), {}, {}};
  g.p = momenta_of_legs(claim, g.legs);
  std::vector<Expr> theta;
  for (int i = 0; i < n; ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < m; ++a) terms.push_back(g.p[at(a)] * g.coframe(a, i));
    theta.push_back(sum(terms));
  }
  const std::vector<Expr> twist = contracted_differential(claim, theta);
  const std::vector<Expr> dE = differential(claim, energy_on_D(claim));
  for (int a = 0; a < m; ++a) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < n; ++i) terms.push_back(g.legs(i, a) * (twist[at(i)] + dE[at(i)]));
    g.right.push_back(sum(terms));
  }
  return g;
}

/// θ^α(ψ) = z^α and hence θ^α(X_β) = δ, θ^α(ξ_a) = 0.
std::vector<Expr> coframe_residuals(const ClaimedSystem& claim, const Group& g) {
  std::vector<Expr> all = (g.coframe * Matrix::column(claim.admissible)).entries();
  for (int a = 0; a < g.dimension(); ++a) all[at(a)] -= claim.speeds[at(a)];
  for (const Expr e : (g.coframe * transpose(g.orbits)).entries()) all.push_back(e);
  return all;
}

/// The coefficients of σ_1, …, σ_m, F_12, F_13, … in (C.36), and what stands without them, for every α.
Matrix multiplier_equations(const ClaimedSystem& claim, const Group& g) {
  const int m = g.dimension();
  Matrix rows(m, m + m * (m - 1) / 2 + 1);
  std::vector<Expr> power{Expr(0)};
  for (int b = 0; b < m; ++b) power.push_back(g.p[at(b)] * claim.speeds[at(b)]);
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) rows(a, b) = g.p[at(a)] * claim.speeds[at(b)];
    rows(a, a) -= sum(power);
    int column = m;
    for (int b = 0; b < m; ++b) {
      for (int c = b + 1; c < m; ++c, ++column) {
        if (a == c) rows(a, column) = claim.speeds[at(b)];
        if (a == b) rows(a, column) = -Expr(claim.speeds[at(c)]);
      }
    }
    rows(a, column) = g.right[at(a)];
  }
  return rows;
}

/// The same at one configuration and as many general speeds as there are columns: each adds to the rank, or none does.
Matrix at_several_speeds(const ClaimedSystem& claim, const Matrix& rows) {
  Matrix all(0, rows.columns());
  for (int s = 0; s < rows.columns(); ++s) {
    SymbolMap other;
    for (const Symbol z : claim.speeds)
      other.emplace(z, Expr(Symbol::make(fmt::format("{}#{}", z.name(), s), {.role = z.role()})));
    all = stacked(all, substitute(rows, other));
  }
  return all;
}

/// The one solution that the equations leave is stated, and it is not the differential of a function.
std::vector<CheckedStep> not_closed_steps(const ClaimedSystem& claim, const Data& d, const Group& g,
                                          const Matrix& equations) {
  const std::vector<Expr> s = formulas_of(claim, Data(list_field(d, "slopes")), claim.velocities.size(),
                                          {&claim.functions}, "the slopes of a multiplier");
  const Data* entries = d.find("gyroscopic");
  const Matrix F = two_form(claim, entries == nullptr ? Data(Data::List{}) : *entries);
  const int m = g.dimension(), unknowns = equations.columns() - 1;
  Matrix solution(unknowns + 1, 1);
  const Matrix sigma = transpose(g.legs) * Matrix::column(s), f = transpose(g.legs) * F * g.legs;
  int column = 0;
  for (; column < m; ++column) solution[column] = sigma[column];
  for (int b = 0; b < m; ++b) {
    for (int c = b + 1; c < m; ++c) solution[column++] = f(b, c);
  }
  solution[column] = Expr(1);
  std::vector<Expr> residuals = (equations * solution).entries();
  for (const Expr e : (g.orbits * Matrix::column(s)).entries()) residuals.push_back(e);
  for (const Expr e : (g.orbits * F).entries()) residuals.push_back(e);
  std::vector<int> left;
  for (int j = 0; j < unknowns; ++j) left.push_back(j);
  const int r = rank(columns_of(at_several_speeds(claim, equations), left)).value;
  std::vector<Expr> open = curl(claim, s);
  for (const Expr e : twisted_closure(claim, s, F)) open.push_back(e);
  return {{"the slopes of a multiplier would be those stated", is_zero(residuals)},
          {"there are no others", at_least(r, unknowns, "the rank of the equations for them")},
          {"no function has them", some_do_not_vanish(open)}};
}

}  // namespace

std::vector<CheckedStep> no_multiplier_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  const Data::List& groups = list_field(certificate, "groups");
  if (groups.empty()) bad_certificate("no group is named under which there is no multiplier");
  for (const Data& d : groups) {
    const Group g = group_of(claim, d);
    const Matrix equations = multiplier_equations(claim, g);
    std::vector<CheckedStep> more{
        {"the orbits complement D, and so they project on it", is_zero(coframe_residuals(claim, g))},
        {"they have the dimension of a complement",
         at_least(rank(g.orbits).value, g.orbits.rows(), "the rank of the orbits")},
        {"the group leaves the Lagrangian and the constraints alone",
         is_zero(invariance_residuals(claim, g.orbits))}};
    if (d.find("slopes") == nullptr) {
      const int unknowns = equations.columns() - 1;
      more.push_back({"the equations for the slopes of a multiplier contradict each other",
                      at_least(rank(at_several_speeds(claim, equations)).value, unknowns + 1,
                               "the rank of the equations with their right side")});
    } else {
      for (CheckedStep& step : not_closed_steps(claim, d, g, equations)) more.push_back(std::move(step));
    }
    for (CheckedStep& step : more)
      steps.push_back({fmt::format("{}: {}", text_field(d, "group"), step.what), std::move(step.verdict)});
  }
  return steps;
}

std::vector<CheckedStep> no_lie_bracket_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Matrix legs = legs_on_Q(claim);
  const int n = legs.rows(), m = legs.columns();
  const auto S = coefficients_field(claim, certificate, "projected", m);
  const Matrix metric =
      substitute(jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities), claim.psi);
  std::vector<Expr> constants, projected;
  for (const auto& s : S) {
    for (const auto& more : {differential(claim, s.value), slopes(claim, s.value)})
      constants.insert(constants.end(), more.begin(), more.end());
  }
  for (int a = 0; a < m; ++a) {
    SymbolMap along_a;
    for (const Symbol q : claim.functions) {
      std::vector<Expr> terms{Expr(0)};
      for (int i = 0; i < n; ++i) terms.push_back(legs(i, a) * claim.frame[at(i)].at(q));
      along_a.emplace(q, sum(terms));
    }
    for (int b = 0; b < m; ++b) {
      Matrix Z = derivative_along(legs.column(b), along_a);
      for (int i = 0; i < n; ++i) Z = Z - legs(i, b) * derivative_along(legs.column(a), claim.frame[at(i)]);
      for (const auto& [i, j, k, value] : claim.structure) Z[k] += value * legs(i, a) * legs(j, b);
      for (const auto& s : S) {
        if (s.i == a && s.j == b) Z = Z - s.value * legs.column(s.k);
      }
      for (const Expr e : (transpose(legs) * metric * Z).entries()) projected.push_back(e);
    }
  }
  return {{"the brackets are constant", is_zero(constants)},
          {"they are those of D, projected", is_zero(projected)},
          {"they violate Jacobi's identity", some_do_not_vanish(jacobi_residuals(S, {}))}};
}

}  // namespace rattleback

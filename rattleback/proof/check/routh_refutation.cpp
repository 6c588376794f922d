// Declared in proof/check/refutation_claims.hpp. No multiplier makes the motion Hamiltonian after momenta are fixed.
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/refutation_claims.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Legs W_a = X_α of D, fields Y_i along D, orbits ξ_e; the forms θ^a, η^i that tell the first two apart and vanish on the orbits.
struct Fixing {
  Matrix orbits, fields;  ///< ξ_e and Y_i, one row each
  Matrix theta, eta;
  std::vector<int> chosen;         ///< α
  Matrix legs;                     ///< W_a as columns
  std::vector<Expr> J, p, w;       ///< momenta of Y_i and W_a; w^a = θ^a(ψ)
  std::vector<Expr> right, along;  ///< i_Γ dp̂ + dE − s^i dJ_i on W_a, and on ∂/∂z^α

  int free() const { return legs.columns(); }
};

std::vector<int> chosen_legs(const Data& d, int speeds, int free) {
  std::vector<int> legs;
  for (const Data& item : list_field(d, "legs")) legs.push_back(index_below(item, at(speeds)));
  if (static_cast<int>(legs.size()) != free)
    bad_certificate("`legs` and `fields` together are not as many as the speeds");
  return legs;
}

/// ∂(w, J)/∂z.
Matrix own_speeds(const ClaimedSystem& claim, const Fixing& x) {
  std::vector<Expr> all = x.w;
  all.insert(all.end(), x.J.begin(), x.J.end());
  return jacobian(all, claim.speeds);
}

/// ∂z/∂w at constant momenta, which determine the rest.
Matrix directions_at_fixed_momenta(const ClaimedSystem& claim, const Fixing& x) {
  const Matrix all = own_speeds(claim, x);
  Matrix right(all.rows(), x.free());
  for (int a = 0; a < x.free(); ++a) right(a, a) = Expr(1);
  return solve(all, right)->x;
}

/// i_Γ dp̂ + dE − s^i dJ_i in the frame (X_i, ∂/∂z^α), p̂ = p_a θ^a, s^i = η^i(ψ).
std::vector<Expr> twisted_energy(const ClaimedSystem& claim, const Fixing& x) {
  const Matrix p_hat = transpose(x.theta) * Matrix::column(x.p), s = x.eta * Matrix::column(claim.admissible);
  std::vector<Expr> all = contracted_differential(claim, {p_hat.entries().begin(), p_hat.entries().end()});
  const std::vector<Expr> dE = differential(claim, energy_on_D(claim));
  for (std::size_t c = 0; c < all.size(); ++c) all[c] += dE[c];
  for (int i = 0; i < s.rows(); ++i) {
    const std::vector<Expr> dJ = differential(claim, x.J[at(i)]);
    for (std::size_t c = 0; c < all.size(); ++c) all[c] -= s[i] * dJ[c];
  }
  return all;
}

Fixing fixing_of(const ClaimedSystem& claim, const Data& d) {
  const int n = static_cast<int>(claim.velocities.size()), m = static_cast<int>(claim.speeds.size());
  Fixing x;
  const int k = static_cast<int>(list_field(d, "fields").size());
  x.orbits = rows_field(claim, d, "orbits", n - m);
  x.fields = rows_field(claim, d, "fields", k);
  x.theta = rows_field(claim, d, "theta", m - k);
  x.eta = rows_field(claim, d, "eta", k);
  x.chosen = chosen_legs(d, m, m - k);
  x.legs = columns_of(legs_on_Q(claim), x.chosen);
  const Matrix P = Matrix::column(substitute(gradient(claim.lagrangian, claim.velocities), claim.psi));
  for (const Expr e : (x.fields * P).entries()) x.J.push_back(e);
  x.p = momenta_of_legs(claim, x.legs);
  for (const Expr e : (x.theta * Matrix::column(claim.admissible)).entries()) x.w.push_back(e);
  const std::vector<Expr> all = twisted_energy(claim, x);
  for (int a = 0; a < x.free(); ++a) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < n; ++i) terms.push_back(x.legs(i, a) * all[at(i)]);
    x.right.push_back(sum(terms));
  }
  x.along.assign(all.begin() + n, all.end());
  return x;
}

/// θ^a(W_b) = δ, η^i(Y_j) = δ, everything else 0; Y_i lies in D; all of it on Q.
std::vector<Expr> duality_residuals(const ClaimedSystem& claim, const Fixing& x) {
  std::vector<Expr> all = (x.theta * x.legs - Matrix::identity(x.free())).entries();
  const Matrix C = substitute(jacobian(claim.constraints, claim.velocities), claim.psi),
               Y = transpose(x.fields), xi = transpose(x.orbits);
  for (const Matrix& zero : {x.eta * Y - Matrix::identity(Y.columns()), x.eta * x.legs, x.theta * Y,
                             x.theta * xi, x.eta * xi, C * Y}) {
    all.insert(all.end(), zero.entries().begin(), zero.entries().end());
  }
  return all;
}

/// e_b^β ∂/∂z^β.
Expr along_leg(const ClaimedSystem& claim, const Matrix& e, int b, Expr g) {
  std::vector<Expr> terms{Expr(0)};
  for (int beta = 0; beta < e.rows(); ++beta)
    terms.push_back(e(beta, b) * derivative(g, claim.speeds[at(beta)]));
  return sum(terms);
}

/// (C.40) without F: the coefficients of the σ_d in one row for each a, and what stands without them.
Matrix slope_terms(const Fixing& x) {
  Matrix rows(x.free(), x.free() + 1);
  std::vector<Expr> power{Expr(0)};
  for (int b = 0; b < x.free(); ++b) power.push_back(x.p[at(b)] * x.w[at(b)]);
  for (int a = 0; a < x.free(); ++a) {
    for (int d = 0; d < x.free(); ++d) rows(a, d) = x.w[at(d)] * x.p[at(a)];
    rows(a, a) -= sum(power);
    rows(a, x.free()) = x.right[at(a)];
  }
  return rows;
}

/// Its second derivatives at constant momenta, which contain neither F nor μ.
Matrix quadratic_part(const ClaimedSystem& claim, const Fixing& x, const Matrix& e) {
  const Matrix rows = slope_terms(x);
  const int f = x.free();
  Matrix all(f * f * (f + 1) / 2, f + 1);
  int row = 0;
  for (int a = 0; a < f; ++a) {
    for (int b = 0; b < f; ++b) {
      for (int c = b; c < f; ++c, ++row) {
        for (int d = 0; d <= f; ++d) all(row, d) = along_leg(claim, e, b, along_leg(claim, e, c, rows(a, d)));
      }
    }
  }
  return all;
}

/// F(W_a, W_b) at J = μ and w = 0, as a form on Q: from the linear part of (C.40).
Matrix gyroscopic_form(const ClaimedSystem& claim, const Fixing& x, const Matrix& e, const Matrix& sigma) {
  const int f = x.free(), m = static_cast<int>(claim.speeds.size());
  Matrix solution(f + 1, 1);
  for (int d = 0; d < f; ++d) solution[d] = sigma[d];
  solution[f] = Expr(1);
  const Matrix rows = slope_terms(x) * solution;
  SymbolMap rest;
  for (const Symbol z : claim.speeds) rest.emplace(z, Expr(0));
  Matrix mu(m, 1);  // at w = 0
  for (int i = 0; i < m - f; ++i)
    mu[f + i] =
        Expr(Symbol::make(fmt::format("mu#{}", i), {.role = Role::parameter})) - substitute(x.J[at(i)], rest);
  const Matrix z = solve(own_speeds(claim, x), mu)->x;
  SymbolMap here;
  for (int alpha = 0; alpha < m; ++alpha) here.emplace(claim.speeds[at(alpha)], z[alpha]);
  Matrix F(f, f);
  for (int a = 0; a < f; ++a) {
    for (int b = a + 1; b < f; ++b) {
      F(a, b) = substitute(along_leg(claim, e, b, rows[a]), here);  // F_ba w^b = −(…)
      F(b, a) = -F(a, b);
    }
  }
  return transpose(x.theta) * F * x.theta;
}

std::vector<CheckedStep> not_closed_steps(const ClaimedSystem& claim, const Data& d, const Fixing& x,
                                          const Matrix& e, const Matrix& equations) {
  const int f = x.free();
  const std::vector<Expr> s = formulas_of(claim, Data(list_field(d, "slopes")), claim.velocities.size(),
                                          {&claim.functions}, "the slopes of a multiplier");
  const Matrix sigma = transpose(x.legs) * Matrix::column(s);
  std::vector<int> left;
  for (int b = 0; b < f; ++b) left.push_back(b);
  const Matrix slopes_only = columns_of(equations, left);
  std::vector<Expr> residuals = (slopes_only * sigma + equations.column(f)).entries();
  for (const Matrix* rows : {&x.orbits, &x.fields}) {
    for (const Expr zero : (*rows * Matrix::column(s)).entries()) residuals.push_back(zero);
  }
  std::vector<Expr> open = curl(claim, s);
  if (f > 2) {
    for (const Expr zero : twisted_closure(claim, s, gyroscopic_form(claim, x, e, sigma)))
      open.push_back(zero);
  }
  return {{"the slopes of a multiplier would be those stated", is_zero(residuals)},
          {"there are no others", at_least(rank(slopes_only).value, f, "the rank of the equations for them")},
          {"no function has them", some_do_not_vanish(open)}};
}

std::vector<CheckedStep> steps_of(const ClaimedSystem& claim, const Data& d) {
  const Fixing x = fixing_of(claim, d);
  std::vector<Expr> rates;
  for (const Expr J : x.J) rates.push_back(derivative_along(J, claim.motion));
  const int n = static_cast<int>(claim.velocities.size()), m = static_cast<int>(claim.speeds.size());
  std::vector<CheckedStep> steps{{"orbits, fields and the legs that are left tell all velocities apart",
                                  is_zero(duality_residuals(claim, x))},
                                 {"the orbits have the dimension of a complement",
                                  at_least(rank(x.orbits).value, n - m, "the rank of the orbits")},
                                 {"the group leaves the Lagrangian and the constraints alone",
                                  is_zero(invariance_residuals(claim, x.orbits))},
                                 {"the momenta of the fields are constant", is_zero(rates)},
                                 {"the energy agrees with the velocities that are left", is_zero(x.along)}};
  steps.push_back(
      {"the momenta determine the velocities along the fields",
       at_least(rank(own_speeds(claim, x)).value, m, "the rank of the equations for the speeds")});
  if (refuted(steps.back().verdict)) return steps;
  const Matrix e = directions_at_fixed_momenta(claim, x);
  const Matrix equations = quadratic_part(claim, x, e);
  if (d.find("slopes") != nullptr) {
    for (CheckedStep& step : not_closed_steps(claim, d, x, e, equations)) steps.push_back(std::move(step));
  } else {
    steps.push_back({"the equations for the slopes of a multiplier contradict each other",
                     at_least(rank(equations).value, equations.columns(),
                              "the rank of the equations with their right side")});
  }
  return steps;
}

}  // namespace

std::vector<CheckedStep> no_routh_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  const Data::List& groups = list_field(certificate, "groups");
  if (groups.empty()) bad_certificate("no momenta are named that would be fixed");
  for (const Data& d : groups) {
    for (CheckedStep& step : steps_of(claim, d))
      steps.push_back({fmt::format("{}: {}", text_field(d, "group"), step.what), std::move(step.verdict)});
  }
  return steps;
}

}  // namespace rattleback

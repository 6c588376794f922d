#include <rattleback/proof/check/lyapunov_claim.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_state.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The parameters among the values named: those of what is free belong to the family, not to the system.
SymbolMap parameters_of(const ClaimedState& state) {
  SymbolMap all;
  for (const auto& [s, value] : state.values) {
    if (s.role() == Role::parameter) all.emplace(s, value);
  }
  return all;
}

/// X_i[f], one row for each function.
Matrix moved(const ClaimedSystem& claim, const std::vector<Symbol>& functions) {
  Matrix E(static_cast<int>(functions.size()), static_cast<int>(claim.frame.size()));
  for (int f = 0; f < E.rows(); ++f) {
    for (int i = 0; i < E.columns(); ++i) E(f, i) = claim.frame[at(i)].at(functions[at(f)]);
  }
  return E;
}

/// Legs that move the functions independently at the point, and the ∂/∂z.
struct Directions {
  std::vector<SymbolMap> all;
  int legs = 0;
};
Directions directions_at(const ClaimedSystem& claim, const Matrix& effect) {
  Directions found;
  for (const int i : independent_columns(effect)) found.all.push_back(claim.frame[at(i)]);
  found.legs = static_cast<int>(found.all.size());
  for (const Symbol z : claim.speeds) found.all.push_back({{z, Expr(1)}});
  return found;
}

/// dF along the directions, at the point: a column.
Matrix slopes_of(const Directions& d, Expr F, const SymbolMap& point) {
  Matrix all(static_cast<int>(d.all.size()), 1);
  for (int a = 0; a < all.rows(); ++a) all[a] = substitute(derivative_along(F, d.all[at(a)]), point);
  return all;
}

/// X_a X_b F at the point; symmetric for a sum of them that is stationary there, [X_a, X_b] being along legs that move the functions as
/// combinations of these do.
Matrix second_slopes(const Directions& d, Expr F, const SymbolMap& point) {
  const int n = static_cast<int>(d.all.size());
  Matrix h(n, n);
  for (int b = 0; b < n; ++b) {
    const Expr first = derivative_along(F, d.all[at(b)]);
    for (int a = 0; a < n; ++a) h(a, b) = substitute(derivative_along(first, d.all[at(a)]), point);
  }
  return h;
}

/// The leading minors of ±h are positive, for one sign, by ball arithmetic.
Verdict is_definite(const Matrix& h) {
  int above = 0, alternating = 0;
  std::vector<int> chosen;
  for (int k = 0; k < h.rows(); ++k) {
    chosen.push_back(k);
    const auto value =
        evaluate_until_nonzero(determinant(columns_of(rows_of(h, chosen), chosen)), BallPoint(1));
    if (!value) continue;
    above += value->is_positive() ? 1 : 0;
    alternating += (k % 2 == 0 ? value->is_negative() : value->is_positive()) ? 1 : 0;
  }
  if (std::max(above, alternating) == h.rows()) return Proved{};
  return Refuted{{.point = {}, .value = "a minor of another sign", .note = "the second variation"}};
}

/// h on the kernel of the slopes, whose vectors are verified to be that.
struct Restricted {
  Matrix h;
  std::vector<Expr> residuals;
};
Restricted restricted(const Matrix& h, const Matrix& slopes) {
  const Matrix W = kernel(transpose(slopes)).basis;
  return {transpose(W) * h * W, (transpose(slopes) * W).entries()};
}

}  // namespace

std::vector<CheckedStep> extremum_steps(const ClaimedSystem& claim, const Data& extremum,
                                        const SymbolMap& values, std::vector<Symbol> influencing) {
  const ClaimedState state = claimed_state(claim, extremum);
  const SymbolMap parameters = parameters_of(state);
  // In short: what cancels in them does not matter.
  std::vector<Expr> F{short_form(substitute(energy_on_D(claim), parameters))};
  for (const Expr f : formulas_field(claim, extremum, "integrals", list_field(extremum, "integrals").size()))
    F.push_back(short_form(substitute(f, parameters)));
  const std::vector<Expr> lambda = formulas_field(claim, extremum, "multipliers", F.size());
  for (const Symbol s : symbols_of(F)) {
    const bool function = std::ranges::find(claim.functions, s) != claim.functions.end();
    if (function && std::ranges::find(influencing, s) == influencing.end()) influencing.push_back(s);
    if (s.role() == Role::parameter) bad_certificate("a parameter has no value");
    if (s.role() == Role::time) bad_certificate("an integral that contains the time bounds no motion");
  }
  SymbolMap motion, family, there;
  for (const auto& [s, rate] : claim.motion) motion.emplace(s, substitute(rate, parameters));
  for (const auto& [s, value] : values) {
    family.emplace(s, substitute(value, parameters));
    there.emplace(s, substitute(value, state.values));
  }
  const Matrix effect = moved(claim, influencing);
  const Directions directions = directions_at(claim, substitute(effect, there));
  const int n = static_cast<int>(directions.all.size());
  Matrix slopes(n, 0), stationary(n, 1), h(n, n);
  std::vector<Expr> rates;
  for (std::size_t i = 0; i < F.size(); ++i) {
    rates.push_back(derivative_along(F[i], motion));
    slopes = beside(slopes, slopes_of(directions, F[i], there));
    stationary = stationary + lambda[i] * slopes_of(directions, F[i], family);
    h = h + substitute(lambda[i], state.values) * second_slopes(directions, F[i], there);
  }
  const Restricted on_W = restricted(h, slopes);
  require_values(state, Matrix(on_W.h).entries());
  return {{"the values named for it are allowed", real_values(state, formulas_in(values))},
          {"the integrals are constant along the motion", is_zero(rates)},
          {"their combination is stationary", is_zero(stationary.entries())},
          {"what matters varies there as it does elsewhere", has_rank(effect, directions.legs)},
          {"its second variation is taken along all that the integrals allow", is_zero(on_W.residuals)},
          {"there it is definite", is_definite(on_W.h)}};
}

}  // namespace rattleback

#include <rattleback/proof/check/jacobi_claim.hpp>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_bracket.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/check/conformal_claim.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool truth_of(const Data& d, const char* key) {
  const Data* found = d.find(key);
  if (found == nullptr || found->get_if<bool>() == nullptr)
    bad_certificate(fmt::format("`{}` is neither true nor false", key));
  return *found->get_if<bool>();
}

/// Rows of formulas in the frame of D*.
std::vector<Matrix> columns_field(const ClaimedBracket& b, const Data& d, const char* key) {
  std::vector<Matrix> all;
  for (const Data& row : list_field(d, key))
    all.push_back(Matrix::column(formulas_on(b, row, at(b.dimension()))));
  return all;
}

/// The leg moves no function of the configuration.
bool is_formal(const SymbolMap& leg) {
  return std::ranges::all_of(leg, [](const auto& image) { return image.second.is_zero(); });
}

/// The orbit is along a leg that moves a function.
bool moves_something(const ClaimedBracket& b, const Matrix& orbit) {
  bool moves = false;
  for (int i = 0; i < b.n(); ++i) moves = moves || (!orbit[i].is_zero() && !is_formal(b.claim->frame[at(i)]));
  return moves;
}

/// ξ^C L, and ξ of the position constraints; and [ξ, X_α] − M_α^β X_β where the lift turns the momenta by M_α^β p_β. A leg that moves no function is an orbit by itself.
std::vector<Expr> orbit_residuals(const ClaimedBracket& b, const Matrix& orbit) {
  const ClaimedSystem& claim = *b.claim;
  const int n = b.n(), r = static_cast<int>(b.p.size());
  std::vector<Expr> xi, all;
  ClaimedField X(n + 1, 1);
  for (int i = 0; i < n; ++i) {
    xi.push_back(orbit[i]);
    X[i] = orbit[i];
    for (const Symbol s : b.p) all.push_back(derivative(orbit[i], s));
  }
  if (!moves_something(b, orbit)) {
    for (int a = 0; a < r; ++a) all.push_back(orbit[n + a]);
    return all;
  }
  const SymbolMap lift = complete_lift(claim, xi);
  all.push_back(derivative_along(claim.lagrangian, lift));
  for (const Expr e : positions_of_check()) all.push_back(derivative_along(e, lift));
  std::vector<ClaimedField> legs = legs_of_D(claim);
  for (int a = 0; a < r; ++a) {
    ClaimedField Z = field_bracket(claim, X, legs[at(a)]);
    Expr rest = orbit[n + a];
    for (int c = 0; c < r; ++c) {
      const Expr M = derivative(orbit[n + a], b.p[at(c)]);
      Z = Z - M * legs[at(c)];
      rest -= M * b.p[at(c)];
    }
    all.push_back(rest);
    for (const Expr e : Z.entries()) all.push_back(e);  // so M is a function on Q: the legs are independent
  }
  return all;
}

/// Casimirs are constant along the Y_a and the orbits, hence along their brackets: no more of them are independent than these leave
/// directions. Those listed show that there are as many; where some have no closed form, Frobenius does.       (W.5)
std::vector<CheckedStep> count_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                     int count, int listed) {
  const std::vector<Matrix> fields = with_brackets(b, q.fields(), d);
  const Matrix columns = side_by_side(fields, fields.size());
  const int directions = b.dimension() - count;
  std::vector<CheckedStep> steps{
      {"no more Casimirs are listed than counted", at_least(count, listed, "the number counted")},
      {"brackets leave no room for more Casimirs", at_least(rank(columns).value, directions, "their rank")}};
  if (count <= listed || refuted(steps.back().verdict)) return steps;
  const Matrix basis = columns_of(columns, independent_columns(columns));
  Matrix all = basis;
  for (int i = 0; i < basis.columns(); ++i) {
    for (int j = i + 1; j < basis.columns(); ++j)
      all = beside(all, b.bracket(basis.column(i), basis.column(j)));
  }
  steps.push_back({"the brackets close, so there are as many as stated", has_rank(all, directions)});
  return steps;
}

std::vector<CheckedStep> casimir_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d) {
  const Data::List& given = list_field(d, "casimirs");
  const std::vector<Expr> C = formulas_on(b, Data(given), given.size());
  std::vector<Expr> rates;
  std::vector<Matrix> differentials;
  for (const Expr c : C) {
    differentials.push_back(b.differential(c));
    for (const Matrix& Y : q.fields()) rates.push_back(dot(differentials.back(), Y));
  }
  std::vector<CheckedStep> steps;
  if (!C.empty()) {
    steps.push_back({"the Casimirs commute with everything", is_zero(rates)});
    steps.push_back(
        {"they are independent", at_least(rank(side_by_side(differentials, C.size())).value,
                                          static_cast<int>(C.size()), "the rank of their differentials")});
  }
  if (d.find("casimir_count") == nullptr) return steps;
  const int count = number_field(d, "casimir_count"), listed = static_cast<int>(C.size());
  for (CheckedStep& step : count_steps(b, q, d, count, listed)) steps.push_back(std::move(step));
  return steps;
}

std::vector<CheckedStep> identity_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                        const std::vector<Expr>& J) {
  std::vector<CheckedStep> steps;
  if (truth_of(d, "holds"))
    steps.push_back({"Jacobi's identity holds", is_zero(J)});
  else
    steps.push_back({"Jacobi's identity fails", some_do_not_vanish(J)});
  for (CheckedStep& step : casimir_steps(b, q, d)) steps.push_back(std::move(step));
  for (CheckedStep& step : factor_steps(b, q, d, J)) steps.push_back(std::move(step));
  return steps;
}

/// The orbits, their brackets, and all legs that move no function when one of the orbits is along such legs: together they span the group.
std::vector<Matrix> generated_by(const ClaimedBracket& b, const std::vector<Matrix>& orbits) {
  std::vector<Matrix> all = orbits;
  for (std::size_t i = 0; i < orbits.size(); ++i) {
    for (std::size_t j = i + 1; j < orbits.size(); ++j) all.push_back(b.bracket(orbits[i], orbits[j]));
  }
  const bool formal =
      std::ranges::any_of(orbits, [&](const Matrix& orbit) { return !moves_something(b, orbit); });
  for (int i = 0; formal && i < b.n(); ++i) {
    if (is_formal(b.claim->frame[at(i)])) all.push_back(Matrix::identity(b.dimension()).column(i));
  }
  return all;
}

std::vector<CheckedStep> reduced_steps(const ClaimedBracket& b, const Data& d,
                                       const std::map<std::array<int, 3>, Expr>& J) {
  const ClaimedQuotient q = quotient_of(b, columns_field(b, d, "orbits"), columns_field(b, d, "covectors"));
  std::vector<Expr> group, vanishing;
  for (const Matrix& orbit : q.orbits) {
    for (const Expr e : orbit_residuals(b, orbit)) group.push_back(e);
    for (const Matrix& gamma : q.covectors) vanishing.push_back(dot(gamma, orbit));
  }
  const int directions = rank(side_by_side(q.orbits, q.orbits.size())).value,
            left = b.dimension() - directions;
  const std::vector<Matrix> generated = generated_by(b, q.orbits);
  std::vector<CheckedStep> steps{
      {"the group leaves D and the Lagrangian alone, and is lifted to the momenta", is_zero(group)},
      {"the covectors vanish along its orbits", is_zero(vanishing)},
      {"all that do are their combinations",
       at_least(rank(side_by_side(q.covectors, q.covectors.size())).value, left,
                "the rank of the covectors")},
      {"the orbits are those of a group", has_rank(side_by_side(generated, generated.size()), directions)}};
  for (CheckedStep& step : identity_steps(b, q, d, jacobiator_on(J, q))) steps.push_back(std::move(step));
  for (CheckedStep& step : steps)
    step.what = fmt::format("on D*/G with {}: {}", text_field(d, "group"), step.what);
  return steps;
}

}  // namespace

std::vector<CheckedStep> jacobi_steps(const ClaimedSystem& claim, const Data& certificate) {
  const ClaimedBracket b = claimed_bracket(claim, certificate);
  const auto J = jacobiator_of(b);
  std::vector<CheckedStep> steps{{"the momenta determine the speeds", is_zero(b.legendre)}};
  if (certificate.find("holds") != nullptr) {
    std::vector<Matrix> everything;
    for (int l = 0; l < b.dimension(); ++l) everything.push_back(Matrix::identity(b.dimension()).column(l));
    const ClaimedQuotient whole = quotient_of(b, {}, everything);
    for (CheckedStep& step : identity_steps(b, whole, certificate, jacobiator_on(J, whole)))
      steps.push_back({"on D*: " + step.what, std::move(step.verdict)});
  }
  for (const Data& d : list_field(certificate, "reductions")) {
    for (CheckedStep& step : reduced_steps(b, d, J)) steps.push_back(std::move(step));
  }
  if (steps.size() == 1) bad_certificate("it claims nothing about a bracket");
  return steps;
}

std::vector<std::string> jacobi_stated(const Data& certificate) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& where, const Data& d) {
    lines.push_back(fmt::format("{}: {}", where, truth_of(d, "holds") ? "Poisson" : "not Poisson"));
    for (const Data& c : list_field(d, "casimirs")) {
      if (c.text() == nullptr) bad_certificate("a Casimir is not a formula");
      lines.push_back(fmt::format("Casimir {}: {}", where, *c.text()));
    }
    if (d.find("casimir_count") != nullptr)
      lines.push_back(fmt::format("Casimirs {}: {}", where, number_field(d, "casimir_count")));
    if (d.find("no_factor") != nullptr) lines.push_back(fmt::format("factor {}: none exists", where));
    if (d.find("factor") != nullptr)
      lines.push_back(fmt::format("factor {}: {}", where, text_field(d, "factor")));
  };
  if (certificate.find("holds") != nullptr) add("on D*", certificate);
  for (const Data& d : list_field(certificate, "reductions"))
    add(fmt::format("on D*/G with {}", text_field(d, "group")), d);
  return lines;
}

}  // namespace rattleback

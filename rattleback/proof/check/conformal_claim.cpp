#include <rattleback/proof/check/conformal_claim.hpp>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// f J + π_ab Y_c[f] + π_bc Y_a[f] + π_ca Y_b[f]: f times                                                        (J.4)
std::vector<Expr> factor_residuals(const ClaimedBracket& b, const ClaimedQuotient& q, std::vector<Expr> J,
                                   Expr f) {
  const int d = static_cast<int>(q.covectors.size());
  const auto w = [&](int a) { return b.along(q.raised.column(a), f); };
  std::size_t next = 0;
  for (int i = 0; i < d; ++i) {
    for (int j = i + 1; j < d; ++j) {
      for (int k = j + 1; k < d; ++k) {
        J[next] = f * J[next] + q.tensor(i, j) * w(k) + q.tensor(j, k) * w(i) + q.tensor(k, i) * w(j);
        ++next;
      }
    }
  }
  for (const Matrix& orbit : q.orbits) J.push_back(dot(b.differential(f), orbit));
  return J;
}

/// (J.4) for w: a row (π_bc, π_ca, π_ab | −J(a, b, c)) for each triple.
Matrix slope_equations(const ClaimedQuotient& q, const std::vector<Expr>& J) {
  const int d = q.dimension();
  Matrix rows(0, d + 1);
  auto value = J.begin();
  for (int i = 0; i < d; ++i) {
    for (int j = i + 1; j < d; ++j) {
      for (int k = j + 1; k < d; ++k, ++value) {
        std::vector<Expr> row(at(d), Expr(0));
        row[at(k)] = q.tensor(i, j);
        row[at(i)] = q.tensor(j, k);
        row[at(j)] = q.tensor(k, i);
        row.push_back(-*value);
        rows = stacked(rows, Matrix::row(row));
      }
    }
  }
  return rows;
}

/// (π∧π)(a, b, c, d).
std::vector<Expr> squared(const Matrix& t) {
  std::vector<Expr> all;
  for (int a = 0; a < t.rows(); ++a) {
    for (int b = a + 1; b < t.rows(); ++b) {
      for (int c = b + 1; c < t.rows(); ++c) {
        for (int d = c + 1; d < t.rows(); ++d)
          all.push_back(t(a, b) * t(c, d) - t(a, c) * t(b, d) + t(a, d) * t(b, c));
      }
    }
  }
  return all;
}

/// w is the only solution of (J.4); with Y_a[log f] = w_a, and 0 along the orbits, brackets lead to W = c^k W_k with other rates.
std::vector<CheckedStep> contradiction_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                             const std::vector<Expr>& J) {
  const int dimension = q.dimension();
  const std::vector<Expr> w = formulas_on(b, Data(list_field(d, "slopes")), at(dimension));
  const Matrix rows = slope_equations(q, J);
  std::vector<Expr> residuals;
  for (int k = 0; k < rows.rows(); ++k) {
    std::vector<Expr> terms{-rows(k, dimension)};
    for (int a = 0; a < dimension; ++a) terms.push_back(rows(k, a) * w[at(a)]);
    residuals.push_back(sum(terms));
  }
  std::vector<int> unknowns;
  for (int a = 0; a < dimension; ++a) unknowns.push_back(a);
  std::vector<Expr> rates = w;
  rates.resize(q.fields().size(), Expr(0));
  const std::vector<Matrix> fields = with_brackets(b, q.fields(), d);
  for (const Data& pair : list_field(d, "brackets")) {
    const auto [i, j] = bracket_below(pair, rates.size());
    rates.push_back(b.along(fields[at(i)], rates[at(j)]) - b.along(fields[at(j)], rates[at(i)]));
  }
  const std::vector<Expr> c = formulas_on(b, Data(list_field(d, "combination")), fields.size());
  Matrix Z(b.dimension(), 1);
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t k = 0; k < c.size(); ++k) {
    Z = Z + c[k] * fields[k];
    terms.push_back(c[k] * rates[k]);
  }
  return {{"the slopes of the logarithm of a factor are as stated", is_zero(residuals)},
          {"they are the only ones",
           at_least(rank(columns_of(rows, unknowns)).value, dimension, "the rank of their equations")},
          {"the combination of fields and brackets vanishes", is_zero(Z.entries())},
          {"that of the slopes does not", some_do_not_vanish({sum(terms)})}};
}

std::vector<CheckedStep> no_factor_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                         const std::vector<Expr>& J) {
  const std::string& reason = text_field(d, "reason");
  std::vector<CheckedStep> steps{{"without a factor it is not Poisson", some_do_not_vanish(J)}};
  // On D* it is not Poisson if and only if D is not integrable, and then no factor makes it Poisson: nothing more is asked.
  if (reason == "not integrable" && q.orbits.empty()) return steps;
  if (reason == "rank two") {
    steps.push_back({"the rank is two, so no factor matters", is_zero(squared(q.tensor))});
  } else if (reason == "no slopes") {
    steps.push_back({"no slopes of a factor satisfy the equations",
                     at_least(rank(slope_equations(q, J)).value, q.dimension() + 1,
                              "the rank with the right-hand side")});
  } else if (reason == "contradiction") {
    for (CheckedStep& step : contradiction_steps(b, q, d, J)) steps.push_back(std::move(step));
  } else {
    bad_certificate("it is not known why there should be no factor");
  }
  return steps;
}

}  // namespace

std::vector<CheckedStep> factor_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                      const std::vector<Expr>& J) {
  if (const Data* none = d.find("no_factor")) return no_factor_steps(b, q, *none, J);
  if (d.find("factor") == nullptr) return {};
  const Expr f = formulas_on(b, Data(Data::List{*d.find("factor")}), 1)[0];
  return {{"the factor is not zero", some_do_not_vanish({f})},
          {"with the factor it holds", is_zero(factor_residuals(b, q, J, f))}};
}

}  // namespace rattleback

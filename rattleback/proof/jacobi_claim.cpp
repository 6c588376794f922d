#include <rattleback/proof/jacobi_claim.hpp>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/proof/claimed_fields.hpp>
#include <rattleback/proof/claimed_motion.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool truth_of(const Data& d, const char* key) {
  const Data* found = d.find(key);
  if (found == nullptr || found->get_if<bool>() == nullptr)
    bad_certificate(fmt::format("`{}` is neither true nor false", key));
  return *found->get_if<bool>();
}

/// The bracket on D* in the frame (X_i, ∂/∂p_α).
struct ClaimedBracket {
  const ClaimedSystem* claim;
  std::vector<Symbol> p;
  Matrix pi;
  std::vector<Expr> legendre;  ///< p_α(q, z(q, p)) − p_α

  int n() const { return static_cast<int>(claim->velocities.size()); }
  int dimension() const { return pi.rows(); }
  /// e_l[f].
  Expr slope(int l, Expr f) const {
    return l < n() ? derivative_along(f, claim->frame[at(l)]) : derivative(f, p[at(l - n())]);
  }
  Matrix differential(Expr f) const {
    Matrix df(dimension(), 1);
    for (int l = 0; l < dimension(); ++l) df[l] = slope(l, f);
    return df;
  }
};

std::vector<Symbol> momenta_field(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<Symbol> p;
  for (const Data& item : list_field(certificate, "momentum_names")) {
    const Expr e = item.text() == nullptr ? Expr(0) : claim.formula(*item.text());
    const auto listed = [&](const std::vector<Symbol>& all) {
      return std::ranges::find(all, e.symbol()) != all.end();
    };
    if (!e.is(Kind::symbol) || listed(p) || listed(claim.functions) || listed(claim.velocities) ||
        listed(claim.speeds))
      bad_certificate("a momentum has no name of its own");
    p.push_back(e.symbol());
  }
  if (p.size() != claim.speeds.size()) bad_certificate("there are not as many momenta as speeds");
  return p;
}

ClaimedBracket claimed_bracket(const ClaimedSystem& claim, const Data& certificate) {
  ClaimedBracket b{&claim, momenta_field(claim, certificate), {}, {}};
  const int n = b.n(), r = static_cast<int>(b.p.size());
  const std::vector<Expr> z = formulas_field(claim, certificate, "speeds_by_momenta", at(r));
  SymbolMap to_momenta;
  for (int a = 0; a < r; ++a) to_momenta.emplace(claim.speeds[at(a)], z[at(a)]);
  const Matrix P = Matrix::column(
      substitute(substitute(gradient(claim.lagrangian, claim.velocities), claim.psi), to_momenta));
  std::vector<ClaimedField> legs = legs_of_D(claim);
  legs.resize(at(r));  // without the drift
  b.pi = Matrix(n + r, n + r);
  const auto set = [&](int i, int j, Expr value) {
    b.pi(i, j) = value;
    b.pi(j, i) = -value;
  };
  const auto with_P = [&](const ClaimedField& X) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < n; ++i) terms.push_back(P[i] * X[i]);
    return sum(terms);
  };
  for (int a = 0; a < r; ++a) {
    b.legendre.push_back(with_P(legs[at(a)]) - b.p[at(a)]);
    for (int i = 0; i < n; ++i) set(i, n + a, legs[at(a)][i]);
    for (int c = a + 1; c < r; ++c)
      set(n + a, n + c, -with_P(field_bracket(claim, legs[at(a)], legs[at(c)])));
  }
  return b;
}

/// J^{ijk} for i < j < k.                                                                                  (W.3)
std::map<std::array<int, 3>, Expr> jacobiator_of(const ClaimedBracket& b) {
  const int N = b.dimension();
  const auto term = [&](int i, int j, int k) {
    std::vector<Expr> terms{Expr(0)};
    for (int l = 0; l < N; ++l) {
      if (!b.pi(l, k).is_zero()) terms.push_back(b.pi(l, k) * b.slope(l, b.pi(i, j)));
    }
    for (const auto& c : b.claim->structure) {
      if (c.k == k) terms.push_back(-c.value * b.pi(c.i, i) * b.pi(c.j, j));
    }
    return sum(terms);
  };
  std::map<std::array<int, 3>, Expr> J;
  for (int i = 0; i < N; ++i) {
    for (int j = i + 1; j < N; ++j) {
      for (int k = j + 1; k < N; ++k) {
        const Expr value = term(i, j, k) + term(j, k, i) + term(k, i, j);
        if (!value.is_zero()) J.emplace(std::array{i, j, k}, value);
      }
    }
  }
  return J;
}

/// Rows of formulas in the frame of D*.
std::vector<Matrix> columns_field(const ClaimedBracket& b, const Data& d, const char* key) {
  std::vector<Matrix> all;
  for (const Data& row : list_field(d, key)) {
    Data one;
    one["row"] = row;
    all.push_back(Matrix::column(formulas_field(*b.claim, one, "row", at(b.dimension()))));
  }
  return all;
}

/// ξ^C L; and [ξ, X_α] − M_α^β X_β where the lift turns the momenta by M_α^β p_β. A leg that moves no function is an orbit by itself.
std::vector<Expr> orbit_residuals(const ClaimedBracket& b, const Matrix& orbit) {
  const ClaimedSystem& claim = *b.claim;
  const int n = b.n(), r = static_cast<int>(b.p.size());
  std::vector<Expr> xi, all;
  bool moves = false;
  ClaimedField X(n + 1, 1);
  for (int i = 0; i < n; ++i) {
    xi.push_back(orbit[i]);
    X[i] = orbit[i];
    const auto& leg = claim.frame[at(i)];
    moves = moves || (!orbit[i].is_zero() &&
                      std::ranges::any_of(leg, [](const auto& image) { return !image.second.is_zero(); }));
    for (const Symbol s : b.p) all.push_back(derivative(orbit[i], s));
  }
  if (!moves) {
    for (int a = 0; a < r; ++a) all.push_back(orbit[n + a]);
    return all;
  }
  all.push_back(derivative_along(claim.lagrangian, complete_lift(claim, xi)));
  std::vector<ClaimedField> legs = legs_of_D(claim);
  for (int a = 0; a < r; ++a) {
    ClaimedField Z = field_bracket(claim, X, legs[at(a)]);
    Expr rest = orbit[n + a];
    for (int c = 0; c < r; ++c) {
      const Expr M = derivative(orbit[n + a], b.p[at(c)]);
      Z = Z - M * legs[at(c)];
      rest -= M * b.p[at(c)];
      for (const Symbol s : b.p) all.push_back(derivative(M, s));
    }
    all.push_back(rest);
    for (const Expr e : Z.entries()) all.push_back(e);
  }
  return all;
}

/// One space that the bracket lives on: covectors that vanish along the orbits.
struct ClaimedQuotient {
  std::vector<Matrix> orbits, covectors;
  Matrix raised;  ///< π γ_a as columns, Y_a in the frame
  Matrix tensor;  ///< π(γ_a, γ_b)

  Expr along(const ClaimedBracket& b, int a, Expr f) const {
    return dot(b.differential(f), raised.column(a));
  }
};
ClaimedQuotient quotient_of(const ClaimedBracket& b, std::vector<Matrix> orbits,
                            std::vector<Matrix> covectors) {
  if (covectors.empty()) bad_certificate("there are no covectors");
  ClaimedQuotient q{std::move(orbits), std::move(covectors), {}, {}};
  const Matrix gamma = side_by_side(q.covectors, q.covectors.size());
  q.raised = b.pi * gamma;
  q.tensor = transpose(gamma) * q.raised;
  return q;
}

/// J(γ_a, γ_b, γ_c) for a < b < c.
std::vector<Expr> jacobiator_on(const std::map<std::array<int, 3>, Expr>& J, const ClaimedQuotient& q) {
  const auto minor = [&](const std::array<int, 3>& rows, int a, int b, int c) {
    Matrix m(3, 3);
    for (int i = 0; i < 3; ++i) {
      m(i, 0) = q.covectors[at(a)][rows[at(i)]];
      m(i, 1) = q.covectors[at(b)][rows[at(i)]];
      m(i, 2) = q.covectors[at(c)][rows[at(i)]];
    }
    return determinant(m);
  };
  std::vector<Expr> values;
  const int d = static_cast<int>(q.covectors.size());
  for (int a = 0; a < d; ++a) {
    for (int b = a + 1; b < d; ++b) {
      for (int c = b + 1; c < d; ++c) {
        std::vector<Expr> terms{Expr(0)};
        for (const auto& [ijk, value] : J) terms.push_back(value * minor(ijk, a, b, c));
        values.push_back(sum(terms));
      }
    }
  }
  return values;
}

/// f J + π_ab Y_c[f] + π_bc Y_a[f] + π_ca Y_b[f]: f times                                                        (J.4)
std::vector<Expr> factor_residuals(const ClaimedBracket& b, const ClaimedQuotient& q, std::vector<Expr> J,
                                   Expr f) {
  const int d = static_cast<int>(q.covectors.size());
  std::vector<Expr> w;
  for (int a = 0; a < d; ++a) w.push_back(q.along(b, a, f));
  std::size_t next = 0;
  for (int i = 0; i < d; ++i) {
    for (int j = i + 1; j < d; ++j) {
      for (int k = j + 1; k < d; ++k) {
        J[next] =
            f * J[next] + q.tensor(i, j) * w[at(k)] + q.tensor(j, k) * w[at(i)] + q.tensor(k, i) * w[at(j)];
        ++next;
      }
    }
  }
  for (const Matrix& orbit : q.orbits) J.push_back(dot(b.differential(f), orbit));
  return J;
}

std::vector<CheckedStep> casimir_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d) {
  const Data::List& given = list_field(d, "casimirs");
  if (given.empty()) return {};
  const std::vector<Expr> C = formulas_field(*b.claim, d, "casimirs", given.size());
  std::vector<Expr> rates;
  std::vector<Matrix> differentials;
  for (const Expr c : C) {
    differentials.push_back(b.differential(c));
    for (int a = 0; a < q.raised.columns(); ++a) rates.push_back(q.along(b, a, c));
    for (const Matrix& orbit : q.orbits) rates.push_back(dot(differentials.back(), orbit));
  }
  return {{"the Casimirs commute with everything", is_zero(rates)},
          {"they are independent", at_least(rank(side_by_side(differentials, C.size())).value,
                                            static_cast<int>(C.size()), "the rank of their differentials")}};
}

std::vector<CheckedStep> identity_steps(const ClaimedBracket& b, const ClaimedQuotient& q, const Data& d,
                                        const std::vector<Expr>& J) {
  std::vector<CheckedStep> steps;
  if (truth_of(d, "holds"))
    steps.push_back({"Jacobi's identity holds", is_zero(J)});
  else
    steps.push_back({"Jacobi's identity fails", some_do_not_vanish(J)});
  for (CheckedStep& step : casimir_steps(b, q, d)) steps.push_back(std::move(step));
  if (d.find("factor") == nullptr) return steps;
  Data one;
  one["factor"] = Data::List{*d.find("factor")};
  const Expr f = formulas_field(*b.claim, one, "factor", 1)[0];
  steps.push_back({"the factor is not zero", some_do_not_vanish({f})});
  steps.push_back({"with the factor it holds", is_zero(factor_residuals(b, q, J, f))});
  return steps;
}

std::vector<CheckedStep> reduced_steps(const ClaimedBracket& b, const Data& d,
                                       const std::map<std::array<int, 3>, Expr>& J) {
  const ClaimedQuotient q = quotient_of(b, columns_field(b, d, "orbits"), columns_field(b, d, "covectors"));
  std::vector<Expr> group, vanishing;
  for (const Matrix& orbit : q.orbits) {
    for (const Expr e : orbit_residuals(b, orbit)) group.push_back(e);
    for (const Matrix& gamma : q.covectors) vanishing.push_back(dot(gamma, orbit));
  }
  const int left = b.dimension() - rank(side_by_side(q.orbits, q.orbits.size())).value;
  std::vector<CheckedStep> steps{
      {"the group leaves D and the Lagrangian alone, and is lifted to the momenta", is_zero(group)},
      {"the covectors vanish along its orbits", is_zero(vanishing)},
      {"all that do are their combinations",
       at_least(rank(side_by_side(q.covectors, q.covectors.size())).value, left,
                "the rank of the covectors")}};
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
    std::vector<Expr> values;  // in the order of jacobiator_on()
    for (int i = 0; i < b.dimension(); ++i) {
      for (int j = i + 1; j < b.dimension(); ++j) {
        for (int k = j + 1; k < b.dimension(); ++k) {
          const auto found = J.find({i, j, k});
          values.push_back(found == J.end() ? Expr(0) : found->second);
        }
      }
    }
    for (CheckedStep& step : identity_steps(b, quotient_of(b, {}, everything), certificate, values))
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
    if (d.find("factor") != nullptr)
      lines.push_back(fmt::format("factor {}: {}", where, text_field(d, "factor")));
  };
  if (certificate.find("holds") != nullptr) add("on D*", certificate);
  for (const Data& d : list_field(certificate, "reductions"))
    add(fmt::format("on D*/G with {}", text_field(d, "group")), d);
  return lines;
}

}  // namespace rattleback

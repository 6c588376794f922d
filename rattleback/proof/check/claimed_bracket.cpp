#include <rattleback/proof/check/claimed_bracket.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>

namespace rattleback {
namespace {

std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Expr ClaimedBracket::slope(int l, Expr f) const {
  return l < n() ? derivative_along(f, claim->frame[index_of(l)]) : derivative(f, p[index_of(l - n())]);
}

Matrix ClaimedBracket::differential(Expr f) const {
  Matrix df(dimension(), 1);
  for (int l = 0; l < dimension(); ++l) df[l] = slope(l, f);
  return df;
}

Expr ClaimedBracket::along(const Matrix& A, Expr f) const { return dot(differential(f), A); }

Matrix ClaimedBracket::bracket(const Matrix& A, const Matrix& B) const {
  Matrix Z(dimension(), 1);
  for (int l = 0; l < dimension(); ++l) Z[l] = along(A, B[l]) - along(B, A[l]);
  for (const auto& [i, j, k, value] : claim->structure) Z[k] += value * A[i] * B[j];
  return Z;
}

ClaimedBracket claimed_bracket(const ClaimedSystem& claim, const Data& certificate) {
  ClaimedBracket b{
      &claim,
      symbols_in(claim, Data(list_field(certificate, "momentum_names")), {Role::momentum}, "momentum"),
      {},
      {}};
  if (b.p.size() != claim.speeds.size()) bad_certificate("there are not as many momenta as speeds");
  const int n = b.n(), r = static_cast<int>(b.p.size());
  const std::vector<Expr> z = formulas_on(b, Data(list_field(certificate, "speeds_by_momenta")), index_of(r));
  SymbolMap to_momenta;
  for (int a = 0; a < r; ++a) to_momenta.emplace(claim.speeds[index_of(a)], z[index_of(a)]);
  const Matrix P = Matrix::column(
      substitute(substitute(gradient(claim.lagrangian, claim.velocities), claim.psi), to_momenta));
  const std::vector<ClaimedField> legs = legs_of_D(claim);  // a drift behind the first r is no leg
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
    b.legendre.push_back(with_P(legs[index_of(a)]) - b.p[index_of(a)]);
    for (int i = 0; i < n; ++i) set(i, n + a, legs[index_of(a)][i]);
    for (int c = a + 1; c < r; ++c)
      set(n + a, n + c, -with_P(field_bracket(claim, legs[index_of(a)], legs[index_of(c)])));
  }
  return b;
}

std::vector<Expr> formulas_on(const ClaimedBracket& b, const Data& list, std::size_t count) {
  return formulas_of(*b.claim, list, count, {&b.claim->functions, &b.p, &time_alone()}, "a function on D*");
}

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

std::vector<Matrix> ClaimedQuotient::fields() const {
  std::vector<Matrix> all;
  for (int a = 0; a < raised.columns(); ++a) all.push_back(raised.column(a));
  all.insert(all.end(), orbits.begin(), orbits.end());
  return all;
}

ClaimedQuotient quotient_of(const ClaimedBracket& b, std::vector<Matrix> orbits,
                            std::vector<Matrix> covectors) {
  if (covectors.empty()) bad_certificate("there are no covectors");
  ClaimedQuotient q{std::move(orbits), std::move(covectors), {}, {}};
  const Matrix gamma = side_by_side(q.covectors, q.covectors.size());
  q.raised = b.pi * gamma;
  q.tensor = transpose(gamma) * q.raised;
  return q;
}

std::vector<Expr> jacobiator_on(const std::map<std::array<int, 3>, Expr>& J, const ClaimedQuotient& q) {
  const auto minor = [&](const std::array<int, 3>& rows, int a, int b, int c) {
    Matrix m(3, 3);
    for (int i = 0; i < 3; ++i) {
      m(i, 0) = q.covectors[index_of(a)][rows[index_of(i)]];
      m(i, 1) = q.covectors[index_of(b)][rows[index_of(i)]];
      m(i, 2) = q.covectors[index_of(c)][rows[index_of(i)]];
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

std::vector<Matrix> with_brackets(const ClaimedBracket& b, std::vector<Matrix> fields, const Data& d) {
  for (const Data& item : list_field(d, "brackets")) {
    const auto [i, j] = bracket_below(item, fields.size());
    fields.push_back(b.bracket(fields[index_of(i)], fields[index_of(j)]));
  }
  return fields;
}

}  // namespace rattleback

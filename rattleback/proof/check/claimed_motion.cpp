#include <rattleback/proof/check/claimed_motion.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Expr energy_on_D(const ClaimedSystem& claim) {
  std::vector<Expr> terms{-claim.lagrangian};
  for (const Symbol v : claim.velocities) terms.push_back(v * derivative(claim.lagrangian, v));
  return substitute(sum(terms), claim.psi);
}

std::vector<Expr> differential(const ClaimedSystem& claim, Expr g) {
  std::vector<Expr> all;
  for (const SymbolMap& leg : claim.frame) all.push_back(derivative_along(g, leg));
  for (const Symbol z : claim.speeds) all.push_back(derivative(g, z));
  return all;
}

std::vector<Expr> slopes(const ClaimedSystem& claim, Expr g) {
  std::vector<Expr> all = gradient(g, claim.speeds);
  for (const Symbol v : claim.velocities) all.push_back(derivative(g, v));
  all.push_back(derivative(g, Symbol::make("t", {.role = Role::time})));
  return all;
}

Matrix directions(const ClaimedSystem& claim) { return jacobian(claim.admissible, claim.speeds); }

Matrix stacked(const Matrix& a, const Matrix& b) { return transpose(beside(transpose(a), transpose(b))); }

Expr divergence_of_motion(const ClaimedSystem& claim) {
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t i = 0; i < claim.velocities.size(); ++i)
    terms.push_back(derivative_along(claim.admissible[i], claim.frame[i]));
  for (const auto& [i, j, k, value] : claim.structure) {
    const SymbolMap& leg = claim.frame[static_cast<std::size_t>(i)];
    const bool moves = std::ranges::any_of(leg, [](const auto& image) { return !image.second.is_zero(); });
    if (j == k && moves) terms.push_back(-claim.admissible[static_cast<std::size_t>(i)] * value);
  }
  for (std::size_t a = 0; a < claim.speeds.size(); ++a)
    terms.push_back(derivative(claim.speed_rates[a], claim.speeds[a]));
  if (const Expr gram = normal_gram(positions_of_check(), claim.frame); !gram.is(Kind::constant))
    terms.push_back(derivative_along(gram, claim.motion) / (2 * gram));  // the volume of N
  return sum(terms);
}

std::vector<Expr> momenta_of_legs(const ClaimedSystem& claim, const Matrix& legs) {
  const Matrix P = Matrix::column(substitute(gradient(claim.lagrangian, claim.velocities), claim.psi));
  SymbolMap rest;
  for (const Symbol z : claim.speeds) rest.emplace(z, Expr(0));
  std::vector<Expr> p;
  for (int a = 0; a < legs.columns(); ++a) {
    const Expr all = dot(P, legs.column(a));
    p.push_back(all - substitute(all, rest));
  }
  return p;
}

std::vector<Expr> lagrange_residuals(const ClaimedSystem& claim, const std::vector<Expr>& P,
                                     const std::vector<Expr>& along_legs) {
  std::vector<Expr> residuals;
  for (std::size_t i = 0; i < P.size(); ++i)
    residuals.push_back(derivative_along(P[i], claim.motion) - along_legs[i]);
  for (const auto& [i, l, m, value] : claim.structure)
    residuals[static_cast<std::size_t>(i)] +=
        value * claim.admissible[static_cast<std::size_t>(l)] * P[static_cast<std::size_t>(m)];
  return residuals;
}

std::vector<Expr> lagrange_expressions(const ClaimedSystem& claim, Expr lagrangian) {
  std::vector<Expr> along_legs;
  for (const SymbolMap& leg : claim.frame)
    along_legs.push_back(substitute(derivative_along(lagrangian, leg), claim.psi));
  return lagrange_residuals(claim, substitute(gradient(lagrangian, claim.velocities), claim.psi), along_legs);
}

std::vector<Expr> contracted_differential(const ClaimedSystem& claim, const std::vector<Expr>& theta) {
  const std::size_t n = claim.velocities.size();
  std::vector<Expr> r(n + claim.speeds.size(), Expr(0));
  for (std::size_t j = 0; j < n; ++j) {
    r[j] += derivative_along(theta[j], claim.motion);
    for (std::size_t i = 0; i < n; ++i)
      r[j] -= claim.admissible[i] * derivative_along(theta[i], claim.frame[j]);
  }
  for (const auto& [i, j, k, value] : claim.structure)
    r[static_cast<std::size_t>(j)] -=
        claim.admissible[static_cast<std::size_t>(i)] * value * theta[static_cast<std::size_t>(k)];
  for (std::size_t a = 0; a < claim.speeds.size(); ++a) {
    for (std::size_t i = 0; i < n; ++i)
      r[n + a] -= claim.admissible[i] * derivative(theta[i], claim.speeds[a]);
  }
  return r;
}

Matrix two_form(const ClaimedSystem& claim, const Data& d) {
  const int n = static_cast<int>(claim.velocities.size());
  Matrix S(n, n);
  if (d.list() == nullptr) bad_certificate("a two-form is not a list");
  for (const Data& item : *d.list()) {
    const Data::List* entry = item.list();
    if (entry == nullptr || entry->size() != 3)
      bad_certificate("an entry of a two-form needs two indices and a formula");
    const int i = index_below((*entry)[0], claim.velocities.size()),
              j = index_below((*entry)[1], claim.velocities.size());
    if (i >= j) bad_certificate("the indices of a two-form do not increase");
    const Expr value = claim.formula(text_of((*entry)[2]));
    require_listed({value}, {&claim.functions}, "a two-form on Q");
    S(i, j) += value;
    S(j, i) -= value;
  }
  return S;
}

std::vector<Expr> closure_residuals(const ClaimedSystem& claim, const Matrix& S) {
  const int n = S.rows();
  const auto part = [&](int i, int j, int k) {
    std::vector<Expr> terms{derivative_along(S(j, k), claim.frame[static_cast<std::size_t>(i)])};
    for (const auto& c : claim.structure) {
      if (c.i == i && c.j == j) terms.push_back(-c.value * S(c.k, k));
    }
    return sum(terms);
  };
  std::vector<Expr> residuals;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) residuals.push_back(part(i, j, k) + part(j, k, i) + part(k, i, j));
    }
  }
  return residuals;
}

std::vector<Expr> curl(const ClaimedSystem& claim, const std::vector<Expr>& s) {
  const int n = static_cast<int>(s.size());
  Matrix d(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      d(i, j) =
          derivative_along(s[at(j)], claim.frame[at(i)]) - derivative_along(s[at(i)], claim.frame[at(j)]);
  }
  for (const auto& [i, j, k, value] : claim.structure) d(i, j) -= value * s[at(k)];
  return std::move(d).entries();
}

std::vector<Expr> twisted_closure(const ClaimedSystem& claim, const std::vector<Expr>& s, const Matrix& F) {
  std::vector<Expr> all = closure_residuals(claim, F);
  std::size_t next = 0;
  for (int i = 0; i < F.rows(); ++i) {
    for (int j = i + 1; j < F.rows(); ++j) {
      for (int k = j + 1; k < F.rows(); ++k)
        all[next++] += s[at(i)] * F(j, k) + s[at(j)] * F(k, i) + s[at(k)] * F(i, j);
    }
  }
  return all;
}

Verdict some_do_not_vanish(const std::vector<Expr>& es) {
  if (std::ranges::any_of(es, [](Expr e) { return refuted(is_zero(e)); })) return Proved{};
  return Refuted{{.point = {}, .value = "0", .note = "all of it vanishes"}};
}

}  // namespace rattleback

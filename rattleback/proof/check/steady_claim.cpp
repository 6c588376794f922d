#include <rattleback/proof/check/steady_claim.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/check/claimed_state.hpp>
#include <rattleback/proof/check/lyapunov_claim.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// X_i[f], one row for each f.
Matrix variations(const ClaimedSystem& claim, const std::vector<Symbol>& influencing) {
  Matrix E(static_cast<int>(influencing.size()), static_cast<int>(claim.frame.size()));
  for (int f = 0; f < E.rows(); ++f) {
    for (int i = 0; i < E.columns(); ++i) E(f, i) = claim.frame[at(i)].at(influencing[at(f)]);
  }
  return E;
}

/// A of (W.4) at the values, and what has to vanish for it to make sense: the rates, and E − B E_y.
struct SmallMotions {
  Matrix A;
  std::vector<Expr> rates, dependent;
};
SmallMotions small_motions(const ClaimedSystem& claim, const SymbolMap& values) {
  const std::vector<Symbol> influencing = influencing_functions(claim);
  const Matrix E = substitute(variations(claim, influencing), values);
  const std::vector<int> rows = influencing.empty() ? std::vector<int>{} : independent_columns(transpose(E));
  const int k = static_cast<int>(rows.size()), m = static_cast<int>(influencing.size()),
            r = static_cast<int>(claim.speeds.size());
  Matrix B(m, k);
  if (k > 0) {
    const auto solved = solve(transpose(rows_of(E, rows)), transpose(E));
    if (!solved) bad_certificate("the variations of the configuration are not independent");
    B = transpose(solved->x);
  }
  std::vector<Expr> rates;
  std::vector<Symbol> variables = influencing;
  for (const int y : rows) rates.push_back(claim.motion.at(influencing[at(y)]));
  rates.insert(rates.end(), claim.speed_rates.begin(), claim.speed_rates.end());
  variables.insert(variables.end(), claim.speeds.begin(), claim.speeds.end());
  const Matrix J = substitute(jacobian(rates, variables), values);
  Matrix lift(m + r, k + r);  // (δf, δz) from (δy, δz)
  for (int f = 0; f < m; ++f) {
    for (int y = 0; y < k; ++y) lift(f, y) = B(f, y);
  }
  for (int a = 0; a < r; ++a) lift(m + a, k + a) = Expr(1);
  SmallMotions small{J * lift, substitute(claim.speed_rates, values), {}};
  for (const Symbol f : influencing) small.rates.push_back(substitute(claim.motion.at(f), values));
  if (k > 0) small.dependent = (E - B * rows_of(E, rows)).entries();
  return small;
}

/// The coefficients of det(λ − A), lowest first: M_j = A M_{j−1} + c_{n−j+1}, c_{n−j} = −tr(A M_j)/j.
std::vector<Expr> characteristic_coefficients(const Matrix& A) {
  const int n = A.rows();
  std::vector<Expr> c(at(n) + 1, Expr(1));
  Matrix AM(n, n);
  for (int j = 1; j <= n; ++j) {
    Matrix M = AM;
    for (int i = 0; i < n; ++i) M(i, i) += c[at(n - j + 1)];
    AM = A * M;
    std::vector<Expr> diagonal{Expr(0)};
    for (int i = 0; i < n; ++i) diagonal.push_back(AM(i, i));
    c[at(n - j)] = sum(diagonal) * Expr(Rational(-1, j));
  }
  return c;
}

/// Factors a_0 + a_1 λ + … with last coefficient 1.
std::vector<std::vector<Expr>> factors_of(const ClaimedSystem& claim, const Data& family) {
  std::vector<std::vector<Expr>> all;
  for (const Data& item : list_field(family, "factors")) {
    std::vector<Expr> a;
    if (item.list() == nullptr || item.list()->size() < 2) bad_certificate("a factor has no degree");
    for (const Data& e : *item.list()) {
      if (e.text() == nullptr) bad_certificate("a coefficient of a factor is not a formula");
      a.push_back(claim.formula(*e.text()));
    }
    if (!a.back().is_one()) bad_certificate("the last coefficient of a factor is not 1");
    require_listed(a, {&claim.functions, &claim.speeds}, "a characteristic polynomial");
    all.push_back(std::move(a));
  }
  return all;
}

/// The product of the factors, times λ as often as the degree asks for, minus the polynomial.
std::vector<Expr> product_residuals(const std::vector<std::vector<Expr>>& factors, std::vector<Expr> c) {
  std::vector<Expr> product{Expr(1)};
  for (const auto& a : factors) {
    std::vector<Expr> next(product.size() + a.size() - 1, Expr(0));
    for (std::size_t i = 0; i < product.size(); ++i) {
      for (std::size_t j = 0; j < a.size(); ++j) next[i + j] += product[i] * a[j];
    }
    product = std::move(next);
  }
  if (product.size() > c.size()) bad_certificate("the factors have too many roots");
  const std::size_t zeros = c.size() - product.size();
  for (std::size_t k = 0; k < product.size(); ++k) c[zeros + k] -= product[k];
  return c;
}

/// Δ_1, …, Δ_m with entries a_{m−2j+i}.                                                                     (O.5)
std::vector<Expr> hurwitz(const std::vector<Expr>& a) {
  const int m = static_cast<int>(a.size()) - 1;
  std::vector<Expr> all;
  for (int size = 1; size <= m; ++size) {
    Matrix H(size, size);
    for (int i = 1; i <= size; ++i) {
      for (int j = 1; j <= size; ++j) {
        const int k = m - 2 * j + i;
        H(i - 1, j - 1) = k < 0 || k > m ? Expr(0) : a[at(k)];
      }
    }
    all.push_back(determinant(H));
  }
  return all;
}

/// det(s_{i+j})_{i,j<k}, k = 2 … d, with the power sums s of the roots of b_0 + b_1 μ + … + μ^d, by Newton's identities: positive iff
/// the roots are real and simple (Hermite).                                                                      (O.6)
std::vector<Expr> hermite_minors(const std::vector<Expr>& b) {
  const int d = static_cast<int>(b.size()) - 1;
  std::vector<Expr> s{Expr(d)}, all;
  for (int k = 1; k <= 2 * d - 2; ++k) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 1; i <= std::min(k, d); ++i)
      terms.push_back(-b[at(d - i)] * (i == k ? Expr(k) : s[at(k - i)]));
    s.push_back(sum(terms));
  }
  for (int size = 2; size <= d; ++size) {
    Matrix S(size, size);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) S(i, j) = s[at(i + j)];
    }
    all.push_back(determinant(S));
  }
  return all;
}

/// Real, negative and simple roots of b_0 + b_1 μ + … + μ^d: the coefficients and Hermite's minors; for d = 2 that is b_1² − 4 b_0.  (O.6)
std::vector<Expr> squares(const std::vector<Expr>& b) {
  std::vector<Expr> all(b.begin(), b.end() - 1);
  for (const Expr minor : hermite_minors(b)) all.push_back(minor);
  return all;
}

std::vector<Expr> conditions_on(const std::vector<Expr>& a) {
  std::vector<Expr> even;
  bool is_even = true;  // unless an odd power occurs; the highest one has the coefficient 1
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (k % 2 == 0)
      even.push_back(a[k]);
    else
      is_even = is_even && proved(is_zero(a[k]));
  }
  return is_even ? squares(even) : hurwitz(a);
}

/// All are positive at the state; or one is negative.
Verdict signs_at(const ClaimedState& state, const std::vector<Expr>& all, bool positive) {
  int above = 0, below = 0;
  require_values(state, all);
  for (const Expr e : all) {
    const auto value = evaluate_until_nonzero(e, state.point);
    above += value && value->is_positive() ? 1 : 0;
    below += value && value->is_negative() ? 1 : 0;
  }
  if (positive ? above == static_cast<int>(all.size()) : below > 0) return Proved{};
  return Refuted{{.point = {},
                  .value = fmt::format("{} of {} conditions hold", above, all.size()),
                  .note = "the signs at the values named"}};
}

std::vector<CheckedStep> family_steps(const ClaimedSystem& claim, const Data& family) {
  const SymbolMap values = values_of_family(claim, family);
  const SmallMotions small = small_motions(claim, values);
  std::vector<CheckedStep> steps{{"it is a configuration", is_a_configuration(claim, values)},
                                 {"nothing that matters changes", is_zero(small.rates)}};
  std::vector<std::vector<Expr>> factors;
  if (family.find("factors") != nullptr) {
    factors = factors_of(claim, family);
    steps.push_back({"the variations that are left determine the others", is_zero(small.dependent)});
    if (!positions_of_check().empty())
      steps.push_back({"small motions beside N keep the position constraints, too",
                       is_zero(substitute(spreading_of_positions(claim), values))});
    steps.push_back({"the characteristic polynomial has the factors stated",
                     is_zero(product_residuals(factors, characteristic_coefficients(small.A)))});
  }
  if (const Data* extremum = family.find("extremum")) {
    for (CheckedStep& step : extremum_steps(claim, *extremum, values, influencing_functions(claim)))
      steps.push_back(std::move(step));
  }
  if (family.find("at") == nullptr) return steps;
  if (family.find("factors") == nullptr) bad_certificate("eigenvalues are placed without a polynomial");
  const std::string& said = text_field(family, "eigenvalues");
  if (said != "on the right" && said != "not on the right")
    bad_certificate("it is not said where the eigenvalues are");
  std::vector<Expr> conditions;
  for (const auto& a : factors) {
    for (const Expr e : conditions_on(a)) conditions.push_back(e);
  }
  const ClaimedState state = claimed_state(claim, family);
  steps.push_back({"the values named are allowed", real_values(state, formulas_in(values))});
  const bool stable = said == "not on the right";
  steps.push_back({stable ? "there no eigenvalue lies on the right" : "there an eigenvalue lies on the right",
                   signs_at(state, conditions, stable)});
  return steps;
}

}  // namespace

SymbolMap values_of_family(const ClaimedSystem& claim, const Data& family) {
  const Data* values = family.find("values");
  if (values == nullptr || values->record() == nullptr) bad_certificate("`values` is not a record");
  SymbolMap map;
  for (const Data::Field& field : *values->record()) {
    const Expr s = claim.formula(field.key);
    if (!s.is(Kind::symbol) || field.value.text() == nullptr)
      bad_certificate(fmt::format("`{}` does not get a value", field.key));
    const Expr value = claim.formula(*field.value.text());
    if (contains(value, Symbol::make("t", {.role = Role::time})))
      bad_certificate(fmt::format("the value of `{}` changes with time", field.key));
    if (!map.emplace(s.symbol(), value).second)
      bad_certificate(fmt::format("`{}` gets two values", field.key));
  }
  for (const auto* all : {&claim.functions, &claim.speeds}) {
    for (const Symbol s : *all) {
      if (!map.contains(s)) bad_certificate(fmt::format("`{}` has no value", s.name()));
    }
  }
  if (map.size() != claim.functions.size() + claim.speeds.size())
    bad_certificate("a value is given to what is neither a function of the configuration nor a speed");
  return map;
}

std::vector<Symbol> influencing_functions(const ClaimedSystem& claim) {
  std::vector<Symbol> influencing;
  std::vector<Expr> rates = claim.speed_rates;
  while (!rates.empty()) {
    const std::vector<Symbol> occurring = symbols_of(rates);
    rates.clear();
    for (const Symbol f : claim.functions) {
      if (std::ranges::find(occurring, f) == occurring.end() ||
          std::ranges::find(influencing, f) != influencing.end())
        continue;
      influencing.push_back(f);
      rates.push_back(claim.motion.at(f));
    }
  }
  return influencing;
}

std::vector<CheckedStep> steady_steps(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<CheckedStep> steps;
  const Data::List& families = list_field(certificate, "families");
  if (families.empty()) bad_certificate("no steady motion is named");
  for (const Data& family : families) {
    for (CheckedStep& step : family_steps(claim, family))
      steps.push_back(
          {fmt::format("{}: {}", text_field(family, "point"), step.what), std::move(step.verdict)});
  }
  return steps;
}

namespace {

/// "a = 1, u = 2" of the field `at`.
std::string listed_values(const Data& d) {
  std::string there;
  const Data* at_values = d.find("at");
  for (const Data::Field& field :
       at_values == nullptr || at_values->record() == nullptr ? Data::Record{} : *at_values->record()) {
    if (field.value.text() == nullptr) bad_certificate("a value is not a formula");
    there += fmt::format("{}{} = {}", there.empty() ? "" : ", ", field.key, *field.value.text());
  }
  return there;
}

}  // namespace

std::vector<std::string> steady_stated(const Data& certificate) {
  std::vector<std::string> lines;
  for (const Data& family : list_field(certificate, "families")) {
    std::string values;
    const Data* record = family.find("values");
    for (const Data::Field& field :
         record == nullptr || record->record() == nullptr ? Data::Record{} : *record->record()) {
      if (field.value.text() == nullptr) bad_certificate("a value is not a formula");
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", field.key, *field.value.text());
    }
    lines.push_back(fmt::format("family {}: {}", text_field(family, "point"), values));
    if (family.find("at") != nullptr)
      lines.push_back(
          fmt::format("eigenvalues {}: at {}", text_field(family, "eigenvalues"), listed_values(family)));
    if (const Data* extremum = family.find("extremum"))
      lines.push_back(fmt::format("Lyapunov stable, a combination of integrals has an extremum: at {}",
                                  listed_values(*extremum)));
  }
  return lines;
}

}  // namespace rattleback

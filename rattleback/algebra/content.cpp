#include <rattleback/algebra/content.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

#include <rattleback/algebra/exact.hpp>

namespace rattleback {
namespace {

using Exponents = std::unordered_map<Expr, int>;

void count_factors(Expr e, Exponents& exponents) {
  if (e.is(Kind::product)) {
    for (const Expr f : e.args()) count_factors(f, exponents);
  } else if (e.is(Kind::power)) {
    exponents[e.args()[0]] += e.exponent();
  } else if (!e.is(Kind::constant)) {
    exponents[e] += 1;
  }
}

/// Factors that stand in every entry, with their least exponent; denominators have negative ones.
Exponents common_factors(const Matrix& v) {
  Exponents least;
  bool first = true;
  for (const Expr e : v.entries()) {
    if (e.is_zero()) continue;
    Exponents here;
    count_factors(e, here);
    for (auto& [base, n] : least) {
      const auto found = here.find(base);
      n = std::min(n, found == here.end() ? 0 : found->second);
    }
    for (const auto& [base, n] : here) {
      if (first)
        least.emplace(base, n);
      else if (!least.contains(base))
        least.emplace(base, std::min(n, 0));
    }
    first = false;
  }
  return least;
}

/// The common numeric factor, with the sign of the first entry.
Rational common_number(const Matrix& v) {
  std::optional<Rational> least;
  for (const Expr e : v.entries()) {
    if (e.is_zero()) continue;
    const Rational c = split_coefficient(e).coefficient;
    if (!least) {
      least = c;
    } else if (!(c / *least).is_integer()) {
      least = (*least / c).is_integer() ? c : Rational(1);
    }
  }
  return least.value_or(Rational(1));
}

Matrix divided_by_common_factors(const Matrix& v) {
  std::vector<std::pair<Expr, int>> factors;
  for (const auto& [base, n] : common_factors(v)) {
    if (n != 0) factors.emplace_back(base, n);
  }
  std::sort(factors.begin(), factors.end(),
            [](const auto& a, const auto& b) { return a.first.hash() < b.first.hash(); });
  Matrix w = v;
  for (Expr& e : w.entries()) {
    if (e.is_zero()) continue;
    std::vector<Expr> all{e};
    for (const auto& [base, n] : factors) all.push_back(pow(base, -n));
    e = product(all);
  }
  return Expr(Rational(1) / common_number(w)) * w;
}

}  // namespace

Matrix primitive(const Matrix& v) { return divided_by_common_factors(v); }

}  // namespace rattleback

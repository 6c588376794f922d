#include <rattleback/geometry/exponential_integral.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/rational_combination.hpp>
#include <rattleback/geometry/real_power.hpp>

namespace rattleback {
namespace {

/// Beyond this many factors their exponents are not looked for.
constexpr std::size_t most_factors = search_limits::factors_of_an_integral.count;

bool varies(const Space& space, Expr f) {
  return std::any_of(space.functions().begin(), space.functions().end(),
                     [&](Symbol s) { return contains(f, s); });
}

void collect_factors(Expr e, std::vector<Expr>& found);

/// What terms of a sum are divided by.
void collect_denominators(Expr term, std::vector<Expr>& found) {
  allow_recursion();
  if (term.is(Kind::product) || term.is(Kind::sum)) {
    for (const Expr f : term.args()) collect_denominators(f, found);
  } else if (term.is(Kind::power) && term.exponent() < 0) {
    collect_factors(term.args()[0], found);
  }
}

/// What e is divided by or multiplied with, as written, also in partial fractions.
void collect_factors(Expr e, std::vector<Expr>& found) {
  allow_recursion();
  if (e.is(Kind::product)) {
    for (const Expr f : e.args()) collect_factors(f, found);
  } else if (e.is(Kind::power)) {
    collect_factors(e.args()[0], found);
  } else if (e.is(Kind::call) && e.function().kind() == Builtin::sqrt) {
    collect_factors(e.args()[0], found);
  } else if (e.is(Kind::call) &&
             (e.function().kind() == Builtin::tan || e.function().kind() == Builtin::cot)) {
    found.push_back(sin(e.args()[0]));
    found.push_back(cos(e.args()[0]));
  } else if (e.is(Kind::sum) || e.is(Kind::call) || e.is(Kind::symbol)) {
    found.push_back(e);
    if (e.is(Kind::sum)) collect_denominators(e, found);
  }
}

/// Different ones that are not constant.
std::vector<Expr> varying(const Space& space, const std::vector<Expr>& found) {
  std::vector<Expr> all;
  for (const Expr f : found) {
    if (varies(space, f) && std::find(all.begin(), all.end(), f) == all.end() && all.size() < most_factors)
      all.push_back(f);
  }
  return all;
}

std::vector<Expr> factors_of(std::span<const Expr> hints) {
  std::vector<Expr> found;
  for (const Expr h : hints) collect_factors(short_form(h), found);
  return found;
}

std::vector<Expr> factors(const OneForm& alpha, std::span<const Expr> hints) {
  std::vector<Expr> found;
  for (const Expr a : alpha.coefficients()) {
    collect_factors(short_form(a), found);
    collect_factors(canonical(a), found);
  }
  const std::vector<Expr> more = factors_of(hints);
  found.insert(found.end(), more.begin(), more.end());
  return varying(alpha.space(), found);
}

/// (D.9).
std::optional<Expr> product_of_powers(const OneForm& alpha, const std::vector<Expr>& fs) {
  std::vector<std::vector<Expr>> columns;
  for (const Expr f : fs) columns.push_back(((1 / f) * differential(alpha.space(), f)).coefficients());
  const auto ks = rational_combination(columns, alpha.coefficients());
  if (!ks) return std::nullopt;
  std::vector<Expr> powers{Expr(1)};
  for (std::size_t i = 0; i < fs.size(); ++i) powers.push_back(real_power(fs[i], (*ks)[i]));
  return product(powers);
}

bool is_exponential_integral(const OneForm& alpha, Expr F) {
  return proved(is_zero(((1 / F) * differential(alpha.space(), F) + Expr(-1) * alpha).coefficients()));
}

}  // namespace

std::optional<Expr> exponential_integral(const OneForm& alpha, std::span<const Expr> hints) {
  for (const auto& fs : {factors(alpha, hints), varying(alpha.space(), factors_of(hints))}) {
    if (const auto F = product_of_powers(alpha, fs); F && is_exponential_integral(alpha, *F)) return F;
  }
  if (const auto f = potential(alpha)) {
    if (const Expr F = real_exponential(*f); is_exponential_integral(alpha, F)) return F;
  }
  return std::nullopt;
}

}  // namespace rattleback

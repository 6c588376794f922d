#include <rattleback/geometry/integrating_factor.hpp>

#include <algorithm>

#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/antiderivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/coordinate_form.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/rational_combination.hpp>
#include <rattleback/geometry/real_power.hpp>

namespace rattleback {
namespace {

bool all_vanish(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

bool is_closed(const OneForm& alpha) { return all_vanish(d(alpha).coefficients()); }

/// α(X) for translations, single scalings, the common scaling, and rotations in coordinate planes.
std::vector<Expr> pairings_with_symmetries(const CoordinateForm& form) {
  const std::size_t n = form.coordinates.size();
  const auto q = [&](std::size_t i) { return Expr(form.coordinates[i]); };
  std::vector<Expr> values(form.a);
  Expr euler = 0;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(q(i) * form.a[i]);
    euler += q(i) * form.a[i];
  }
  values.push_back(euler);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) values.push_back(q(i) * form.a[j] - q(j) * form.a[i]);
  }
  return values;
}

/// μ(q_k): −(ln μ)' a_j = ∂_k a_j − ∂_j a_k, so the quotient has to be a function of q_k alone.
std::vector<Expr> factors_of_one_coordinate(const CoordinateForm& form) {
  std::vector<Expr> factors;
  const std::size_t n = form.coordinates.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      if (j == k || vanishes_at_random_points(form.a[j])) continue;
      const Symbol q = form.coordinates[k], r = form.coordinates[j];
      const Expr g = canonical((derivative(form.a[k], r) - derivative(form.a[j], q)) / form.a[j]);
      const bool only_q = std::none_of(form.coordinates.begin(), form.coordinates.end(),
                                       [&](Symbol s) { return s != q && contains(g, s); });
      if (!only_q) break;
      if (const auto G = antiderivative(g, q)) factors.push_back(real_exponential(*G));
      break;
    }
  }
  return factors;
}

/// The factors of the coefficients, as written in canonical form, and the coordinates; none of them a number.
std::vector<Expr> bases(const CoordinateForm& form) {
  std::vector<Expr> all;
  const auto add = [&](Expr f) {
    if (f.is(Kind::power)) f = f.args()[0];
    const bool depends = std::any_of(form.coordinates.begin(), form.coordinates.end(),
                                     [&](Symbol s) { return contains(f, s); });
    if (depends && std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
  };
  for (const Expr a : form.a) {
    const Expr c = short_form(a);
    if (c.is(Kind::product)) {
      for (const Expr f : c.args()) add(f);
    } else {
      add(c);
    }
  }
  for (const Symbol q : form.coordinates) add(Expr(q));
  return all;
}

/// (D.8) as equations for numbers k_i.
std::optional<std::vector<Rational>> exponents(const OneForm& alpha, const std::vector<Expr>& fs) {
  std::vector<std::vector<Expr>> columns;
  for (const Expr f : fs)
    columns.push_back(wedge(Form((1 / f) * differential(alpha.space(), f)), Form(alpha)).coefficients());
  std::vector<Expr> right = d(alpha).coefficients();
  for (Expr& e : right) e = -e;
  return rational_combination(columns, right);
}

std::optional<Expr> product_of_powers(const OneForm& alpha, const CoordinateForm& form) {
  std::vector<Expr> fs = bases(form);
  for (const Symbol q : form.coordinates) fs.push_back(exp(Expr(q)));
  const auto ks = exponents(alpha, fs);
  if (!ks) return std::nullopt;
  std::vector<Expr> factors{Expr(1)};
  for (std::size_t i = 0; i < fs.size(); ++i) factors.push_back(real_power(fs[i], (*ks)[i]));
  return product(factors);
}

/// β in α/a_z = dz − zβ − zⁿγ, along the other coordinates; nothing when α has no such shape. (n = 0: linear equations;
/// else Bernoulli's, linear in z^{1−n}.)
std::optional<std::vector<Expr>> linear_part(const CoordinateForm& form, std::size_t k, int n) {
  const Expr z = form.coordinates[k];
  std::vector<Expr> beta;
  for (std::size_t i = 0; i < form.coordinates.size(); ++i) {
    const Expr r = i == k ? Expr(0) : pow(z, -n) * form.a[i] / form.a[k];
    beta.push_back(canonical(-derivative(r, form.coordinates[k]) * pow(z, n) / (1 - n)));
    if (contains(beta.back(), form.coordinates[k])) return std::nullopt;
  }
  return beta;
}

/// μ = exp(−(1 − n) ∫β) / (zⁿ a_z) for α = a_z (dz − zβ − zⁿγ).                                      (D.10)
std::vector<Expr> factors_of_linear_equations(const CoordinateForm& form) {
  std::vector<Expr> factors;
  if (!form.rotations.empty()) return factors;
  const Space chart = Space::chart(form.coordinates);
  for (std::size_t k = 0; k < form.coordinates.size(); ++k) {
    if (vanishes_at_random_points(form.a[k])) continue;
    for (const int n : {0, 2, 3, -1}) {
      const auto beta = linear_part(form, k, n);
      if (!beta) continue;
      const OneForm exponent(chart, *beta);
      if (!is_closed(exponent)) continue;
      if (const auto G = potential(exponent))
        factors.push_back(real_exponential((n - 1) * *G) / (pow(Expr(form.coordinates[k]), n) * form.a[k]));
    }
  }
  return factors;
}

}  // namespace

std::vector<Expr> integrating_factors(const OneForm& alpha) {
  std::vector<Expr> good;
  const auto consider = [&](Expr factor) {
    if (is_closed(factor * alpha)) good.push_back(factor);
  };
  consider(1);
  const std::optional<CoordinateForm> form = coordinate_form(alpha);
  if (!form) return good;
  for (const Expr value : pairings_with_symmetries(*form)) {
    if (!vanishes_at_random_points(value)) consider(1 / value);
  }
  if (const std::optional<Expr> factor = product_of_powers(alpha, *form)) consider(*factor);
  for (const Expr factor : factors_of_one_coordinate(*form)) consider(factor);
  for (const Expr factor : factors_of_linear_equations(*form)) consider(factor);
  return good;
}

}  // namespace rattleback

#include <rattleback/algebra/modular/modular_zeros.hpp>

#include <tuple>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/graph.hpp>

namespace rattleback {
namespace {

ModularPolynomial resultant(const ModularPolynomial& a, const ModularPolynomial& b, std::size_t v) {
  ModularPolynomial r(a.ring());
  if (nmod_mpoly_resultant(r.raw(), a.raw(), b.raw(), static_cast<slong>(v), a.ring().context()) == 0)
    throw Exhausted("a resultant is too large");
  return r;
}

/// The roots in F_p of a polynomial in one variable.
std::vector<std::uint64_t> roots_of(const ModularPolynomial& p, std::size_t v) {
  nmod_poly_t univariate;
  nmod_poly_init(univariate, modulus_of_numbers);
  std::vector<ulong> exponents(p.ring().size());
  for (std::size_t i = 0; i < p.terms(); ++i) {
    nmod_mpoly_get_term_exp_ui(exponents.data(), p.raw(), static_cast<slong>(i), p.ring().context());
    nmod_poly_set_coeff_ui(univariate, static_cast<slong>(exponents[v]),
                           nmod_mpoly_get_term_coeff_ui(p.raw(), static_cast<slong>(i), p.ring().context()));
  }
  nmod_poly_factor_t factors;
  nmod_poly_factor_init(factors);
  nmod_poly_roots(factors, univariate, 0);
  std::vector<std::uint64_t> roots;
  for (slong i = 0; i < factors->num; ++i) {
    const ulong constant = nmod_poly_get_coeff_ui(factors->p + i, 0);
    roots.push_back(constant == 0 ? 0 : modulus_of_numbers - constant);
  }
  nmod_poly_factor_clear(factors);
  nmod_poly_clear(univariate);
  std::ranges::sort(roots);
  return roots;
}

std::optional<std::size_t> only_variable(const ModularPolynomial& p) {
  std::optional<std::size_t> only;
  for (std::size_t v = 0; v < p.ring().size(); ++v) {
    if (p.degree(v) <= 0) continue;
    if (only) return std::nullopt;
    only = v;
  }
  return only;
}

}  // namespace

bool ModularZeros::search(Polynomials system, Values values, const Accepts& then) {
  Budget::check();
  std::erase_if(system, [](const ModularPolynomial& p) { return p.is_zero(); });
  if (std::ranges::any_of(system, [](const ModularPolynomial& p) { return p.is_constant(); })) return false;
  if (system.empty()) {
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (!values[v]) values[v] = ModP::from_hash(mix(mix(seed_, 0xD1B54A32D192ED03U), v)).canonical();
    }
    return then(values);
  }
  for (const ModularPolynomial& p : system) {
    if (const auto v = only_variable(p)) return over_roots(p, *v, system, values, then);
  }
  return by_elimination(system, values, then);
}

bool ModularZeros::over_roots(const ModularPolynomial& p, std::size_t v, const Polynomials& system,
                              Values values, const Accepts& then) {
  constexpr std::size_t most = search_limits::roots_of_a_polynomial.count;
  const std::vector<std::uint64_t> roots = roots_of(p, v);
  const std::size_t first = roots.empty() ? 0 : mix(seed_, v) % roots.size();
  for (std::size_t k = 0; k < std::min(roots.size(), most) && tries_ < limit; ++k) {
    ++tries_;
    const std::uint64_t root = roots[(first + k) % roots.size()];
    values[v] = root;
    Polynomials rest;
    for (const ModularPolynomial& q : system) rest.push_back(q.at(v, root));
    if (search(std::move(rest), values, then)) return true;
  }
  return false;
}

/// The variable and the polynomial of lowest degree in it; the resultants with the others are free of it.
bool ModularZeros::by_elimination(const Polynomials& system, const Values& values, const Accepts& then) {
  constexpr std::size_t longest = search_limits::eliminated_polynomial.count;
  std::tuple<long, std::size_t, std::size_t> best{};
  std::size_t chosen = system.size(), variable = 0;
  for (std::size_t v = 0; v < system.front().ring().size(); ++v) {
    const auto with = static_cast<std::size_t>(
        std::ranges::count_if(system, [&](const ModularPolynomial& p) { return p.degree(v) > 0; }));
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (system[i].degree(v) <= 0) continue;
      const std::tuple key(system[i].degree(v), with, system[i].terms());
      if (chosen < system.size() && key >= best) continue;
      best = key;
      chosen = i;
      variable = v;
    }
  }
  Polynomials eliminated;
  for (std::size_t i = 0; i < system.size(); ++i) {
    if (i == chosen) continue;
    if (system[i].degree(variable) <= 0) {
      eliminated.push_back(system[i]);
    } else {
      eliminated.push_back(resultant(system[chosen], system[i], variable));
    }
    if (eliminated.back().terms() > longest) throw Exhausted("a resultant is too large");
  }
  // A variable that the others left free gets its value there; this one only if no equation is left for it.
  return search(std::move(eliminated), values, [&](const Values& found) {
    Values merged = found;
    merged[variable] = std::nullopt;
    Polynomials rest;
    for (const ModularPolynomial& p : system) {
      ModularPolynomial q = p;
      for (std::size_t v = 0; v < merged.size(); ++v) {
        if (v != variable && merged[v] && q.degree(v) > 0) q = q.at(v, *merged[v]);
      }
      rest.push_back(std::move(q));
    }
    return search(std::move(rest), merged, then);
  });
}

}  // namespace rattleback

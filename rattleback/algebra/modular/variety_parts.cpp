// Declared in algebra/modular/variety_points.hpp. The parts into which N falls (x·y = 0: two lines; a parallelogram linkage: parallel and
// crossed), told apart by the factors that vanish on them.
#include <algorithm>
#include <map>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/interruptible.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/modular/variety_algebra.hpp>

namespace rattleback {
namespace {

/// Zero where it would be long: no call of FLINT in here may take seconds.
Polynomial resultant(const Polynomial& a, const Polynomial& b, int g) {
  constexpr std::size_t longest = search_limits::eliminated_polynomial.count;
  const std::size_t product =
      a.terms() * static_cast<std::size_t>(b.degree(g)) * b.terms() * static_cast<std::size_t>(a.degree(g));
  Polynomial r(a.ring());
  if (product > longest) return r;
  allow_product(product, 1);
  ScratchPolynomial scratch(a.ring());
  const bool found = interruptible(
      [&] { return fmpz_mpoly_resultant(scratch.raw(), a.raw(), b.raw(), g, a.ring().context()); });
  if (found) {
    scratch.give_to(r);
  } else {
    scratch.call_returned();
  }
  return r;
}

/// Which of the factors vanish: equal on one part, different on two.
using Pattern = std::vector<bool>;

}  // namespace

/// Irreducible factors of the relations, and of resultants of two of them, where there are several.
std::vector<Expr> VarietyPoints::splitting_factors() const {
  std::vector<Expr> found;
  add_splitting_factors(false, found);
  if (std::ranges::find(sorts_, Sort::angle) != sorts_.end()) add_splitting_factors(true, found);
  return found;
}

void VarietyPoints::add_splitting_factors(bool turned, std::vector<Expr>& found) const {
  const Algebra& a = algebra(turned);
  if (!a.exists) return;
  const auto split = [&](const Polynomial& p) {
    if (p.is_zero() || p.is_constant()) return;
    allow_factoring(p.terms());
    const Factored parts = factored(p);
    if (parts.factors.size() < 2) return;
    for (const Factored::Factor& f : parts.factors) {
      const Expr there = a.named->meaning(in_functions(a.field->form(f.base)));
      const Expr e = turned ? substitute(there, turned_angles(-1)) : there;
      const bool concerns_n = std::ranges::any_of(unknowns_, [&](Symbol s) { return contains(e, s); });
      if (concerns_n && std::ranges::find(found, e) == found.end()) found.push_back(e);
    }
  };
  try {
    const InAmbientSpace ambient;
    const Budget effort(work_limits::equations_of_a_variety);
    for (const Polynomial& p : a.polynomials) split(p);
    for (std::size_t i = 0; i < a.polynomials.size(); ++i) {
      for (std::size_t k = i + 1; k < a.polynomials.size(); ++k) {
        for (int g = 0; g < a.field->ring().size(); ++g) {
          if (a.polynomials[i].degree(g) > 0 && a.polynomials[k].degree(g) > 0)
            split(resultant(a.polynomials[i], a.polynomials[k], g));
        }
      }
    }
  } catch (const NoExactForm&) {
  } catch (const Exhausted&) {
    Budget::check();  // what was found until then tells some parts apart
  }
}

std::vector<VarietyPart> VarietyPoints::found_parts() const {
  constexpr std::uint64_t draws = search_limits::point_of_a_variety.count;
  constexpr std::size_t kept = search_limits::generic_values.count;
  constexpr long bits = 128;
  const std::vector<Expr> factors = splitting_factors();
  if (factors.empty()) return {};
  const OnVariety here(std::shared_ptr<const Variety>(std::shared_ptr<void>(), this));
  std::map<Pattern, VarietyPart> parts;
  const ModularProgram program(factors);
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    const auto run = program.run(ModularPoint(seed));
    if (!run) continue;
    Pattern vanish(factors.size());
    for (std::size_t i = 0; i < factors.size(); ++i) vanish[i] = run->value(i).is_zero();
    if (auto& seeds = parts[vanish].modular; seeds.size() < kept) seeds.push_back(seed);
  }
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    const auto values = evaluate_ball(factors, BallPoint(seed), bits);
    if (!values) continue;
    Pattern vanish(factors.size());
    for (std::size_t i = 0; i < factors.size(); ++i) vanish[i] = (*values)[i].contains_zero();
    if (auto& seeds = parts[vanish].real; seeds.size() < kept) seeds.push_back(seed);
  }
  std::vector<VarietyPart> found;
  for (auto& [vanish, part] : parts) found.push_back(std::move(part));
  if (found.size() < 2) found.clear();
  return found;
}

std::span<const VarietyPart> VarietyPoints::parts() const {
  if (!parts_) {
    const UnchargedScope remembered;
    looks_for_parts_ = true;
    try {
      parts_ = found_parts();
    } catch (...) {
      looks_for_parts_ = false;
      throw;
    }
    looks_for_parts_ = false;
    if (!has_modular_parts()) modular_points_.clear();  // they may be of turned angles
  }
  return *parts_;
}

bool VarietyPoints::has_modular_parts() const {
  return std::ranges::count_if(parts(), [](const VarietyPart& part) { return !part.modular.empty(); }) > 1;
}

}  // namespace rattleback

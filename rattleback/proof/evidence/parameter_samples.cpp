#include <rattleback/proof/evidence/parameter_samples.hpp>

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/proof/evidence/triangular.hpp>

namespace rattleback {
namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  Expr number(bool positive) {
    static constexpr int above[] = {1, 2, 3, 4, 5, 7, 6, 8, 12, 13}, below[] = {1, 1, 1, 2, 3};
    const Rational r(above[index(std::size(above))], below[index(std::size(below))]);
    return Expr(positive || index(2) == 0 ? r : -r);
  }

 private:
  std::size_t index(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::mt19937_64 random_;
};

bool fits_sign(Symbol p, Expr value) { return !p.is_positive() || known_sign(value) == KnownSign::positive; }

/// (−b ± √(b² − 4ac))/(2a), the real ones.
std::vector<Expr> roots_of_quadratic(Expr a, Expr b, Expr c) {
  const Expr discriminant = canonical(b * b - 4 * a * c);
  const KnownSign sign = known_sign(discriminant);
  if (sign == KnownSign::negative) return {};
  const Expr root = canonical(sqrt(discriminant));
  return {canonical((root - b) / (2 * a)), canonical((-root - b) / (2 * a))};
}

/// Real numbers x with f(x) = 0, from the factors of degree one and two.
std::vector<Expr> roots_of(Expr f, Symbol x) {
  std::vector<Expr> roots;
  const Generators forms(std::span(&f, 1), {});
  const Field field(forms.forms());
  const Polynomial p = field.element(forms.forms().front()).numerator();
  const auto generators = field.generators();
  const auto place = std::find(generators.begin(), generators.end(), Expr(x));
  if (place == generators.end()) return {};
  const int g = static_cast<int>(place - generators.begin());
  for (const auto& [factor, exponent] : factored(p).factors) {
    const std::vector<Expr> c = coefficients_in(field, factor, g);
    if (c.size() == 2) roots.push_back(canonical(-c[0] / c[1]));
    if (c.size() == 3) {
      for (const Expr r : roots_of_quadratic(c[2], c[1], c[0])) roots.push_back(r);
    }
  }
  // Rational ones first, then short ones.
  std::stable_sort(roots.begin(), roots.end(),
                   [](Expr a, Expr b) { return a.is(Kind::constant) && !b.is(Kind::constant); });
  return roots;
}

/// The leading parameters at given values of the others; nothing where signs, poles or degrees do not allow it.
std::optional<SymbolMap> completed(const Component& c, SymbolMap values) {
  const auto take = [&](Symbol x, const std::vector<Expr>& candidates) {
    const auto fitting = std::ranges::find_if(candidates, [&](Expr r) { return fits_sign(x, r); });
    if (fitting == candidates.end()) return false;
    values.insert_or_assign(x, *fitting);
    return true;
  };
  for (std::size_t k = 0; k < c.leading.size(); ++k) {
    const Symbol x = c.leading[k];
    if (!c.solution.contains(x) && !take(x, roots_of(substitute(c.equations[k], values), x)))
      return std::nullopt;
  }
  for (const auto& [x, formula] : c.solution) {
    if (!take(x, {canonical(substitute(formula, values))})) return std::nullopt;
  }
  return values;
}

}  // namespace

bool holds_at(const Locus& equations, const SymbolMap& values) {
  return std::ranges::all_of(equations, [&](Expr e) {
    const Expr there = canonical(substitute(e, values));
    return there.is_zero() || (!there.is(Kind::constant) && proved(is_zero(there)));
  });
}

std::optional<SymbolMap> point_on(const Component& component, const std::vector<Symbol>& parameters,
                                  std::uint64_t seed) {
  constexpr int draws = search_limits::parameters_on_a_locus.count,
                enough = search_limits::samples_with_roots.count;
  Draw draw(seed);
  std::optional<SymbolMap> with_roots;
  for (int k = 0, found = 0; k < draws && found < enough; ++k) {
    SymbolMap values;
    for (const Symbol p : parameters) {
      if (std::ranges::find(component.leading, p) == component.leading.end())
        values.emplace(p, draw.number(p.is_positive()));
    }
    try {
      const auto all = completed(component, std::move(values));
      if (!all || !holds_at(component.equations, *all)) continue;
      if (std::ranges::all_of(*all, [](const auto& v) { return v.second.is(Kind::constant); })) return all;
      if (!with_roots) with_roots = all;
      ++found;
    } catch (const OutOfDomain&) {
      continue;  // a pole of the solution
    } catch (const NoExactForm&) {
      continue;
    }
  }
  return with_roots;
}

std::optional<SymbolMap> point_beside(const Component& component, const SymbolMap& on) {
  for (const Symbol x : component.leading) {
    SymbolMap beside = on;
    const auto value = on.find(x);
    if (value == on.end()) continue;
    beside.insert_or_assign(x, canonical(value->second + Expr(Rational(3, 7))));
    if (!holds_at(component.equations, beside)) return beside;
  }
  return std::nullopt;
}

std::vector<Symbol> free_parameters(const System& system) {
  std::vector<Expr> all{system.lagrangian};
  all.insert(all.end(), system.forces.begin(), system.forces.end());
  for (const Constraint& c : system.constraints) all.push_back(c.expression);
  if (system.parametrization)
    all.insert(all.end(), system.parametrization->psi.begin(), system.parametrization->psi.end());
  const StructureCoefficients& c = system.space.c();
  for (int a = 0; a < c.dimension(); ++a) {
    for (int b = 0; b < c.dimension(); ++b) {
      for (int d = 0; d < c.dimension(); ++d) {
        if (!c(a, b, d).is(Kind::constant)) all.push_back(c(a, b, d));
      }
    }
  }
  std::vector<Symbol> free;
  const std::vector<Symbol> symbols = symbols_of(all);
  for (const Parameter& p : system.parameters) {
    if (std::ranges::find(symbols, p.symbol) != symbols.end()) free.push_back(p.symbol);
  }
  return free;
}

std::string text_of_point(const System& system, const SymbolMap& values) {
  std::string s;
  for (const Parameter& p : system.parameters) {
    if (const auto v = values.find(p.symbol); v != values.end())
      s += fmt::format("{}{} = {}", s.empty() ? "" : ", ", p.symbol.name(), text(v->second));
  }
  return s;
}

}  // namespace rattleback

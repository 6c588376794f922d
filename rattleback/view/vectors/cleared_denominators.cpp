#include <rattleback/view/vectors/cleared_denominators.hpp>

#include <unordered_map>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

/// Letters for the roots √P, and for P itself where it stands in a denominator: 1/P is s⁻².
class LettersOfRoots {
 public:
  std::vector<Expr> replaced(std::span<const Expr> functions) {
    rebuild(functions, [&](Expr e) {
      if (is_call_of(e, Builtin::sqrt) && !symbols_of(e).empty()) letter(e.args()[0]);
      return e;
    });
    return rebuild(functions, [&](Expr e) {
      if (is_call_of(e, Builtin::sqrt)) {
        const auto found = letters_.find(e.args()[0]);
        if (found != letters_.end()) return found->second;
      }
      if (e.is(Kind::power) && e.exponent() < 0) {
        const auto found = letters_.find(e.args()[0]);
        if (found != letters_.end()) return pow(found->second, 2 * e.exponent());
      }
      return e;
    });
  }
  bool empty() const { return letters_.empty(); }
  const SymbolMap& roots() const { return roots_; }

 private:
  void letter(Expr P) {
    if (letters_.contains(P)) return;
    const Symbol s = Symbol::make(fmt::format("root {}", letters_.size()),
                                  {.role = Role::parameter, .sign = Sign::positive});
    letters_.emplace(P, s);
    roots_.emplace(s, sqrt(P));
  }

  std::unordered_map<Expr, Expr> letters_;
  SymbolMap roots_;
};

}  // namespace

std::vector<Expr> parts_by_velocities(Expr f) {
  std::vector<Symbol> v;
  SymbolMap at_rest;
  for (const Symbol s : symbols_of(f))
    if (s.role() == Role::velocity) {
      v.push_back(s);
      at_rest.emplace(s, Expr(0));
    }
  std::vector<Expr> parts{substitute(f, at_rest)};
  const std::vector<Expr> slopes = gradient(f, v);
  for (const Expr slope : slopes) parts.push_back(substitute(slope, at_rest));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = i; j < v.size(); ++j) parts.push_back(derivative(slopes[i], v[j]));
  std::erase_if(parts, [](Expr part) { return part.is_zero(); });
  return parts;
}

std::vector<Expr> without_roots_below(std::span<const Expr> functions) try {
  LettersOfRoots letters;
  const std::vector<Expr> in_letters = letters.replaced(functions);
  if (letters.empty()) return {functions.begin(), functions.end()};
  const Generators generators(in_letters, {RootSplitting::honest, false, false, {}});
  const Field field(generators.forms());
  std::vector<Expr> numerators;
  for (const Element& x : field.elements(generators.forms()))
    numerators.push_back(substitute(in_functions(field.form(x.numerator())), letters.roots()));
  return numerators;
} catch (const NoExactForm&) {
  return {functions.begin(), functions.end()};
} catch (const Exhausted&) {
  return {functions.begin(), functions.end()};
}

}  // namespace rattleback

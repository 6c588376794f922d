#include <rattleback/proof/steady/rates_in_the_state.hpp>

#include <algorithm>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// Rates along the group on which nothing depends are those of the state's isotropy: they move nothing.
EquationSolution without_isotropy(EquationSolution s, const std::vector<Symbol>& rates) {
  const auto is_rate = [&](Expr x) {
    return std::any_of(rates.begin(), rates.end(), [x](Symbol w) { return Expr(w) == x; });
  };
  for (const Symbol w : rates) {
    const bool used = std::any_of(s.values.begin(), s.values.end(), [&](const auto& entry) {
      return contains(entry.second, w) && !is_rate(entry.first);
    });
    if (s.values.contains(Expr(w)) || used) continue;
    EquationSolution still;
    still.values.emplace(Expr(w), Expr(0));
    for (auto& [x, value] : s.values) value = still.at(value);
    s.values.emplace(Expr(w), Expr(0));
  }
  return s;
}

/// The values of `solved` become free, those of `unknowns` follow from them by x = value(unknowns). False where that has no solution,
/// or several.
bool exchange(const std::vector<Expr>& solved, const std::vector<Expr>& unknowns, EquationSolution& s) {
  std::vector<Expr> equations;
  for (const Expr x : solved) equations.push_back(x - s.values.at(x));
  const EquationSolutions inverse = equation_solutions(equations, unknowns);
  if (!inverse.complete || inverse.components.size() != 1 || !inverse.components[0].radicands.empty())
    return false;
  SymbolMap values;
  for (const Expr x : unknowns) {
    const Expr value = inverse.components[0].at(x);
    if (std::any_of(unknowns.begin(), unknowns.end(), [&](Expr y) { return contains(value, y.symbol()); }))
      return false;
    values.emplace(x.symbol(), value);
  }
  for (const Expr x : solved) s.values.erase(x);
  for (auto& [y, e] : s.values) e = short_form(substitute(e, values));
  for (Expr& e : s.radicands) e = short_form(substitute(e, values));
  for (const auto& [x, value] : values) s.values.emplace(Expr(x), value);
  return true;
}

/// A rate w that is left open although values of the state depend on it: one of these, x = value(w), is free instead; or two, where
/// with w a part y of the state is given by them. False where that was not solved for w.
bool make_free(Symbol w, const std::vector<Expr>& state, EquationSolution& s) {
  std::vector<Expr> moving, open;
  for (const Expr x : state) {
    const auto value = s.values.find(x);
    if (!x.is(Kind::symbol)) continue;
    if (value == s.values.end()) open.push_back(x);
    if (value != s.values.end() && contains(value->second, w)) moving.push_back(x);
  }
  for (const Expr x : moving) {
    if (exchange({x}, {Expr(w)}, s)) return true;
  }
  for (std::size_t i = 0; i < moving.size(); ++i) {
    for (std::size_t j = i + 1; j < moving.size(); ++j) {
      for (const Expr y : open) {
        if (exchange({moving[i], moving[j]}, {Expr(w), y}, s)) return true;
      }
    }
  }
  return false;
}

}  // namespace

EquationSolution in_the_state(EquationSolution s, const std::vector<Symbol>& rates,
                              const std::vector<Expr>& unknowns) {
  const std::vector<Expr> state(unknowns.begin() + std::ssize(rates), unknowns.end());
  for (const Symbol w : rates) {
    const bool used = !s.values.contains(Expr(w)) &&
                      std::any_of(state.begin(), state.end(), [&](Expr x) { return contains(s.at(x), w); });
    if (used) make_free(w, state, s);
  }
  return without_isotropy(std::move(s), rates);
}

}  // namespace rattleback

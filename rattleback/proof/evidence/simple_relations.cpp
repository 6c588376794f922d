#include <rattleback/proof/evidence/simple_relations.hpp>

#include <algorithm>

namespace rattleback {

std::vector<ParameterRelation> simple_relations(const Locus& equations, const SymbolMap& point) {
  std::vector<ParameterRelation> zeros, equalities;
  std::vector<std::pair<Symbol, Expr>> first_with;  // of each value
  for (const Symbol p : symbols_of(equations)) {
    const auto at = point.find(p);
    if (at == point.end()) continue;
    const Expr value = at->second;
    const auto same = std::ranges::find(first_with, value, [](const auto& x) { return x.second; });
    if (same != first_with.end()) {
      equalities.push_back({p, Expr(same->first)});
      continue;
    }
    first_with.emplace_back(p, value);
    if (value.is_zero()) zeros.push_back({p, Expr(0)});
  }
  zeros.insert(zeros.end(), equalities.begin(), equalities.end());
  return zeros;
}

Component component_of(const std::vector<ParameterRelation>& relations) {
  Component c;
  for (const auto& [p, value] : relations) {
    c.equations.push_back(Expr(p) - value);
    c.leading.push_back(p);
    const auto known = value.is(Kind::symbol) ? c.solution.find(value.symbol()) : c.solution.end();
    c.solution.emplace(p, known != c.solution.end() ? known->second : value);
  }
  return c;
}

}  // namespace rattleback

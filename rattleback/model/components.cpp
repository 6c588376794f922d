#include <rattleback/model/components.hpp>

#include <algorithm>

namespace rattleback {

std::vector<Symbol> symbols_named(const Scope& scope, const Space& space, const std::string& name) {
  const Value* value = scope.find(name);
  if (value == nullptr) return {};
  std::vector<Expr> entries;
  if (const Expr* e = std::get_if<Expr>(value)) {
    entries = {*e};
  } else {
    const std::span<const Expr> all = std::get<Matrix>(*value).entries();
    entries.assign(all.begin(), all.end());
  }
  std::vector<Symbol> symbols;
  for (const Expr e : entries) {
    if (!e.is(Kind::symbol)) return {};
    const Symbol s = e.symbol();
    const std::span<const Symbol> q = space.functions(), v = space.velocities();
    if (std::find(q.begin(), q.end(), s) == q.end() && std::find(v.begin(), v.end(), s) == v.end()) return {};
    symbols.push_back(s);
  }
  return symbols;
}

int leg_of(const Space& space, Symbol v) {
  const std::span<const Symbol> all = space.velocities();
  const auto found = std::find(all.begin(), all.end(), v);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

const Factor* factor_named(const Space& space, const std::string& name) {
  for (const Factor& factor : space.factors()) {
    if (factor.name == name) return &factor;
  }
  return nullptr;
}

}  // namespace rattleback

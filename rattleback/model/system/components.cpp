#include <rattleback/model/system/components.hpp>

#include <algorithm>

#include <rattleback/geometry/factor.hpp>
#include <rattleback/geometry/space.hpp>

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

std::optional<Expr> scalar_named(const Scope& scope, const std::string& name) {
  if (const Value* value = scope.find(name)) {
    const Expr* e = std::get_if<Expr>(value);
    return e == nullptr ? std::nullopt : std::optional(*e);
  }
  const std::size_t digit = name.empty() ? 0 : name.size() - 1;
  if (digit == 0 || name[digit] < '1' || name[digit] > '9') return std::nullopt;
  const Value* vector = scope.find(name.substr(0, digit));
  const Matrix* m = vector == nullptr ? nullptr : std::get_if<Matrix>(vector);
  const int k = name[digit] - '1';
  return m != nullptr && m->is_column() && k < m->rows() ? std::optional((*m)[k]) : std::nullopt;
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

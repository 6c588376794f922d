#include <rattleback/proof/evidence/dependence.hpp>

#include <rattleback/algebra/conditions/assumptions.hpp>

namespace rattleback {
namespace {

thread_local DependenceScope* innermost = nullptr;

}  // namespace

DependenceScope::DependenceScope() : outer_(innermost) { innermost = this; }
DependenceScope::~DependenceScope() { innermost = outer_; }

void state_dependence(Dependence dependence) {
  if (innermost != nullptr) innermost->stated_ = std::move(dependence);
}

Dependence on_witness(const std::vector<Expr>& values, const std::vector<Expr>& formulas) {
  Dependence found = on_nothing();
  if (!values.empty()) found.on.push_back(values);
  for (const Assumption& a : denominators(formulas)) found.on.push_back({a.expression});
  return found;
}

}  // namespace rattleback

#include <rattleback/proof/evidence/dependence.hpp>

#include <algorithm>

#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/elimination.hpp>
#include <rattleback/proof/evidence/rational_point.hpp>

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

std::optional<std::vector<Expr>> regular_unless(const Matrix& m) {
  std::vector<Expr> functions;
  for (const std::uint64_t seed : {31U, 53U}) {
    const auto entries = at_random_state(m.entries(), seed);
    if (!entries) return std::nullopt;
    Matrix there(m.rows(), m.columns());
    std::ranges::copy(*entries, there.entries().begin());
    const Elimination elimination(there);
    if (elimination.rank() < m.rows()) return std::nullopt;
    std::vector<Expr> nonzero;
    for (const Assumption& a : denominators(*entries)) nonzero.push_back(a.expression);
    for (const Assumption& a : elimination.assumptions()) nonzero.push_back(a.expression);
    if (nonzero.empty()) return std::vector<Expr>{};
    functions.push_back(product(nonzero));
  }
  return functions;
}

}  // namespace rattleback

#include <rattleback/proof/evidence/divergence_on_positions.hpp>

#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>

namespace rattleback {

namespace {

/// The divergence along X, and along time where N moves.
Expr divergence_along(const System& system, const VectorField& X, bool moves) {
  std::vector<SymbolMap> legs;
  for (int i = 0; i < system.space.dimension(); ++i) legs.push_back(system.space.leg(i));
  const std::vector<Expr> relations = position_relations(system);
  SymbolMap rates;
  for (const Symbol q : system.space.functions()) rates.emplace(q, X(q));
  if (moves) rates.emplace(system.time, Expr(1));
  const Expr gram = normal_gram(relations, legs);
  const Expr scaled = gram.is(Kind::constant) ? Expr(0) : derivative_along(gram, rates) / (2 * gram);
  return divergence(X) - normal_spreading(relations, legs, rates) + scaled;
}

}  // namespace

Expr divergence_on_positions(const System& system, const VectorField& X) {
  return divergence_along(system, X, false);
}

Expr divergence_on_moving_positions(const System& system, const VectorField& X) {
  return divergence_along(system, X, true);
}

}  // namespace rattleback

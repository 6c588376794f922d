#include <rattleback/proof/evidence/divergence_on_positions.hpp>

#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/model/positions.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>

namespace rattleback {

namespace {

Expr gram_of(const System& system) {
  std::vector<SymbolMap> legs;
  for (int i = 0; i < system.space.dimension(); ++i) legs.push_back(system.space.leg(i));
  return normal_gram(position_relations(system), legs);
}

}  // namespace

Expr divergence_on_positions(const System& system, const VectorField& X) {
  const Expr gram = gram_of(system);
  return gram.is(Kind::constant) ? divergence(X) : divergence(X) + X(gram) / (2 * gram);
}

Expr divergence_on_moving_positions(const System& system, const VectorField& X) {
  const Expr gram = gram_of(system);
  return divergence_on_positions(system, X) + derivative(gram, system.time) / (2 * gram);
}

}  // namespace rattleback

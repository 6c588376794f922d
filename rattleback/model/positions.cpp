#include <rattleback/model/positions.hpp>

namespace rattleback {

std::vector<Expr> position_relations(const System& system) {
  std::vector<Expr> relations;
  for (const Constraint& c : system.constraints) {
    if (c.position) relations.push_back(*c.position);
  }
  return relations;
}

std::shared_ptr<const Variety> variety_with_points(const System& system) {
  auto variety = variety_of(position_relations(system));
  return variety && variety->has_points() ? variety : nullptr;
}

}  // namespace rattleback

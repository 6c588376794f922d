#pragma once
/// The configuration space N of a system with position constraints, for questions and claims: see algebra/variety.hpp.

#include <vector>

#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/model/system.hpp>

namespace rattleback {

/// φ_s(q) of the position constraints and contacts of the system.
std::vector<Expr> position_relations(const System& system);

/// N where random points of it are found, else null: what contradictory constraints say is seen in the ambient space.
std::shared_ptr<const Variety> variety_with_points(const System& system);

/// While it lives, this thread computes on N = {φ = 0} of this system. What puts values in place of parameters needs one of its own.
class OnPositions : public OnVariety {
 public:
  explicit OnPositions(const System& system) : OnVariety(variety_of(position_relations(system))) {}
};

}  // namespace rattleback

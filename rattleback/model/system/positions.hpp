#pragma once
/// The configuration space N of a system with position constraints, for questions and claims: see algebra/variety.hpp.

#include <vector>

#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// φ_s(q) of the position constraints and contacts of the system.
std::vector<Expr> position_relations(const System& system);

/// Could a state satisfy the position constraints where all of these vanish? No where x = 0 and y = 0 turn x^2 + y^2 = 1 into -1 = 0.
bool may_meet_positions(const System& system, const std::vector<Expr>& locus);

/// Is f without zeros where the position constraints hold? x^2 + y^2 is where x^2 + y^2 = l^2. False: not seen.
bool is_nonzero_on_positions(const System& system, Expr f);

/// The rank of the matrix drops at a configuration where these relations may hold.
bool drops_somewhere(const Matrix& m, const std::vector<Expr>& relations);

/// N where random points of it are found, else null: what contradictory constraints say is seen in the ambient space.
std::shared_ptr<const Variety> variety_with_points(const System& system);

/// While it lives, this thread computes on N = {φ = 0} of this system. What puts values in place of parameters needs one of its own.
class OnPositions : public OnVariety {
 public:
  explicit OnPositions(const System& system) : OnVariety(variety_of(position_relations(system))) {}
};

}  // namespace rattleback

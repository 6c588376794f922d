#pragma once
/// The domain of a statement: on which space it holds, and everywhere there or off which set.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// Under the key `domain` of an answer: {space, extent, where}. The space is Q, N (the configurations that position constraints leave), D, D*,
/// D/G, D*/G or TQ. `where` has conditions such as "cos(phi) != 0": the statement is about the states that satisfy them, a dense open set;
/// without any it holds everywhere. Local: near every such state, for functions that have several values on circles.
struct Domain {
  std::string space;
  std::vector<std::string> where;
  bool local = false;
};

/// "D, everywhere", "D where cos(phi) != 0", "D, locally, where z != 0".
std::string text(const Domain& domain);

/// As data, with the extent "everywhere", "dense open set" or "local".
Data as_data(const Domain& domain);
/// From what an answer holds under `domain`; an empty space when it holds nothing.
Domain domain_in(const Data& answer);
/// Adds conditions to those that the answer states already.
void restrict_domain(Data& answer, const std::vector<std::string>& where, bool local = false);

/// With N in place of Q where there are position constraints. On Q the configurations at which the formulas of the model have no pole and are
/// real; else the states at which the motion is defined: the constraints are independent, the speeds are coordinates, the kinetic energy is
/// regular, too. Of the last system it remembers what it found.
Domain domain_of_motion(const System& system, const std::string& space);
/// The same, restricted by what the answer says about its own, put under `domain`. A space that the answer names takes the place of `space`.
void locate(const System& system, const std::string& space, Data& answer);

/// Factors of the functions whose zeros are not all among the states that the domain of motion leaves out.
std::vector<Expr> not_excluded(const System& system, std::vector<Expr> functions);
/// " where y != 0": poles of a function of the state that is named in an answer, and where it is real; empty where the domain of motion says
/// so already.
std::string where_defined(const System& system, Expr f);
/// The same of a function of the configuration and these velocities.
std::string where_defined(const System& system, const std::vector<Symbol>& velocities, Expr f);

/// "Q", "D", …: what the question of this name is about.
std::string space_of_question(const std::string& name);

}  // namespace rattleback

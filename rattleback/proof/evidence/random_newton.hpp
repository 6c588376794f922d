#pragma once
/// Newton's method from random starts: real solutions of equations in double precision. It shares no code with the elimination that
/// lists solutions in closed form, and is there to break such a list.

#include <cstdint>
#include <vector>

#include <rattleback/algebra/signs/numbers.hpp>

namespace rattleback {

struct NewtonSearch {
  std::vector<Expr> equations;
  std::vector<Symbol> unknowns;
  Numbers known;  ///< values of every other symbol
  int starts = 40;
  std::uint64_t seed = 1;
};

/// Points at which Newton's method converged, with their values of the unknowns; none twice. A point counts when the last step of
/// Gauss and Newton is shorter than 10⁻⁶ of it: a residual that fades towards infinity is no solution. Poles and points outside
/// the domain of a function end a run. The work is limited, so long equations get fewer starts.
std::vector<Numbers> newton_solutions(const NewtonSearch& search);

}  // namespace rattleback

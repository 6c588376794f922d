#pragma once
/// Invariant theory by linear algebra: a vector as a combination of few given vectors, found at random states modulo a prime.
///
/// The parameters keep their values while the state moves, so a combination whose coefficients depend on parameters only has constant
/// coefficients. Nothing found here is proved; the caller proves it.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/view/vectors/covariant_term.hpp>

namespace rattleback {

/// target = Σ c_j candidates_j + (some combination of `free`).
struct CovariantFit {
  std::vector<std::pair<std::size_t, Expr>>
      terms;  ///< j and c_j, which is a number times powers of parameters
};

/// What moves from state to state: coordinates, rotations, velocities and speeds.
std::vector<Symbol> state_symbols(const System& system, std::span<const Symbol> speeds);

/// The fit with fewest candidates, earlier ones preferred; nothing when three do not suffice.
std::optional<CovariantFit> shortest_fit(const System& system, std::span<const Symbol> state,
                                         const Matrix& target, const std::vector<CovariantTerm>& candidates,
                                         const std::vector<Matrix>& free);

/// Do all of them vanish at a few random states?
bool vanish_at_random_states(const Matrix& m);

}  // namespace rattleback

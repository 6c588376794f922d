#pragma once
/// Steady motions: equilibria of the motion without its cyclic coordinates (relative equilibria), in families with free speeds.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/proof/evidence/inequality.hpp>

namespace rattleback {

/// ż = 0, and every function of the configuration on which ż depends stands still: an equilibrium of the motion divided by
/// its cyclic coordinates, a relative equilibrium.                                                          (O.3)
struct SteadyFamily {
  StatePoint point;          ///< values of the whole state, functions of the free symbols
  std::vector<Symbol> free;  ///< speeds and coordinates that may have any value
  Linearisation small;       ///< the small motions about it
  std::vector<Symbol>
      idle_to_first_order;  ///< coordinates of small.idle that the motion depends on, but its small motions do not
  bool along_group =
      false;  ///< the state moves along the orbits of the symmetry group: steady only on the quotient
  bool steady_for_any_idle = true;  ///< steady for all values of idle_to_first_order
  std::vector<Symbol>
      moved_by_symmetry;  ///< coordinates whose values here stand for all others: symmetries move them
  std::vector<Inequality> exists;  ///< where the square roots in the values are real
  std::vector<std::pair<std::string, Expr>>
      shown;  ///< cos(q), sin(q) of angles whose value is an arc cosine or the like

  /// Of the set of steady motions near it.
  int dimension() const;
};

/// Configurations that meet orbits of the symmetries, and whether all relative equilibria there with regular speeds were found.
struct SolvedSlice {
  SymbolMap at;  ///< the values of the coordinates that are brought there
  bool complete = false;
  friend bool operator==(const SolvedSlice& a, const SolvedSlice& b) { return a.at == b.at; }
};

struct SteadyMotions {
  std::vector<SteadyFamily> families;
  std::vector<Numbers>
      missed;  ///< steady states in numbers, at the model's values, that belong to none of the families
  /// Every equilibrium at the model's values, in numbers, where these are enclosed with proof (zeros_on_torus.hpp).
  std::optional<std::vector<Numbers>> enclosed;
  std::vector<Numbers> without_closed_form = {};  ///< those enclosed that belong to none of the families
  /// Families that are not real at the model's parameter values, and are at others: the roots in them are of functions of the parameters.
  std::vector<SteadyFamily> elsewhere = {};
  std::vector<SolvedSlice> slices = {};  ///< every orbit meets one of them
  bool moved = false;                    ///< each family stands for its images under the symmetries, too
  bool singular = false;  ///< candidates were left out, at which the speeds or the metric degenerate
  bool dropped = false;   ///< some of these although the speeds are regular there
  bool complete =
      true;  ///< every relative equilibrium is among them, for parameters in general position and regular speeds
};

/// At configurations worth trying (rest at 0, the model's initial one, quarter turns of the angles that matter, the body's
/// axes upright, one angle left free) the equations (O.3), polynomials in the speeds and in the other coordinates that
/// matter, are taken apart for generic parameters; then those of relative_equilibria() that are not among these. Where that
/// list is complete, copies of its members, moved by symmetries, are left out.
SteadyMotions steady_motions(const System& system, const SolvedVelocities& v);

/// Is the one family a part of the other: the same speeds at the same values of what matters?
bool is_part(const System& system, const SolvedVelocities& v, const SteadyFamily& part,
             const SteadyFamily& whole);

/// The same configuration and speeds, up to rounding and whole turns.
bool is_same_state(const System& system, const SolvedVelocities& v, const Numbers& a, const Numbers& b);

/// Does the state, in numbers, belong to one of the families: do its speeds and what matters of its configuration have the family's
/// values, what is free being what it is at the state?
bool belongs_to_some(const System& system, const SolvedVelocities& v, const Numbers& state,
                     const std::vector<SteadyFamily>& families);

}  // namespace rattleback

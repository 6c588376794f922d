#pragma once
/// Computes the portrait of a return map: orbits on a level, cycles, invariant curves of saddles, rotation numbers.

#include <memory>

#include <rattleback/view/results/return_map.hpp>

namespace rattleback {

struct MapQuestion {
  std::string section;              ///< an expression, or an equation
  int direction = 1;                ///< +1: upwards, −1: downwards, 0: both
  std::vector<std::string> levels;  ///< "energy = 2", or "energy" for its value at the initial state
  std::size_t starts = 1;           ///< 1: the initial state, moved to the level
  StartRanges within;               ///< ranges that starts are drawn from
  std::size_t points = 300;         ///< returns of each start
  int cycle = 0;                    ///< period of the cycles that are looked for; 0: none
  bool manifolds = false;           ///< of saddles among the cycles
  double manifold_length = 0;  ///< in the plane of the figure; 0: ten times as long as the points lie apart
  double rotation = 0;         ///< rotation numbers up to this distance from elliptic cycles; 0: none
  double longest = 1000, rtol = 1e-13;
  PlotRequest plane;  ///< of the figure; without panels that in which the points differ
};

/// A portrait with the map that it belongs to.
struct MappedSection {
  std::unique_ptr<ReturnMap> map;
  MapPortrait portrait;
};

/// From the initial state of the flow's system. Throws Error[usage], Error[no-start].
MappedSection mapped_section(const Flow& flow, const MapQuestion& question);

}  // namespace rattleback

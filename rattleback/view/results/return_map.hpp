#pragma once
/// Return maps for people and for other programs: orbits on a level, cycles, manifolds and rotation numbers as text, CSV, JSON and a figure.

#include <rattleback/study/cycles.hpp>
#include <rattleback/view/pictures/plot_request.hpp>

namespace rattleback {

/// What was computed of a return map.
struct MapPortrait {
  std::string model, section;                          ///< "theta = 0 upwards"
  std::vector<std::string> levels;                     ///< "energy = 0.7"
  std::vector<std::vector<ReturnMap::Return>> orbits;  ///< of the starts, which come first
  int sought = 0;  ///< period of the cycles that were looked for; 0: none were
  std::vector<Cycle> cycles;
  std::vector<InvariantCurve> curves;                     ///< of all saddles
  std::vector<std::optional<RotationProfile>> rotations;  ///< of each cycle, where they were asked for
};

std::string as_text(const ReturnMap& map, const MapPortrait& portrait);
/// Schema rattleback.map/1.
std::string as_json(const ReturnMap& map, const MapPortrait& portrait);
/// One line for each point: start, number, time, state.
std::string as_csv(const ReturnMap& map, const MapPortrait& portrait);

/// Orbits by colours, cycles as large dots, manifolds as lines; rotation numbers in a panel of their own. Without a request in the plane in which the
/// points differ. Throws Error[usage].
std::vector<Panel> panels_of(const ReturnMap& map, const MapPortrait& portrait, PlotRequest request);
/// What the horizontal and the vertical axis of that plane show.
std::pair<std::string, std::string> plane_of(const ReturnMap& map, const MapPortrait& portrait,
                                             const PlotRequest& request);

}  // namespace rattleback

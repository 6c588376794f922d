#pragma once
/// The run that a model describes, with contacts that open and close: for the report and the studio.

#include <rattleback/simulate/runs/flight.hpp>
#include <rattleback/view/film/film.hpp>

namespace rattleback {

struct FlyingRun {
  /// From [simulation], with other initial values, or for the time `until`. Throws what FlyingMotion throws.
  explicit FlyingRun(const System& system,
                     const std::vector<std::pair<std::string, std::string>>& initial = {}, double until = 0);

  FlyingMotion motion;
  RunOptions options;
  Trajectory run;

  Film film() const;
  /// Until when, phases and impacts; for people.
  std::string summary() const;
};

}  // namespace rattleback

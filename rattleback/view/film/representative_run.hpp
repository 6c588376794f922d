#pragma once
/// The run that a model describes, as the report and the notebook show it.

#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/view/film/film.hpp>
#include <rattleback/view/film/live.hpp>

namespace rattleback {

/// `draft`: as exact as a screen shows (1e-6), in at most 240 frames, for a film that follows a hand.
enum class RunQuality : std::uint8_t { exact, draft };

struct RepresentativeRun {
  /// From [simulation], or for the time `until`; 30 samples a second, 400 to 1200 in all. Throws the errors of a run: no initial state, no
  /// value for a parameter.
  explicit RepresentativeRun(const System& system, double until = 0, const std::string& method = "taylor");
  /// The same of a motion that is ready to start; it ends early when it has taken `seconds` of the processor.
  explicit RepresentativeRun(StartedMotion started, double until = 0, const std::string& method = "taylor",
                             std::optional<double> seconds = {}, RunQuality quality = RunQuality::exact);

  Flow flow;
  std::vector<double> initial;
  RunOptions options;
  Trajectory run;

  Film film(Neighbours neighbours = Neighbours::all) const;
  Live live() const;
  Scene scene() const;
  /// Until when, how, and how well what is constant was kept; for people.
  std::string summary() const;
};

/// How such a run is made: by [simulation], or for the time `until`; 30 samples a second, 400 to 1200 in all.
RunOptions film_options(const Flow& flow, double until, const std::string& method,
                        RunQuality quality = RunQuality::exact);

}  // namespace rattleback

#pragma once
/// Films for the studio: of the motion of a text, and of the same motion at the values of sliders.

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <rattleback/view/film/representative_run.hpp>

namespace rattleback::app {

/// Keeps the equations of the last text, so that the film of other values needs no derivation.
class StudioFilm {
 public:
  /// Prints {"summary": …, "data": …}, with {"live": …, "script": …} where the request asks for it, or {"problems": […]}.
  int answer(const nlohmann::ordered_json& request);

 private:
  void read(const nlohmann::ordered_json& request);
  RepresentativeRun run(const nlohmann::ordered_json& request);
  void print_flight(const nlohmann::ordered_json& request);

  std::string text_;
  std::optional<System> system_;
  std::optional<StartedMotion> base_;  ///< of the first start
};

}  // namespace rattleback::app

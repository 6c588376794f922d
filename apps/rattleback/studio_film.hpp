#pragma once
/// Films for the studio: of the motion of a text, and of the same motion at the values of sliders.

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <rattleback/view/film/representative_run.hpp>

namespace rattleback::app {

/// Keeps the equations and the first film of the last text: the film of other values needs no derivation, a page that is read again no run.
class StudioFilm {
 public:
  /// Prints {"summary": …, "data": …}, with {"live": …, "script": …} where the request asks for it, or {"problems": […]}. A request
  /// with "ahead" prints nothing: what it asks for is kept for the page that comes.
  int answer(const nlohmann::ordered_json& request);

 private:
  void read(const nlohmann::ordered_json& request);
  RepresentativeRun run(const nlohmann::ordered_json& request);
  std::string flight(const nlohmann::ordered_json& request);
  std::string film(const nlohmann::ordered_json& request);

  std::string text_, first_film_;  ///< the film of the text as it stands, when it was asked for
  std::optional<System> system_;
  std::optional<StartedMotion> base_;  ///< of the first start
};

}  // namespace rattleback::app

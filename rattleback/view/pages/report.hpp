#pragma once
/// Self-contained HTML report of one system: needs no network and no other file.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/checks/triage.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/view/film/film.hpp>
#include <rattleback/view/film/live.hpp>

namespace rattleback {

struct Report {
  System system;
  std::optional<System> independent = {};  ///< without constraints that follow from the others where all hold
  std::string source;                      ///< the model file, as written
  Triage found;
  Derivation equations;
  std::vector<std::pair<std::string, Answer>> answers;  ///< by question
  std::optional<Film> film;
  std::string no_film;                 ///< why there is none
  std::optional<Live> live;            ///< the same motion as a program of the page
  std::string command;                 ///< that writes this page
  std::optional<double> seconds = {};  ///< for writing the formulas of all forms

  /// What the equations were derived from.
  const System& derived_system() const { return independent ? *independent : system; }
};

/// The page. The same report gives the same bytes.
std::string as_html(const Report& report);

/// The comment at the top of a model file: its story, one paragraph.
std::string story_of(const std::string& source);

// The sections of the page.
std::string model_section(const Report& report);
std::string equations_section(const Report& report);
std::string verdicts_section(const Report& report);
std::string run_section(const Report& report);
/// The stage with its controls; empty without a film.
std::string player_html(const Report& report);
/// The canvas with its buttons, as pages with an animation have them.
const char* stage_html();

}  // namespace rattleback

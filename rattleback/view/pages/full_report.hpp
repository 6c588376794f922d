#pragma once
/// The report of a system, computed: its triage, all forms of its equations, all questions, and the run that its model describes.

#include <functional>

#include <rattleback/view/pages/report.hpp>

namespace rattleback {

struct ReportOptions {
  std::string source;   ///< the model file, as written
  std::string command;  ///< that writes the page
  /// Of computing for the whole page. Its parts share them: none takes more than a part of what is left, and what takes longer is left open.
  double seconds = 120;
  bool fly = false;  ///< the run is one whose contacts open and close
  std::function<void(const std::string&)> stage = [](const std::string&) {
  };  ///< called before each part with its name
};

/// How often `stage` is called.
std::size_t report_stages();

/// Throws the first problem of a model that is impossible.
Report full_report(System system, const ReportOptions& options);

/// The run that the model describes as a film with its summary; without one, `no_film` says why.
void add_film(Report& page);
/// The same with contacts that open and close; the page has no sliders then, since its own stepper knows no impacts.
void add_flight(Report& page);

}  // namespace rattleback

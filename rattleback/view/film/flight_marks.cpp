#include <rattleback/view/film/flight_marks.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rattleback {
namespace {

FilmPhase told(const ContactPhase& phase) {
  FilmPhase made{phase.from, phase.to, "rolling", ""};
  std::vector<std::string> words;
  const auto add = [&](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) words.push_back(fmt::format("{} {}", fmt::join(names, ", "), what));
  };
  add("in contact", phase.closed);
  add("slides", phase.sliding);
  add(phase.open.size() == 1 ? "is open" : "are open", phase.open);
  if (!phase.sliding.empty()) made.kind = "sliding";
  if (!phase.open.empty())
    made.kind = phase.closed.empty() && phase.sliding.empty() ? "flight" : "partly open";
  made.text = fmt::format("{}", fmt::join(words, "; "));
  return made;
}

/// Contacts that are open in one phase and not in the one before.
std::vector<std::string> opened(const ContactPhase& before, const ContactPhase& after) {
  std::vector<std::string> names;
  for (const std::string& name : after.open)
    if (std::ranges::find(before.open, name) == before.open.end()) names.push_back(name);
  return names;
}

}  // namespace

void add_phases(const Trajectory& run, Film& film) {
  for (const ContactPhase& phase : run.phases) film.phases.push_back(told(phase));
  for (const ContactImpact& i : run.impacts)
    film.marks.push_back({i.time, "impact",
                          fmt::format("{} hits with {:.4g} and {}; {:.3g} of energy is lost", i.contact,
                                      i.approach, i.outcome, i.lost)});
  for (std::size_t k = 1; k < run.phases.size(); ++k) {
    const double t = run.phases[k].from;
    if (std::ranges::any_of(run.impacts, [&](const ContactImpact& i) { return i.time == t; })) continue;
    const std::vector<std::string> names = opened(run.phases[k - 1], run.phases[k]);
    film.marks.push_back(
        {t, names.empty() ? "change" : "lift-off",
         names.empty() ? told(run.phases[k]).text : fmt::format("{} lifts off", fmt::join(names, ", "))});
  }
  std::ranges::stable_sort(film.marks, {}, &FilmMark::time);
}

std::string flight_sentence(const Trajectory& run) {
  if (run.phases.empty()) return {};
  const auto flights =
      std::ranges::count_if(run.phases, [](const ContactPhase& p) { return !p.open.empty(); });
  double lost = 0;
  for (const ContactImpact& i : run.impacts) lost += i.lost;
  std::string s = flights == 0 ? std::string("No contact opens.")
                               : fmt::format("{} of {} phases {} with an open contact.", flights,
                                             run.phases.size(), flights == 1 ? "is" : "are");
  if (!run.impacts.empty())
    s += fmt::format(" {} impact{} take{} {:.4g} of the energy.", run.impacts.size(),
                     run.impacts.size() == 1 ? "" : "s", run.impacts.size() == 1 ? "s" : "", lost);
  return s;
}

}  // namespace rattleback

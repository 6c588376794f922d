/// rattleback report MODEL: one page with everything.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/numbers.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/proof/question.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/view/report.hpp>
#include <rattleback/view/scene.hpp>

#include "model_argument.hpp"
#include "output_file.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Thirty frames a second, within reason.
std::size_t frames(double until) {
  return static_cast<std::size_t>(std::clamp(30 * until, 400.0, 1200.0)) + 1;
}

std::string summary(const RunOptions& options, const Trajectory& run) {
  std::string s = fmt::format("From the initial state of the model until t = {:.6g}, {} by {} steps.",
                              run.end, stepper_named(options.method).title, run.counts.steps);
  if (run.failure) s += fmt::format(" The motion ends there: {}.", *run.failure);
  for (const Drift& d : run.drift) s += fmt::format(" {} is kept to {:.1e}.", d.name, d.relative());
  if (run.lift_off)
    s += fmt::format(" At t = {:.4g} the contact {} would lift off.", *run.lift_off, run.lift_off_contact);
  return s;
}

/// The run that the model describes, or the reason why there is none.
void add_film(Report& page) {
  try {
    const Flow flow(page.system);
    RunOptions options;
    if (const auto& until = page.system.simulation.until)
      options.until = evaluate(substitute(*until, parameter_values(page.system)), {});
    options.samples = frames(options.until);
    options.invariants = known_invariants(page.system);
    options.reactions = !page.system.contacts.empty();
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    if (run.rows.size() < 2) {
      page.no_film =
          fmt::format("There is no run: {}.", run.failure.value_or("the motion ends where it begins"));
      return;
    }
    page.film = film_of(flow, run, scene_of(page.system));
    page.film->summary = summary(options, run);
  } catch (const Error& error) {
    page.no_film = fmt::format("There is no run: {}.", error.summary);
  }
}

/// What the user may type to get this page again.
std::string command(const Arguments& args) {
  std::string s = fmt::format("rattleback report {}", *args.positional());
  for (const std::string& values : args.all("--set")) s += fmt::format(" --set {}", values);
  return s + fmt::format(" -o {}", args.get("-o"));
}

int report(const Arguments& args) {
  Report page;
  page.system = model_argument(args);
  page.source = contents(find_model(*args.positional()));
  page.command = command(args);
  page.found = triage(page.system);
  if (!page.found.problems.empty()) throw page.found.problems.front();
  page.equations = derivation(page.system, all_formalisms(), false);
  for (const Question& q : all_questions()) page.answers.emplace_back(q.name, asked(q, page.system, 10));
  add_film(page);
  const std::string html = as_html(page);
  write_file(args.get("-o"), html);
  fmt::print("{}: {} kB\n", args.get("-o"), html.size() / 1000);
  return Exit::done;
}

}  // namespace

Verb report_verb() {
  return {
      "report",
      "everything on one page: model, equations, verdicts, a run, an animation",
      "MODEL",
      "  The page needs no network and no other file. [scene] in the model says what to draw, [simulation] "
      "what to run.",
      {{"-o", "FILE", "where to write the page", "report.html"}, set_option()},
      {"rattleback report rattleback -o rattleback.html", "rattleback report chaplygin-sleigh --set a=1/4"},
      report};
}

}  // namespace rattleback::app

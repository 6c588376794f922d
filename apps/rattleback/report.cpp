/// rattleback report MODEL: one page with everything.
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/view/report.hpp>

#include "model_argument.hpp"
#include "output_file.hpp"
#include "representative_run.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

/// The run that the model describes, or the reason why there is none.
void add_film(Report& page) {
  try {
    const RepresentativeRun it(page.system);
    if (it.run.rows.size() < 2) {
      page.no_film =
          fmt::format("There is no run: {}.", it.run.failure.value_or("the motion ends where it begins"));
      return;
    }
    page.film = it.film();
    page.film->summary = it.summary();
    page.live = it.live();
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
  require_writable(args.get("-o"));
  Report page;
  page.system = model_argument(args);
  page.source = model_text(*args.positional());
  page.command = command(args);
  const double limit = seconds(args.get("--timeout"));
  Stages stages(all_questions().size() + 4);
  stages.next("the model");
  page.found = triage(page.system);
  if (!page.found.problems.empty()) throw page.found.problems.front();
  stages.next("the equations of motion");
  page.equations = derivation(page.system, all_formalisms(), false, limit);
  QuestionSession interview(page.system, limit);
  for (const Question& q : all_questions()) {
    stages.next(q.name);
    page.answers.emplace_back(q.name, interview.answer(q));
  }
  stages.next("a run");
  add_film(page);
  stages.next("the page");
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
      {{"-o", "FILE", "where to write the page", "report.html"},
       {"--timeout", "S",
        "seconds of computing for each form of the equations and for each question; what takes longer is "
        "left open",
        "10"},
       set_option()},
      {"rattleback report rattleback -o rattleback.html", "rattleback report chaplygin-sleigh --set a=1/4"},
      report};
}

}  // namespace rattleback::app

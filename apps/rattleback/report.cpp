/// rattleback report MODEL: one page with everything.
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/evidence/coq_checker.hpp>
#include <rattleback/view/pages/full_report.hpp>

#include "coq_output.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

/// What the user may type to get this page again.
std::string command(const Arguments& args) {
  std::string s = fmt::format("rattleback report {}", *args.positional());
  for (const std::string& values : args.all("--set")) s += fmt::format(" --set {}", values);
  if (args.has("--coq")) s += " --coq";
  if (args.has("--after")) s += fmt::format(" --after {}", args.get("--after"));
  return s + fmt::format(" -o {}", args.get("-o"));
}

int write_report(const Arguments& args) {
  require_writable(args.get("-o"));
  if (args.has("--after") && args.get("--after") != "lift-off=fly")
    throw Error("usage", fmt::format("`{}` is nothing that --after knows", args.get("--after")),
                "it says how a motion goes on that leaves a contact", "write lift-off=fly")
        .at(command_line("--after"));
  System system = model_in_motion(args);
  const bool coq = args.has("--coq");
  Stages stages(report_stages() * (coq ? 2 : 1));
  std::optional<CoqChecker> checker;
  if (coq) {
    stages.next("the kernel of Coq");
    checker.emplace();
  }
  Report page =
      full_report(std::move(system), {.source = model_text(*args.positional()),
                                      .command = command(args),
                                      .seconds = seconds(args.get("--timeout")),
                                      .fly = args.has("--after"),
                                      .stage = [&](const std::string& part) { stages.next(part); }});
  for (auto& [name, answer] : page.answers) {
    if (!checker) break;
    stages.next("Coq: " + name);
    checker->check(answer, page.system.name);
  }
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
        "seconds of computing for the whole page; of its parts none takes more than a quarter of what is "
        "left, "
        "and what would take longer is left open",
        "120"},
       {"--after", "lift-off=fly",
        "the run is one whose contacts open and close, with its phases and impacts; such a page has no "
        "sliders"},
       coq_option(),
       set_option()},
      {"rattleback report rattleback -o rattleback.html", "rattleback report chaplygin-sleigh --set a=1/4",
       "rattleback report chaplygin-sleigh --coq", "rattleback report ball-in-cylinder --after lift-off=fly"},
      write_report};
}

}  // namespace rattleback::app

/// rattleback continue MODEL: branches of steady and periodic motions.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/study/hopf_starts.hpp>
#include <rattleback/view/results/branches.hpp>
#include <rattleback/view/results/orbit_branches.hpp>

#include "figure_options.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "run_options.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

double number(const std::string& text, const std::string& option) {
  if (const auto x = typed_number(text)) return *x;
  throw Error("usage", fmt::format("`{}` is not a number", text), "", "write a number")
      .at(command_line(option));
}

/// --vary NAME=FROM:TO, --and NAME=FROM:TO.
struct VariedRange {
  std::string name;
  double low, high;
};
VariedRange read_range(const std::string& text, const std::string& option) {
  const std::size_t equals = text.rfind('='),
                    colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos)
    throw Error("usage", fmt::format("`{}` does not say what is followed from where to where", text), "",
                fmt::format("write {} NAME=FROM:TO, with a parameter{}", option,
                            option == "--vary" ? " or an expression of the state" : ""))
        .at(command_line(option));
  const double a = number(text.substr(equals + 1, colon - equals - 1), option),
               b = number(text.substr(colon + 1), option);
  if (a == b)
    throw Error("usage", fmt::format("`{}` is an empty range", text), "", "write two different numbers")
        .at(command_line(option));
  return {text.substr(0, equals), std::min(a, b), std::max(a, b)};
}

void require_format(const Arguments& args, const std::string& option,
                    const std::vector<std::string>& endings) {
  if (!args.has(option)) return;
  const std::string extension = std::filesystem::path(args.get(option)).extension();
  if (std::find(endings.begin(), endings.end(), extension) == endings.end())
    throw Error("usage", fmt::format("`{}` has no format that can be written", args.get(option)),
                "the ending says the format", fmt::format("end the name in {}", fmt::join(endings, " or ")))
        .at(command_line(option));
  require_writable(args.get(option));
}

/// "x [m]", or the name alone where no unit is known.
std::string name_with_unit(const System& system, const std::string& name) {
  const std::string unit = unit_of(system, name == "period" ? "t" : name);
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

/// Text or JSON on the terminal, --output, --plot.
template <class Branches>
void deliver(const Arguments& args, const System& system, const std::string& vary, const Branches& branches) {
  Branches shown = branches;  // tables and figures for people
  for (std::string& name : shown.names) name = name_with_unit(system, name);
  const std::string varied = name_with_unit(system, vary);
  fmt::print("{}", args.get("--format") == "json" ? as_json(system.name, vary, branches)
                                                  : as_text(system.name, varied, shown));
  if (args.has("--output"))
    write_file(args.get("--output"), args.get("--output").ends_with(".json")
                                         ? as_json(system.name, vary, branches)
                                         : as_csv(system.name, varied, shown));
  if (args.has("--plot"))
    write_figure(args.get("--plot"),
                 drawn(figure_title(args, system.title), panels_of(varied, shown), figure_style(args)));
}

/// --orbits, --hopf: periodic motions in place of steady ones.
int orbits(const Arguments& args, const System& system, OrbitStart start, const SteadyQuestion& steady) {
  PeriodicQuestion question{steady.vary,          steady.branch, steady.known, steady.held,
                            args.get("--period"), true,          steady.second};
  if (!args.has("--points")) question.branch.most_points = 100;
  if (args.has("--period") && !start.steady)
    start.period = typed_number(args.get("--period"));  // none: of a forcing, in letters
  deliver(args, system, question.vary, periodic_branches(system, start, question));
  return Exit::done;
}

int continue_branches(const Arguments& args) {
  require_format(args, "--output", {".csv", ".json"});
  if (args.has("--plot")) require_figure(args, args.get("--plot"));
  if (!args.has("--vary"))
    throw Error("usage", "nothing is varied", "a branch needs something to be followed over",
                "add --vary NAME=FROM:TO, with a parameter or an expression of the state");
  const Budget budget(time_limits(args));
  SteadyQuestion question;
  const VariedRange first = read_range(args.get("--vary"), "--vary");
  question.vary = first.name;
  question.branch.low = first.low;
  question.branch.high = first.high;
  if (args.has("--and")) {
    const VariedRange second = read_range(args.get("--and"), "--and");
    if (second.name == first.name)
      throw Error("usage", fmt::format("`{}` is varied twice", first.name), "",
                  "give two different parameters")
          .at(command_line("--and"));
    question.second = {second.name, second.low, second.high};
  }
  std::vector<Assignment> from;
  for (const std::string& list : args.all("--from"))
    for (Assignment& a : assignments(list, "--from", "Omega3=5")) from.push_back(std::move(a));
  const System system = with_initial_values(model_in_motion(args), from, "--from");
  const Flow flow(system);
  question.known = known_invariants(system);
  const FoundInvariants found = found_invariants(flow, question.known);
  question.known.insert(question.known.end(), found.invariants.begin(), found.invariants.end());
  for (const std::string& text : args.all("--hold")) {
    const auto known = std::find_if(question.known.begin(), question.known.end(),
                                    [&](const Invariant& i) { return i.name == text; });
    question.held.push_back(
        {text, known != question.known.end() ? known->value : placed(command_line("--hold").file, [&] {
           return parse(text, system.scope);
         })});
  }
  if (args.has("--step")) question.branch.step = positive(flow, args, "--step", 0);
  if (args.has("--points")) question.branch.most_points = whole(flow, args, "--points", 400);
  const std::vector<double> y = initial_state(flow, {.project = true});
  if (args.has("--orbits")) return orbits(args, system, {.state = y}, question);
  const SteadyBranches branches = steady_branches(system, y, question);
  if (args.has("--hopf")) {
    const std::vector<OrbitStart> starts = hopf_starts(branches);
    if (starts.empty())
      throw Error("no-periodic-motion", "the branch of steady motions has no Hopf point",
                  "no periodic motions are born on it", "follow it without --hopf, or over another range");
    return orbits(args, system, starts.front(), question);
  }
  deliver(args, system, question.vary, branches);
  return Exit::done;
}

}  // namespace

Verb continue_verb() {
  return {"continue",
          "branches of steady and periodic motions",
          "MODEL",
          "Follows steady motions (relative equilibria) over a parameter, an integral or any function of the "
          "state by "
          "pseudo-arclength, in both directions from the one nearest to the initial state; folds, changes of "
          "stability and "
          "branches that cross are found on the way. While a family has more directions than one, known "
          "integrals keep their "
          "values.",
          with_figure_options(
              {{"--vary",
                "NAME=FROM:TO",
                "a parameter, or an expression of the state such as Omega3",
                {},
                {},
                true},
               {"--and", "NAME=FROM:TO",
                "a second parameter: folds, Hopf points, period doublings, tori and collisions of "
                "frequencies are "
                "followed in both"},
               {"--from",
                "NAME=VALUE,...",
                "start near this state; what is left out is the model's initial state",
                "",
                {},
                true},
               {"--orbits", "",
                "periodic motions (up to symmetries) in place of steady ones, from the one nearest to the "
                "start; --vary may be "
                "`period` or an integral"},
               {"--hopf", "",
                "periodic motions that are born at the first Hopf point of the branch of steady motions"},
               {"--period", "T",
                "about how long the periodic motion is (otherwise when the motion first comes back); of "
                "rates that depend on "
                "time exactly, as an expression of the parameters"},
               {"--hold", "EXPR", "what keeps its value along a branch", "", {}, true},
               {"--step", "S", "length of the first step along the branch (a fiftieth of the range)"},
               {"--points", "N", "at most so many points in each direction", "400"},
               {"--output", "FILE", "all points with their eigenvalues: .csv or .json"},
               {"--plot", "FILE", "the bifurcation diagram: .svg, .pdf or .png"},
               timeout_option("seconds of computing"),
               format_option({"text", "json"}),
               set_option()}),
          {"rattleback continue rattleback --from Omega3=2 --vary Omega3=-6:6 --plot spin.svg",
           "rattleback continue falling-disk --vary \"R=0.5:2\" --output disk.csv",
           "rattleback continue suslov-kharlamova --vary \"energy=-1:5\"",
           "rattleback continue rattleback --from Omega3=2 --vary Omega3=-6:6 --and delta=0.1:0.8 --plot "
           "curves.svg",
           "rattleback continue cart-pendulum --orbits --vary period=1:6 --plot periods.svg"},
          continue_branches};
}

}  // namespace rattleback::app

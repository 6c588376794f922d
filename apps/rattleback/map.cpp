/// rattleback map MODEL: return maps of Poincaré sections on levels.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/simulate/event_equation.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/with_initial_values.hpp>
#include <rattleback/view/return_map.hpp>

#include "figure_options.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "run_options.hpp"

namespace rattleback::app {
namespace {

/// --level F=VALUE, or --level F for its value at the initial state.
Level level_of(const Flow& flow, std::span<const double> state, const std::vector<Invariant>& known,
               const std::string& text) {
  const std::size_t equals = text.rfind('=');
  Level level;
  level.name = text.substr(0, equals);
  while (!level.name.empty() && level.name.back() == ' ') level.name.pop_back();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const Invariant& i) { return i.name == level.name; });
  level.value = found != known.end() ? found->value : placed(command_line("--level").file, [&] {
    return parse(level.name, flow.system().scope);
  });
  if (equals != std::string::npos) {
    level.at = number_of(flow, "--level", text.substr(equals + 1));
  } else {
    const Expr e = level.value;
    level.at = Observer(flow, {level.name}, std::span(&e, 1))(0, state)[0];
  }
  return level;
}

std::string section_text(const Arguments& args) {
  const std::string given = args.get("--section"), way = args.get("--direction");
  return given + (given.find('=') == std::string::npos ? " = 0" : "") +
         (way == "up"     ? " upwards"
          : way == "down" ? " downwards"
                          : "");
}

/// --plot takes the file and the plane.
struct Drawing {
  std::string file;
  PlotRequest request;
};
Drawing drawing_of(const Arguments& args) {
  Drawing drawing;
  for (const std::string& given : args.all("--plot"))
    if (is_figure_file(given))
      drawing.file = given;
    else
      drawing.request.panels.push_back(given);
  for (const std::string& list : args.all("--range"))
    for (const std::string& part : split_outside_brackets(list, ','))
      drawing.request.ranges.push_back(plot_range(part));
  if (drawing.request.panels.size() > 1)
    throw Error("usage", "two planes for one section", "", "give one --plot \"x:y\"")
        .at(command_line("--plot"));
  if (!drawing.request.panels.empty() && drawing.file.empty()) drawing.file = "figure.svg";
  if (!drawing.file.empty()) require_figure(args, drawing.file);
  return drawing;
}

/// Coordinates of the plane in which curves are refined.
std::function<Eigen::Vector2d(std::span<const double>)> plane_coordinates(
    const Flow& flow, const std::pair<std::string, std::string>& axes) {
  std::vector<Expr> both;
  for (const std::string& name : {axes.first, axes.second})
    both.push_back(event_equation(flow.system(), name, command_line("--plot").file));
  auto observer = std::make_shared<Observer>(flow, std::vector<std::string>{axes.first, axes.second}, both);
  return [observer](std::span<const double> state) {
    const std::vector<double>& v = (*observer)(0, state);
    return Eigen::Vector2d(v[0], v[1]);
  };
}

/// How wide the points lie in the plane.
double extent(const MapPortrait& portrait,
              const std::function<Eigen::Vector2d(std::span<const double>)>& plane) {
  Eigen::Vector2d low(INFINITY, INFINITY), high = -low;
  for (const auto& orbit : portrait.orbits)
    for (const ReturnMap::Return& r : orbit) {
      const Eigen::Vector2d p = plane(r.full);
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
  return portrait.orbits.empty() ? 1 : (high - low).norm();
}

void add_curves(ReturnMap& map, const Arguments& args, const PlotRequest& request, MapPortrait& portrait) {
  const auto plane = plane_coordinates(map.motion().flow(), plane_of(map, portrait, request));
  CurveOptions options;
  options.plane = plane;
  const double size = std::max(1e-6, extent(portrait, plane));
  options.length = args.get("--manifolds").empty()
                       ? 10 * size
                       : positive(map.motion().flow(), args, "--manifolds", 10 * size);
  options.resolution = size / 100;
  for (const Cycle& cycle : portrait.cycles)
    for (const bool stable : {false, true})
      for (InvariantCurve& curve : invariant_curves(map, cycle, stable, options))
        portrait.curves.push_back(std::move(curve));
}

void check_map_options(const Arguments& args) {
  if (!args.has("--section"))
    throw Error("usage", "there is no section", "a return map is one of a section",
                "add --section EXPR, such as --section \"theta = 0\"");
  for (const char* option : {"--manifolds", "--rotation"})
    if (args.has(option) && !args.has("--cycle"))
      throw Error("usage", fmt::format("{} is of no use here", option),
                  "it belongs to cycles, and none are looked for", "add --cycle K")
          .at(command_line(option));
  if (!args.has("--output")) return;
  const std::string ending = std::filesystem::path(args.get("--output")).extension();
  if (ending != ".csv" && ending != ".json")
    throw Error("usage", fmt::format("`{}` has no format that can be written", args.get("--output")),
                "the ending says the format", "end the name in .csv or .json")
        .at(command_line("--output"));
  require_writable(args.get("--output"));
}

int return_map(const Arguments& args) {
  check_map_options(args);
  const Drawing drawing = drawing_of(args);
  const Budget budget(time_limits(args));
  std::vector<Assignment> from;
  for (const std::string& list : args.all("--initial"))
    for (Assignment& a : assignments(list, "--initial", "theta=1")) from.push_back(std::move(a));
  const System system = with_initial_values(model_argument(args), from, "--initial");
  const Flow flow(system);
  const std::vector<double> state = initial_state(flow, {.project = true});
  std::vector<Invariant> known = known_invariants(system);
  const FoundInvariants found = found_invariants(flow, known);
  known.insert(known.end(), found.invariants.begin(), found.invariants.end());
  SectionQuestion question;
  question.section = event_equation(system, args.get("--section"), command_line("--section").file);
  const std::string way = args.get("--direction");
  question.direction = way == "up" ? 1 : way == "down" ? -1 : 0;
  MapPortrait portrait;
  for (const std::string& text : args.all("--level")) {
    question.levels.push_back(level_of(flow, state, known, text));
    portrait.levels.push_back(
        fmt::format("{} = {:.10g}", question.levels.back().name, question.levels.back().at));
  }
  question.longest = positive(flow, args, "--until", 1000);
  question.rtol = positive(flow, args, "--rtol", 1e-13);
  ReturnMap map(system, state, known, question);
  portrait.model = system.name;
  portrait.section = section_text(args);
  StartRanges ranges;
  for (const std::string& list : args.all("--within"))
    for (const std::string& part : split_outside_brackets(list, ',')) ranges.push_back(plot_range(part));
  const std::size_t wanted = whole(flow, args, "--starts", 1), points = whole(flow, args, "--points", 300);
  std::vector<Eigen::VectorXd> starts;
  if (const auto own = map.projected(map.start()); own && wanted == 1) starts.push_back(*own);
  if (starts.empty()) starts = starts_on_level(map, wanted, ranges);
  for (const Eigen::VectorXd& y : starts) {
    std::vector<ReturnMap::Return> orbit{{y, 0, {}, map.full_state(y)}};
    for (ReturnMap::Return& r : map.orbit(y, points)) orbit.push_back(std::move(r));
    portrait.orbits.push_back(std::move(orbit));
  }
  if (args.has("--cycle")) {
    portrait.sought = static_cast<int>(whole(flow, args, "--cycle", 1));
    portrait.cycles = cycles(map, portrait.sought, starts);
    if (args.has("--manifolds")) add_curves(map, args, drawing.request, portrait);
    if (args.has("--rotation"))
      for (const Cycle& cycle : portrait.cycles)
        portrait.rotations.push_back(
            rotation_profile(map, cycle, 12, positive(flow, args, "--rotation", 0.1), points));
  }
  fmt::print("{}", args.get("--format") == "json" ? as_json(map, portrait) : as_text(map, portrait));
  if (args.has("--output"))
    write_file(args.get("--output"),
               args.get("--output").ends_with(".json") ? as_json(map, portrait) : as_csv(map, portrait));
  if (!drawing.file.empty())
    write_figure(drawing.file, drawn(figure_title(args, system.title),
                                     panels_of(map, portrait, drawing.request), figure_style(args)));
  return Exit::done;
}

}  // namespace

Verb map_verb() {
  return {
      "map",
      "return maps of sections: orbits on a level, cycles, their manifolds",
      "MODEL",
      "Follows motions from one point of a Poincaré section to the next, from starts distributed over the "
      "section on levels of the "
      "energy or any other function. With --cycle K the cycles of K returns are found by Newton's method "
      "with the derivative of the map "
      "(variational equations), with their multipliers on the section, where integrals keep their values and "
      "symmetries are divided "
      "out.",
      with_figure_options(
          {{"--section", "EXPR", "where the expression crosses zero, or where `a = b` holds"},
           {"--direction", "D", "which crossings belong to the section", "up", {"up", "down", "both"}},
           {"--level",
            "F=VALUE",
            "only where this integral, by its name (energy), or any function has the value; without one, "
            "that of the initial state",
            "",
            {},
            true},
           {"--starts", "N",
            "how many points of the level motions start from; 1: the initial state, moved to the level", "1"},
           {"--within", "NAME=FROM:TO,...", "ranges of the state that starts are drawn from", "", {}, true},
           {"--points", "N", "how many returns of each start", "300"},
           {"--initial", "NAME=VALUE,...", "in place of the model's initial state", "", {}, true},
           {"--cycle", "K",
            "find cycles of K returns, from every start and from where its orbit comes back nearest"},
           {"--manifolds", "LENGTH",
            "grow the stable and unstable curves of saddles to this length in the plane of the figure"},
           {"--rotation", "R",
            "rotation numbers of orbits at distances up to R from elliptic cycles, and their twist"},
           {"--until", "T", "give up a motion that takes longer to come back", "1000"},
           {"--rtol", "R", "relative tolerance of a step", "1e-13"},
           {"--output", "FILE", "all points: .csv or .json"},
           {"--plot",
            "FILE|X:Y",
            "draw the section: the file (.svg, .pdf or .png), and the plane if you choose",
            "",
            {},
            true},
           {"--range", "NAME=FROM:TO,...", "what an axis of --plot shows", "", {}, true},
           format_option({"text", "json"}),
           timeout_option("seconds of computing"),
           set_option()}),
      {"rattleback map contact-oscillator --section \"y = 0\" --level energy=2 --starts 20 --plot "
       "section.png",
       "rattleback map cart-pendulum --section \"theta = 0\" --cycle 1",
       "rattleback map suslov-kharlamova --section \"Omega1 = 0\" --level energy --starts 30 --points 100"},
      return_map};
}

}  // namespace rattleback::app

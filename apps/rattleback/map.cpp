/// rattleback map MODEL: return maps of Poincaré sections on levels.
#include <filesystem>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/results/map_portrait.hpp>

#include "figure_options.hpp"
#include "model_argument.hpp"
#include "output_file.hpp"
#include "run_options.hpp"

namespace rattleback::app {
namespace {

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

MapQuestion question_of(const Flow& flow, const Arguments& args, const PlotRequest& plane) {
  MapQuestion question;
  question.section = args.get("--section");
  const std::string way = args.get("--direction");
  question.direction = way == "up" ? 1 : way == "down" ? -1 : 0;
  question.levels = args.all("--level");
  question.longest = positive(flow, args, "--until", 1000);
  question.rtol = positive(flow, args, "--rtol", 1e-13);
  for (const std::string& list : args.all("--within"))
    for (const std::string& part : split_outside_brackets(list, ','))
      question.within.push_back(plot_range(part));
  question.starts = whole(flow, args, "--starts", 1);
  question.points = whole(flow, args, "--points", 300);
  question.plane = plane;
  if (!args.has("--cycle")) return question;
  question.cycle = static_cast<int>(whole(flow, args, "--cycle", 1));
  question.manifolds = args.has("--manifolds");
  if (!args.get("--manifolds").empty()) question.manifold_length = positive(flow, args, "--manifolds", 0);
  if (args.has("--rotation")) question.rotation = positive(flow, args, "--rotation", 0.1);
  return question;
}

int return_map(const Arguments& args) {
  check_map_options(args);
  const Drawing drawing = drawing_of(args);
  const Budget budget(time_limits(args));
  std::vector<Assignment> from;
  for (const std::string& list : args.all("--initial"))
    for (Assignment& a : assignments(list, "--initial", "theta=1")) from.push_back(std::move(a));
  const System system = with_initial_values(model_in_motion(args), from, "--initial");
  const Flow flow(system);
  const auto [map, portrait] = mapped_section(flow, question_of(flow, args, drawing.request));
  fmt::print("{}", args.get("--format") == "json" ? as_json(*map, portrait) : as_text(*map, portrait));
  if (args.has("--output"))
    write_file(args.get("--output"),
               args.get("--output").ends_with(".json") ? as_json(*map, portrait) : as_csv(*map, portrait));
  if (!drawing.file.empty())
    write_figure(drawing.file,
                 drawn(figure_title(args, system.title),
                       with_units(panels_of(*map, portrait, drawing.request), system), figure_style(args)));
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

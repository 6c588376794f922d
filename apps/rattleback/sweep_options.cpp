#include "sweep_options.hpp"

#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/pieces.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

#include "interrupt.hpp"
#include "output_file.hpp"

namespace rattleback::app {
namespace {

double number(const Arguments& args, const std::string& option) {
  if (const auto x = typed_number(args.get(option)); x && *x > 0) return *x;
  throw Error("usage", fmt::format("{} {} is not a positive number", option, args.get(option)), "",
              "write a positive number")
      .at(command_line(option));
}
/// Negative: backwards.
double time_given(const Arguments& args) {
  if (const auto t = typed_number(args.get("--until")); t && *t != 0) return *t;
  throw Error("usage", fmt::format("--until {} is not a time", args.get("--until")), "",
              "write a number that is not zero; negative: backwards in time")
      .at(command_line("--until"));
}
double number(const Arguments& args, const std::string& option, double otherwise) {
  return args.has(option) ? number(args, option) : otherwise;
}

/// --differ l=0.05,n=1.
std::map<std::string, double> differences_of(const Arguments& args) {
  std::map<std::string, double> all;
  for (const std::string& text : args.all("--differ")) {
    for (const std::string& part : pieces(text, ',')) {
      const std::size_t equals = part.find('=');
      const auto value = equals == std::string::npos ? std::nullopt : typed_number(part.substr(equals + 1));
      if (!value || *value < 0)
        throw Error("usage", fmt::format("--differ {} is not a difference", part), "",
                    "write name=number, with the name of something that is kept, such as l=0.05")
            .at(command_line("--differ"));
      all[part.substr(0, equals)] = *value;
    }
  }
  return all;
}

}  // namespace

std::size_t whole_number(const Arguments& args, const std::string& option, std::size_t otherwise) {
  const double x = number(args, option, static_cast<double>(otherwise));
  if (x == std::floor(x) && x < 1e15) return static_cast<std::size_t>(x);
  throw Error("usage", fmt::format("{} {} is not a whole number", option, args.get(option)), "",
              "write a whole number")
      .at(command_line(option));
}

std::optional<double> time_on_the_clock(const Arguments& args) {
  return args.has("--timeout") ? std::optional(seconds(args.get("--timeout"))) : std::nullopt;
}

SweepPlan plan_of(System system, const Arguments& args) {
  SweepPlan plan;
  for (const std::string& text : args.all("--keep")) plan.keep.push_back(reduction(text, system));
  plan.until = 10;
  if (system.simulation.until)
    plan.until = evaluate(substitute(*system.simulation.until, parameter_values(system)), Numbers{});
  if (args.has("--until")) plan.until = time_given(args);
  plan.method = stepper_named(args.get("--method")).name;
  plan.settings.rtol = number(args, "--rtol", 1e-10);
  plan.settings.atol = number(args, "--atol", plan.settings.rtol / 100);
  plan.settings.step = number(args, "--step", 0);
  plan.project = args.has("--project");
  if (args.has("--timeout")) plan.time_is_up = TimeIsUp(&GracefulInterrupt::out_of_time());
  plan.system = std::move(system);
  return plan;
}

std::vector<Axis> axes_of(const Arguments& args) {
  std::vector<Axis> axes;
  for (const std::string& text : args.all("--vary")) axes.push_back(axis(text));
  if (axes.empty())
    throw Error("usage", "nothing is varied",
                "a sweep needs at least one quantity that differs between its members",
                "add --vary name=first:last:count; `rattleback simulate` runs a single motion");
  return axes;
}

std::unique_ptr<ChartRefinement> refinement_of(const Arguments& args, const std::vector<Axis>& axes,
                                               const std::vector<KeptQuantity>& keep) {
  if (!args.has("--refine")) {
    if (args.has("--differ"))
      throw Error("usage", "--differ says where a chart is refined, and it is not", "",
                  "add --refine LEVELS");
    return nullptr;
  }
  if (args.has("--samples") && whole_number(args, "--samples", 1) != 1)
    throw Error("usage", "a chart with random samples cannot be refined", "neighbours would differ by chance",
                "leave out --samples");
  return std::make_unique<ChartRefinement>(axes, whole_number(args, "--refine", 1), keep,
                                           differences_of(args));
}

}  // namespace rattleback::app

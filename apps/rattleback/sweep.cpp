/// rattleback sweep MODEL: many motions.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/pieces.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/collected.hpp>
#include <rattleback/sweep/refined_sweep.hpp>
#include <rattleback/sweep/summary.hpp>
#include <rattleback/view/pictures/sweep_plot.hpp>

#include "figure_options.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "native_option.hpp"
#include "output_file.hpp"
#include "printed_table.hpp"
#include "verb.hpp"

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
std::size_t count(const Arguments& args, const std::string& option, std::size_t otherwise) {
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

std::unique_ptr<ChartRefinement> refinement_of(const Arguments& args, const std::vector<Axis>& axes,
                                               const std::vector<KeptQuantity>& keep) {
  if (!args.has("--refine")) {
    if (args.has("--differ"))
      throw Error("usage", "--differ says where a chart is refined, and it is not", "",
                  "add --refine LEVELS");
    return nullptr;
  }
  if (args.has("--samples") && count(args, "--samples", 1) != 1)
    throw Error("usage", "a chart with random samples cannot be refined", "neighbours would differ by chance",
                "leave out --samples");
  return std::make_unique<ChartRefinement>(axes, count(args, "--refine", 1), keep, differences_of(args));
}

std::string refine_text(const Arguments& args) {
  if (!args.has("--refine")) return "";
  std::string text = args.get("--refine");
  for (const std::string& d : args.all("--differ")) text += ", " + d;
  return text;
}

/// Everything that the numbers depend on, for the header of the table.
TableHeader header_of(const Members& members, const Arguments& args) {
  const SweepPlan& plan = members.plan();
  TableHeader header{
      members.ensemble().size(), block_count(members.ensemble().size()), members.columns(), {}, {}};
  const std::string settings =
      fmt::format("method {}, rtol {:g}, atol {:g}, step {:g}, until {:.17g}, samples {}, seed {}",
                  plan.method, plan.settings.rtol, plan.settings.atol, plan.settings.step, plan.until,
                  args.get("--samples"), args.get("--seed"));
  header.about = {
      {"schema", "rattleback.sweep/1"},
      {"model", plan.system.name},
      {"title", plan.system.title},
      {"vary", fmt::format("{}", fmt::join(args.all("--vary"), "; "))},
      {"set", fmt::format("{}", fmt::join(args.all("--set"), ", "))},
      {"initial", fmt::format("{}", fmt::join(args.all("--initial"), ", "))},
      {"keep", fmt::format("{}", fmt::join(args.all("--keep"), "; "))},
      {"refine", refine_text(args)},
      {"settings", settings},
      {"fate",
       "0 arrived, 1 stopped on the way (steps too short or numbers not finite), 2 no initial state"}};
  std::erase_if(header.about, [](const auto& line) { return line.first == "refine" && line.second.empty(); });
  for (const auto& [key, value] : header.about) header.fingerprint += key + "=" + value + "\n";
  header.fingerprint +=
      fmt::format("code={:016x}\nblocks={}\n", members.flow().rates().hash(), header.blocks);
  header.units = members.units();
  return header;
}

/// A line that is written over, on a terminal, at most ten times a second.
std::function<void(std::size_t)> progress_bar(std::size_t members) {
  using clock = std::chrono::steady_clock;
  if (isatty(STDERR_FILENO) == 0) return {};
  return [members, begin = clock::now(), last = clock::now(), first = std::size_t{0},
          started = false](std::size_t done) mutable {
    const clock::time_point now = clock::now();
    if (!started) first = done;
    started = true;
    if (now - last < std::chrono::milliseconds(100) && done < members) return;
    last = now;
    const double rate = static_cast<double>(done - first) /
                        std::max(1e-9, std::chrono::duration<double>(now - begin).count());
    const double part = static_cast<double>(done) / static_cast<double>(members);
    fmt::print(stderr, "\r  {} of {}  [{:<30}]  {:.0f}/s, {:.0f} s left   {}", done, members,
               std::string(static_cast<std::size_t>(30 * part), '='), rate,
               rate > 0 ? static_cast<double>(members - done) / rate : 0, done == members ? "\r\033[K" : "");
  };
}

std::string as_text(const TableHeader& header, const Summary& found, const std::string& output) {
  const std::string& title = header.about[2].second.empty() ? header.about[1].second : header.about[2].second;
  std::string text = fmt::format("{}: {} members\n", title, header.members);
  const auto line = [&](const std::string& name, const std::string& value) {
    text += fmt::format("  {:<14} {}\n", name, value);
  };
  line("vary", header.about[3].second);
  std::string fates = fmt::format("{} arrived", found.arrived);
  if (found.stopped > 0) fates += fmt::format(", {} stopped on the way", found.stopped);
  if (found.no_start > 0) fates += fmt::format(", {} have no initial state", found.no_start);
  if (found.earlier > 0) fates += fmt::format("; {} members are of the earlier run", found.earlier);
  line("fate", fates);
  if (found.arrived > 0)
    line("energy change", fmt::format("at most {:.1e} of the energy", found.energy_change));
  if (found.arrived > 0)
    text += fmt::format("\n  {:<14} {:>14} {:>14} {:>14}\n", "at the end", "least", "mean", "largest");
  for (const Spread& s : found.spreads) {
    if (s.count == 0) continue;
    text += fmt::format("  {:<14} {:>14.7g} {:>14.7g} {:>14.7g}\n", with_unit(header.units, s.name), s.least,
                        s.mean(), s.most);
  }
  if (!output.empty()) text += fmt::format("\nwritten to {}\n", output);
  return text;
}

std::string as_json(const TableHeader& header, const Summary& found, const std::string& output) {
  nlohmann::ordered_json json;
  for (const auto& [key, value] : header.about)
    if (key != "fate") json[key] = value;
  json["members"] = header.members;
  json["fates"] = {{"arrived", found.arrived}, {"stopped", found.stopped}, {"no_start", found.no_start}};
  if (found.earlier > 0) json["earlier"] = found.earlier;
  json["energy_change"] = found.energy_change;
  for (const Spread& s : found.spreads)
    if (s.count > 0) json["at_end"][s.name] = {{"least", s.least}, {"mean", s.mean()}, {"largest", s.most}};
  for (const auto& [name, unit] : header.units) json["units"][name] = unit;
  if (!output.empty()) json["output"] = output;
  return json.dump(2) + "\n";
}

/// The axes, and what is kept of each motion or, when nothing is asked for, the final state.
std::vector<std::size_t> drawn_columns(const std::vector<Column>& columns, const std::string& group) {
  std::vector<std::size_t> which;
  for (std::size_t c = 0; c < columns.size() && which.size() < legible::columns_of_a_sweep.count; ++c)
    if (columns[c].group == group) which.push_back(c);
  return which;
}

void draw(const Arguments& args, const TableHeader& header, const CollectingTable& table,
          const std::vector<std::size_t>& which, const std::vector<KeptQuantity>& keep) {
  const auto labels = [&](const Column& column) {
    return column.group == "kept" && std::any_of(keep.begin(), keep.end(), [&](const KeptQuantity& r) {
             return r.name == column.name && r.kind == Reduce::attractor;
           });
  };
  std::vector<SweptQuantity> axes, quantities;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const Column& column = header.columns[which[k]];
    (column.group == "axes" ? axes : quantities)
        .push_back({with_unit(header.units, column.name), table.columns()[k], labels(column)});
  }
  write_figure(args.get("--plot"), sweep_picture(figure_title(args, header.about[2].second), axes, quantities,
                                                 figure_style(args)));
}

/// Motions that end early are rows of the table like others; an error when all of them do.
void require_arrival(const Summary& found, std::size_t members, double until) {
  if (found.stopped + found.no_start < members) return;
  throw Error(
      "motion-ends", fmt::format("none of the {} motions reaches t = {:.10g}", members, until),
      fmt::format("{} meet a singularity or grow beyond all bounds on the way, {} have no initial state",
                  found.stopped, found.no_start),
      "how far each of them comes is in the table (--output); look at one with `rattleback simulate`");
}

std::string why_interrupted() {
  return GracefulInterrupt::out_of_time()
             ? "the time limit was reached; blocks of members under way were given up"
             : "";
}

/// On rank 0: opens the table, shares out the work, says what came out.
int direct(Ranks& ranks, const Members& members, Workshop& shop, const Arguments& args) {
  const TableHeader header = header_of(members, args);
  const std::string output = args.get("--output");
  if (args.has("--resume") && output.empty())
    throw Error("usage", "there is nothing to resume", "only a file remembers what was done",
                "add --output results.h5");
  std::vector<std::size_t> which = drawn_columns(header.columns, "axes");
  const std::vector<std::size_t> kept =
      drawn_columns(header.columns, members.plan().keep.empty() ? "final" : "kept");
  which.insert(which.end(), kept.begin(), kept.end());
  auto under = output.empty() ? no_table(header) : open_table(output, header, args.has("--resume"));
  const CollectingTable* collected = nullptr;
  if (args.has("--plot") || args.has("--show")) {
    auto collecting = std::make_unique<CollectingTable>(std::move(under), header, which);
    collected = collecting.get();
    under = std::move(collecting);
  }
  SummingTable table(std::move(under), header);
  const GracefulInterrupt guard(time_on_the_clock(args));
  shop.stop = &GracefulInterrupt::asked_for();
  if (!args.has("--quiet")) shop.progress = progress_bar(shop.members);
  std::size_t done = 0;
  try {
    done = compute_blocks(ranks, &table, shop);
    table.finish();
  } catch (const std::runtime_error& problem) {
    throw Error(
        "unwritable-output", fmt::format("cannot go on writing `{}`", output), problem.what(),
        output.ends_with(".h5")
            ? "what is written so far is complete; make room and continue with --resume"
            : "the lines written so far stand; make room, or write to a .h5 file, which can be resumed");
  }
  if (done < shop.members)
    throw Error(
        "interrupted", fmt::format("interrupted: {} of {} members are done", done, shop.members),
        why_interrupted(),
        output.ends_with(".h5") ? "continue with --resume" : "write to a .h5 file to be able to resume");
  fmt::print("{}", args.get("--format") == "json" ? as_json(header, table.summary(), output)
                                                  : as_text(header, table.summary(), output));
  if (args.has("--show")) {
    const std::vector<std::string> all = column_names(header.columns);
    std::vector<std::string> names;
    for (const std::size_t c : which) names.push_back(all[c]);
    fmt::print("{}", printed_table(names, collected->columns()));
  }
  if (args.has("--plot")) draw(args, header, *collected, which, members.plan().keep);
  require_arrival(table.summary(), shop.members, members.plan().until);
  return Exit::done;
}

/// How many points were computed, and where neighbours count as different.
std::string refinement_text(const ChartRefinement& refinement, const RefinedRows& found,
                            const std::vector<KeptQuantity>& keep) {
  std::string by;
  for (std::size_t k = 0; k < keep.size(); ++k)
    by += fmt::format("{}{} by {:.3g}", k == 0 ? "" : ", ", keep[k].name, refinement.differences()[k]);
  return fmt::format("  {:<14} {} of {} points of the finest grid; where neighbours differ in {}\n",
                     "computed", found.points.size(), refinement.points(), by);
}

void draw_chart(const Arguments& args, const TableHeader& header, const ChartRefinement& refinement,
                const std::vector<KeptQuantity>& keep) {
  std::vector<SweptQuantity> axes, quantities;
  for (std::size_t a = 0; a < refinement.axes().size(); ++a)
    axes.push_back({with_unit(header.units, refinement.axes()[a].name), refinement.axis_values(a)});
  for (std::size_t k = 0; k < keep.size(); ++k)
    quantities.push_back(
        {with_unit(header.units, keep[k].name), refinement.chart(k), keep[k].kind == Reduce::attractor});
  write_figure(args.get("--plot"), sweep_picture(figure_title(args, header.about[2].second), axes, quantities,
                                                 figure_style(args)));
}

/// On rank 0: levels one after the other, then the whole.
int direct_refined(Ranks& ranks, Members& members, ChartRefinement& refinement, Workshop& shop,
                   const Arguments& args) {
  TableHeader header = header_of(members, args);
  const std::string output = args.get("--output");
  if (args.has("--resume") && !output.ends_with(".h5"))
    throw Error("usage", "there is nothing to resume", "only a .h5 file remembers what was done",
                "add --output results.h5");
  const GracefulInterrupt guard(time_on_the_clock(args));
  shop.stop = &GracefulInterrupt::asked_for();
  RefinedRows found;
  Summary summary;
  try {
    found = compute_refined(ranks, members, refinement, shop, header, output, args.has("--resume"));
    if (found.complete) summary = write_refined(found, header, output);
  } catch (const std::runtime_error& problem) {
    throw Error("unwritable-output", fmt::format("cannot go on writing `{}`", output), problem.what(),
                "what is written so far is complete; make room and continue with --resume");
  }
  if (!found.complete)
    throw Error(
        "interrupted", fmt::format("interrupted in level {} of --refine", refinement.level()),
        why_interrupted(),
        output.ends_with(".h5") ? "continue with --resume" : "write to a .h5 file to be able to resume");
  header.members = found.points.size();
  const std::vector<KeptQuantity>& keep = members.plan().keep;
  if (args.get("--format") == "json") {
    auto json = nlohmann::ordered_json::parse(as_json(header, summary, output));
    json["refinement"] = {{"levels", count(args, "--refine", 1)},
                          {"points", refinement.points()},
                          {"computed", found.points.size()},
                          {"differences", refinement.differences()}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}{}", as_text(header, summary, output), refinement_text(refinement, found, keep));
  }
  if (args.has("--show")) {
    std::vector<std::string> names = column_names(found.columns);
    std::vector<std::vector<double>> columns(names.size());
    for (std::size_t i = 0; i < found.rows.size(); ++i) columns[i % names.size()].push_back(found.rows[i]);
    fmt::print("{}", printed_table(names, columns));
  }
  if (args.has("--plot")) draw_chart(args, header, refinement, keep);
  require_arrival(summary, found.points.size(), members.plan().until);
  return Exit::done;
}

/// Says what is wrong and stops the ranks that wait for messages. A wrong command line is wrong on all of them: rank 0 has
/// a moment to say it first, and once.
void end_all(Ranks& ranks, const std::string& message) {
  if (ranks.rank() > 0) std::this_thread::sleep_for(std::chrono::seconds(5));
  fmt::print(stderr, "{}", message);
  std::fflush(stderr);
  ranks.abort(Exit::error);
}

/// The equations of all members, within the time limit: the members themselves have another.
Members members_of(SweepPlan plan, Ensemble ensemble, const Arguments& args) {
  std::optional<Budget> budget;
  if (const auto limits = limits_of_a_foundation(args)) budget.emplace(*limits);
  return Members(std::move(plan), std::move(ensemble));
}

int run_sweep(const Arguments& args) {
  if (args.has("--output")) require_writable(args.get("--output"));
  if (args.has("--plot")) require_figure(args, args.get("--plot"));
  const std::unique_ptr<Ranks> ranks = all_ranks();
  try {
    choose_native(args);
    System system = with_initial_values(model_in_motion(args), initial_assignments(args));
    SweepPlan plan = plan_of(std::move(system), args);
    const std::unique_ptr<ChartRefinement> refinement = refinement_of(args, axes_of(args), plan.keep);
    Members members = members_of(std::move(plan),
                                 Ensemble(refinement ? refinement->axes() : axes_of(args),
                                          count(args, "--samples", 1), count(args, "--seed", 1)),
                                 args);
    const std::size_t alone = std::max(1U, std::thread::hardware_concurrency());
    Workshop shop{.members = members.ensemble().size(),
                  .threads = static_cast<int>(
                      std::min<std::size_t>(count(args, "--threads", ranks->size() > 1 ? 1 : alone), 1024)),
                  .make_worker = [&] { return members.worker(); }};
    if (ranks->rank() == 0)
      return refinement ? direct_refined(*ranks, members, *refinement, shop, args)
                        : direct(*ranks, members, shop, args);
    const GracefulInterrupt guard(time_on_the_clock(args));
    if (refinement)
      serve_refined(*ranks, members, shop);
    else
      compute_blocks(*ranks, nullptr, shop);
    return Exit::done;
  } catch (const Error& error) {
    if (ranks->size() > 1) end_all(*ranks, report(error));
    throw;
  } catch (const std::exception& broken) {
    if (ranks->size() > 1) end_all(*ranks, fmt::format("error: {}\n", broken.what()));
    throw;
  }
}

}  // namespace

Verb sweep_verb() {
  return {
      "sweep",
      "many motions at once",
      "MODEL",
      "Runs every combination of the values given by --vary, on all cores, and under mpirun on many "
      "machines. The numbers do "
      "not depend on how many take part. With --output results.h5 an interrupted sweep goes on where it "
      "stopped.",
      with_figure_options(
          {{"--vary",
            "N=VALUES",
            "a parameter or initial value: first:last:count[:log], v1,v2,..., uniform(a,b) or "
            "normal(mean,deviation)",
            {},
            {},
            true},
           {"--show", "", "print what was varied and kept of every member as a table"},
           {"--samples", "N", "draws of the random quantities for each combination of the others", "1"},
           {"--seed", "N", "of the random numbers", "1"},
           {"--until", "T", "how long each motion lasts; negative: backwards in time, towards repellers"},
           {"--initial", "N=V,...", "initial values that do not vary", {}, {}, true},
           {"--project", "", "drop the part of an initial velocity that the constraints forbid"},
           {"--method", "M", "stepper, as for simulate", "dop853"},
           {"--rtol", "R", "relative tolerance of a step (1e-10)"},
           {"--atol", "A", "absolute tolerance of a step (a hundredth of rtol)"},
           {"--step", "H", "length of steps, for methods of constant step"},
           {"--keep",
            "N=K(E)",
            "what to keep of a motion: K is final, min, max, mean, crossings or reversals (how often E "
            "changes its "
            "sign), first (when it does), period (between crossings upwards), attractor or basin (the mean "
            "over the last "
            "quarter: where it ends up); N=at(E, G, K): the value of E where G crosses zero upwards for the "
            "K-th time; "
            "N=rotation-number(ANGLE, G); N=lyapunov(K): the K-th exponent; N=megno",
            {},
            {},
            true},
           {"--refine", "L",
            "halve the spacing of the grid L times where neighbours differ in what is kept; one or two axes "
            "first:last:count"},
           {"--differ",
            "N=D,...",
            "with --refine: how far neighbours may be apart in something that is kept (a twentieth of the "
            "range of the middle 90 %; any difference of counts)",
            {},
            {},
            true},
           {"--output", "FILE", "the table of all members: .h5 or .csv"},
           {"--plot", "FILE",
            "draw what is kept, or the final state: curves over one axis, maps over two; .svg, .pdf or .png"},
           {"--resume", "", "go on with a .h5 file that an earlier sweep left incomplete"},
           {"--threads", "N", "of this process (all cores; 1 under mpirun)"},
           {"--quiet", "", "no progress bar"},
           native_option(),
           format_option({"text", "json"}),
           timeout_option(
               "seconds on the clock for the members; blocks of members that are complete are kept"),
           {"--input",
            "NAME=LAW",
            "what a control input is: an expression of t and the state, such as \"tau=-k*theta\", or a "
            "table.csv of "
            "time and value",
            "",
            {},
            true},
           set_option()}),
      {"rattleback sweep chaplygin-sleigh --vary a=0:1:11 --vary omega=0.1:2:20",
       "rattleback sweep chaplygin-sleigh --vary a=-1:1:101 --vary omega=-2:2:101 --keep "
       "\"turn=final(theta)\" --plot "
       "map.png",
       "rattleback sweep rattleback --vary Omega3=-5:5:101 --keep \"reversals=crossings(Omega3)\" "
       "--output spins.h5",
       "rattleback sweep rattleback --vary delta=0:1:40 --vary Omega1=0:6:40 --until 100 --keep "
       "\"l=lyapunov(1)\" "
       "--plot chart.png",
       "rattleback sweep rattleback --vary delta=0:1:26 --vary Omega1=0:6:26 --until 50 --keep "
       "\"l=lyapunov(1)\" --refine 3 "
       "--plot chart.png",
       "mpirun -n 4 rattleback sweep snakeboard --vary \"theta=uniform(0,1)\" --samples 100000 --output "
       "cloud.h5"},
      run_sweep};
}

}  // namespace rattleback::app

/// rattleback sweep MODEL: many motions.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/collecting_table.hpp>
#include <rattleback/sweep/refined_sweep.hpp>
#include <rattleback/sweep/summary.hpp>

#include "figure_options.hpp"
#include "interrupt.hpp"
#include "model_argument.hpp"
#include "native_option.hpp"
#include "output_file.hpp"
#include "printed_table.hpp"
#include "sweep_options.hpp"
#include "sweep_output.hpp"
#include "verb.hpp"

namespace rattleback::app {
namespace {

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
  if (!args.has("--quiet")) shop.progress = sweep_progress(shop.members);
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
  fmt::print("{}", args.get("--format") == "json" ? sweep_json(header, table.summary(), output)
                                                  : sweep_text(header, table.summary(), output));
  if (args.has("--show")) {
    const std::vector<std::string> all = column_names(header.columns);
    std::vector<std::string> names;
    for (const std::size_t c : which) names.push_back(with_unit(header.units, all[c]));
    fmt::print("{}", printed_table(names, collected->columns()));
  }
  if (args.has("--plot")) draw_sweep(args, header, *collected, which, members.plan().keep);
  require_arrival(table.summary(), shop.members, members.plan().until);
  return Exit::done;
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
    auto json = nlohmann::ordered_json::parse(sweep_json(header, summary, output));
    json["refinement"] = {{"levels", whole_number(args, "--refine", 1)},
                          {"points", refinement.points()},
                          {"computed", found.points.size()},
                          {"differences", refinement.differences()}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}{}", sweep_text(header, summary, output), refinement_text(refinement, found, keep));
  }
  if (args.has("--show")) {
    std::vector<std::string> names = column_names(found.columns);
    for (std::string& name : names) name = with_unit(header.units, name);
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
    Members members =
        members_of(std::move(plan),
                   Ensemble(refinement ? refinement->axes() : axes_of(args),
                            whole_number(args, "--samples", 1), whole_number(args, "--seed", 1)),
                   args);
    const std::size_t alone = std::max(1U, std::thread::hardware_concurrency());
    Workshop shop{.members = members.ensemble().size(),
                  .threads = static_cast<int>(std::min<std::size_t>(
                      whole_number(args, "--threads", ranks->size() > 1 ? 1 : alone), 1024)),
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

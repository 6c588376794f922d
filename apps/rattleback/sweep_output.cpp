#include "sweep_output.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/view/pictures/sweep_plot.hpp>

#include "figure_options.hpp"

namespace rattleback::app {
namespace {

std::string refine_text(const Arguments& args) {
  if (!args.has("--refine")) return "";
  std::string text = args.get("--refine");
  for (const std::string& d : args.all("--differ")) text += ", " + d;
  return text;
}

}  // namespace

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

std::function<void(std::size_t)> sweep_progress(std::size_t members) {
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

std::string sweep_text(const TableHeader& header, const Summary& found, const std::string& output) {
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

std::string sweep_json(const TableHeader& header, const Summary& found, const std::string& output) {
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

std::string refinement_text(const ChartRefinement& refinement, const RefinedRows& found,
                            const std::vector<KeptQuantity>& keep) {
  std::string by;
  for (std::size_t k = 0; k < keep.size(); ++k)
    by += fmt::format("{}{} by {:.3g}", k == 0 ? "" : ", ", keep[k].name, refinement.differences()[k]);
  return fmt::format("  {:<14} {} of {} points of the finest grid; where neighbours differ in {}\n",
                     "computed", found.points.size(), refinement.points(), by);
}

std::vector<std::size_t> drawn_columns(const std::vector<Column>& columns, const std::string& group) {
  std::vector<std::size_t> which;
  for (std::size_t c = 0; c < columns.size() && which.size() < legible::columns_of_a_sweep.count; ++c)
    if (columns[c].group == group) which.push_back(c);
  return which;
}

void draw_sweep(const Arguments& args, const TableHeader& header, const CollectingTable& table,
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

}  // namespace rattleback::app

/// Ensembles of motions.
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/members.hpp>
#include <rattleback/sweep/mirrored.hpp>
#include <rattleback/sweep/refined_sweep.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Model = std::shared_ptr<System>;

struct Plan {
  std::vector<std::pair<std::string, std::vector<double>>> grids;
  std::vector<std::tuple<std::string, std::string, double, double>>
      random;  ///< name, uniform or normal, two numbers
  std::size_t samples = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> keep;
  Assignments initial;
  std::optional<double> until;
  std::string method = "dop853";
  double rtol = 1e-10;
  std::optional<double> atol;
  double step = 0;
  bool project = false;
  int threads = 1;
  std::string output;  ///< a table on the disk; empty: in memory only
  bool resume = false;
  std::size_t refine = 0;  ///< levels of a chart; the grids are then evenly spaced
  std::map<std::string, double> differ;
  Assignments about;  ///< of everything that the numbers depend on, for the header of that table
};

/// Files that are being written by this process: a sweep that was interrupted finishes its blocks first.
class OpenOutput {
 public:
  explicit OpenOutput(const std::string& path) {
    if (path.empty()) return;
    path_ = std::filesystem::absolute(path).lexically_normal().string();
    const std::lock_guard lock(mutex());
    if (!all().insert(path_).second) {
      path_.clear();
      throw Error("unwritable-output", "`" + path + "` is being written",
                  "a sweep of this process that was stopped has not finished its last members yet",
                  "wait a moment, or choose another output");
    }
  }
  ~OpenOutput() {
    const std::lock_guard lock(mutex());
    all().erase(path_);
  }
  OpenOutput(const OpenOutput&) = delete;
  OpenOutput& operator=(const OpenOutput&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static std::set<std::string>& all() {
    static std::set<std::string> paths;
    return paths;
  }
  std::string path_;
};

SweepPlan sweep_plan(const System& model, const Plan& given) {
  SweepPlan plan;
  plan.system = given.initial.empty() ? model : with_initial_values(model, given.initial);
  for (const std::string& text : given.keep) plan.keep.push_back(reduction(text, plan.system));
  plan.until = 10;
  if (plan.system.simulation.until)
    plan.until =
        evaluate(substitute(*plan.system.simulation.until, parameter_values(plan.system)), Numbers{});
  plan.until = given.until.value_or(plan.until);
  plan.method = stepper_named(given.method).name;
  plan.settings.rtol = given.rtol;
  plan.settings.atol = given.atol.value_or(given.rtol / 100);
  plan.settings.step = given.step;
  plan.project = given.project;
  return plan;
}

Ensemble ensemble(const Plan& given) {
  std::vector<Axis> axes;
  for (const auto& [name, values] : given.grids) {
    if (given.refine > 0)
      axes.push_back({name, rattleback::Range{values.front(), values.back(), values.size(), false}});
    else
      axes.push_back({name, List{values}});
  }
  for (const auto& [name, kind, a, b] : given.random) {
    if (kind == "uniform")
      axes.push_back({name, Uniform{a, b}});
    else
      axes.push_back({name, Normal{a, b}});
  }
  return {std::move(axes), given.samples, given.seed};
}

struct Swept {
  std::vector<Column> columns;
  std::vector<double> rows;
  std::size_t members = 0, done = 0;
  int rank = 0;
};

std::string advice_to_go_on(const std::string& output) {
  return output.ends_with(".csv")
             ? "the lines written so far stand; make room, or write to a .h5 file, which can be resumed"
             : "what is written so far is complete; make room and continue with resume=True";
}

TableHeader header_of(const Members& members, const Plan& plan, std::size_t count) {
  TableHeader header{count, block_count(count), members.columns(), plan.about, {}, members.units()};
  for (const auto& [key, value] : header.about) header.fingerprint += key + "=" + value + "\n";
  header.fingerprint += "code=" + std::to_string(members.flow().rates().hash()) + "\n";
  return header;
}

/// A chart whose spacing is halved where neighbours differ: all points of the finest grid.
Swept refined(const System& model, const Plan& plan, Task& task) {
  const std::unique_ptr<Ranks> ranks = all_ranks();
  SweepPlan sweep = sweep_plan(model, plan);
  ChartRefinement refinement(ensemble(plan).axes(), plan.refine, sweep.keep, plan.differ);
  Members members(std::move(sweep), Ensemble(refinement.axes(), 1, plan.seed));
  Workshop shop{.members = 0, .threads = plan.threads, .make_worker = [&] { return members.worker(); }};
  shop.stop = &task.stop;
  Swept swept{{}, {}, refinement.points(), 0, ranks->rank()};
  if (ranks->rank() > 0) {
    serve_refined(*ranks, members, shop);
    return swept;
  }
  shop.progress = [&](std::size_t) {
    task.report(static_cast<double>(refinement.level()) / static_cast<double>(plan.refine + 1));
  };
  const OpenOutput open(plan.output);
  const TableHeader header = header_of(members, plan, 0);
  try {
    const RefinedRows found =
        compute_refined(*ranks, members, refinement, shop, header, plan.output, plan.resume);
    if (!found.complete) return swept;  // the task was stopped
    write_refined(found, header, plan.output);
    swept.columns = found.columns;
    swept.rows = finest_rows(found, refinement);
  } catch (const std::runtime_error& problem) {
    throw Error("unwritable-output", "cannot go on writing `" + plan.output + "`", problem.what(),
                advice_to_go_on(plan.output));
  }
  return swept;
}

Swept computed(const System& model, const Plan& plan, Task& task) {
  const std::unique_ptr<Ranks> ranks = all_ranks();
  const Members members(sweep_plan(model, plan), ensemble(plan));
  Swept swept{members.columns(), {}, members.ensemble().size(), 0, ranks->rank()};
  const TableHeader header = header_of(members, plan, swept.members);
  Workshop shop{
      .members = swept.members, .threads = plan.threads, .make_worker = [&] { return members.worker(); }};
  shop.stop = &task.stop;
  shop.progress = [&](std::size_t done) {
    task.report(static_cast<double>(done) / static_cast<double>(swept.members));
  };
  if (ranks->rank() > 0) {
    compute_blocks(*ranks, nullptr, shop);
    return swept;
  }
  const OpenOutput open(plan.output);
  const std::unique_ptr<Table> table =
      plan.output.empty()
          ? table_in_memory(header, swept.rows)
          : std::make_unique<MirroredTable>(open_table(plan.output, header, plan.resume), header, swept.rows);
  try {
    swept.done = compute_blocks(*ranks, table.get(), shop);
    table->finish();
  } catch (const std::runtime_error& problem) {
    throw Error("unwritable-output", "cannot go on writing `" + plan.output + "`", problem.what(),
                advice_to_go_on(plan.output));
  }
  return swept;
}

py::dict sweep(const Model& model, const Plan& plan, const Waiting& how) {
  Swept swept = run(
      [model, plan](Task& task) {
        return plan.refine > 0 ? refined(*model, plan, task) : computed(*model, plan, task);
      },
      how);
  py::dict d;
  py::list columns;
  for (const Column& c : swept.columns) columns.append(py::make_tuple(c.group, c.name));
  d["columns"] = columns;
  d["members"] = swept.members;
  d["rank"] = swept.rank;
  if (swept.rank == 0)
    d["rows"] = as_array(std::move(swept.rows), {static_cast<py::ssize_t>(swept.members),
                                                 static_cast<py::ssize_t>(swept.columns.size())});
  return d;
}

}  // namespace

void bind_sweeps(py::module_& m) {
  py::class_<Plan>(m, "Plan")
      .def(py::init<>())
      .def_readwrite("grids", &Plan::grids)
      .def_readwrite("random", &Plan::random)
      .def_readwrite("samples", &Plan::samples)
      .def_readwrite("seed", &Plan::seed)
      .def_readwrite("keep", &Plan::keep)
      .def_readwrite("initial", &Plan::initial)
      .def_readwrite("until", &Plan::until)
      .def_readwrite("method", &Plan::method)
      .def_readwrite("rtol", &Plan::rtol)
      .def_readwrite("atol", &Plan::atol)
      .def_readwrite("step", &Plan::step)
      .def_readwrite("project", &Plan::project)
      .def_readwrite("threads", &Plan::threads)
      .def_readwrite("output", &Plan::output)
      .def_readwrite("resume", &Plan::resume)
      .def_readwrite("refine", &Plan::refine)
      .def_readwrite("differ", &Plan::differ)
      .def_readwrite("about", &Plan::about);
  m.def("sweep", [](const Model& s, const Plan& plan, const std::optional<double>& timeout,
                    const py::object& progress) {
    return sweep(s, plan, {timeout, progress});
  });
}

}  // namespace rattleback::python

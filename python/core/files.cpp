/// Runs and sweeps as files that other programs read.
#include <rattleback/sweep/table.hpp>
#include <rattleback/view/results/trajectory.hpp>

#include "bindings.hpp"

namespace rattleback::python {
namespace {

using Row = std::vector<double>;

/// An array (columns, samples) as rows.
std::vector<Row> rows_of(const py::handle& columns) {
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(columns);
  if (!numbers) throw py::error_already_set();
  const auto at = numbers.unchecked<2>();
  std::vector<Row> rows(static_cast<std::size_t>(at.shape(1)));
  for (py::ssize_t k = 0; k < at.shape(1); ++k)
    for (py::ssize_t i = 0; i < at.shape(0); ++i) rows[static_cast<std::size_t>(k)].push_back(at(i, k));
  return rows;
}

/// What `simulate` gave to Python, the way back.
Trajectory trajectory_of(const py::dict& d) {
  Trajectory run;
  run.names = d["names"].cast<std::vector<std::string>>();
  std::tie(run.states, run.velocities, run.kept) =
      d["parts"].cast<std::tuple<std::size_t, std::size_t, std::size_t>>();
  run.t = d["t"].cast<Row>();
  run.rows = rows_of(d["columns"]);
  run.end = d["end"].cast<double>();
  run.final_row = d["final_row"].cast<Row>();
  run.final_state = d["final_state"].cast<Row>();
  for (const auto& [name, initial, largest, relative] :
       d["drift"].cast<std::vector<std::tuple<std::string, double, double, double>>>())
    run.drift.push_back({name, initial, largest});
  for (const auto& [event, time, direction, state] :
       d["crossings"].cast<std::vector<std::tuple<std::size_t, double, int, Row>>>())
    run.crossings.push_back({event, time, direction, state});
  run.section_t = d["section_t"].cast<Row>();
  run.section_rows = rows_of(d["section_columns"]);
  run.lift_off = d["lift_off"].cast<std::optional<double>>();
  run.lift_off_contact = d["lift_off_contact"].cast<std::string>();
  run.counts.steps = d["steps"].cast<std::size_t>();
  run.counts.rejected = d["rejected"].cast<std::size_t>();
  run.evaluations = d["evaluations"].cast<std::size_t>();
  run.step = d["step"].cast<double>();
  run.failure = d["failure"].cast<std::optional<std::string>>();
  return run;
}

RunHead head_of(const py::dict& d) {
  RunHead head;
  head.model = d["model"].cast<std::string>();
  head.method = d["method"].cast<std::string>();
  head.rtol = d["rtol"].cast<double>();
  head.atol = d["atol"].cast<double>();
  head.parameters = d["parameters"].cast<std::vector<std::pair<std::string, double>>>();
  head.events = d["events"].cast<std::vector<std::string>>();
  head.units = d["units"].cast<std::vector<std::pair<std::string, std::string>>>();
  head.section = d["section"].cast<std::string>();
  return head;
}

/// One row for each member, all blocks at once.
void write_sweep(const std::string& path, const std::vector<std::pair<std::string, std::string>>& columns,
                 const py::array_t<double, py::array::c_style | py::array::forcecast>& rows,
                 const std::vector<std::pair<std::string, std::string>>& about) {
  const auto members = static_cast<std::size_t>(rows.shape(0)), width = columns.size();
  TableHeader header{members, block_count(members), {}, about, {}};
  for (const auto& [group, name] : columns) header.columns.push_back({group, name});
  const std::unique_ptr<Table> table = open_table(path, header, false);
  for (std::size_t b = 0; b < header.blocks; ++b) {
    const Block part = block(b, members);
    table->write(part, {rows.data() + part.begin * width, part.size() * width});
  }
  table->finish();
}

}  // namespace

void bind_files(py::module_& m) {
  m.def("run_as_csv",
        [](const py::dict& head, const py::dict& run) { return as_csv(head_of(head), trajectory_of(run)); });
  m.def("run_as_json",
        [](const py::dict& head, const py::dict& run) { return as_json(head_of(head), trajectory_of(run)); });
  m.def("write_run", [](const std::string& path, const py::dict& head, const py::dict& run) {
    write_hdf5(path, head_of(head), trajectory_of(run));
  });
  m.def("write_sweep", write_sweep);
}

}  // namespace rattleback::python

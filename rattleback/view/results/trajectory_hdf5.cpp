// Declared in view/results/trajectory.hpp. A single run as a table of the kind that sweeps write.
#include <fmt/format.h>
#include <cstdio>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/sweep/table.hpp>
#include <rattleback/view/results/trajectory.hpp>

namespace rattleback {
namespace {

std::vector<Column> columns_of(const Trajectory& run) {
  std::vector<Column> columns{{"", "t"}};
  for (std::size_t k = 0; k < run.names.size(); ++k) {
    const std::size_t velocities = run.states + run.velocities, kept = velocities + run.kept;
    std::string name = run.names[k];
    for (char& c : name)
      if (c == '/') c = ':';  // a path separator in HDF5
    columns.push_back({k < run.states   ? "state"
                       : k < velocities ? "velocities"
                       : k < kept       ? "invariants"
                                        : "reactions",
                       std::move(name)});
  }
  return columns;
}

}  // namespace

void write_hdf5(const std::string& path, const RunHead& head, const Trajectory& run) {
  const bool section = !head.section.empty();
  const auto& t = section ? run.section_t : run.t;
  const auto& rows = section ? run.section_rows : run.rows;
  TableHeader header{t.size(), block_count(t.size()), columns_of(run), {}, {}};
  header.about = {{"schema", "rattleback.simulate/1"},
                  {"model", head.model},
                  {"method", head.method},
                  {"rtol", fmt::format("{:g}", head.rtol)},
                  {"atol", fmt::format("{:g}", head.atol)}};
  for (const auto& [name, value] : head.parameters)
    header.about.emplace_back("parameter " + name, fmt::format("{:.17g}", value));
  for (const auto& [call, formula] : head.formulas) header.about.emplace_back("formula " + call, formula);
  for (const auto& [name, unit] : head.units) header.about.emplace_back("unit " + name, unit);
  for (const Drift& d : run.drift)
    header.about.emplace_back("drift of " + d.name, fmt::format("{:.3g}", d.largest));
  if (section) header.about.emplace_back("section", head.section);
  if (run.failure) header.about.emplace_back("ended early", *run.failure);
  std::unique_ptr<Table> table = open_table(path, header, false);
  try {
    std::vector<double> block_rows;
    for (std::size_t b = 0; b < header.blocks; ++b) {
      const Block part = block(b, header.members);
      block_rows.clear();
      for (std::size_t i = part.begin; i < part.end; ++i) {
        block_rows.push_back(t[i]);
        block_rows.insert(block_rows.end(), rows[i].begin(), rows[i].end());
      }
      table->write(part, block_rows);
    }
    table->finish();
  } catch (const std::runtime_error& problem) {
    table.reset();
    std::remove(path.c_str());  // half of a motion that can be computed again
    throw Error("unwritable-output", fmt::format("`{}` could not be written", path), problem.what(),
                "check the folder, its permissions and the disk");
  }
}

}  // namespace rattleback

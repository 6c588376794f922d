#pragma once
/// Output table of an ensemble (CSV, HDF5): one row of numbers for each member.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/sweep/ensemble.hpp>

namespace rattleback {

/// group/name: axes/m, final/x, kept/reversals. fate, time, steps and energy_change have no group.
struct Column {
  std::string group, name;
};

/// One name for each column, none twice: of two columns `x` the later one is `final_x`, by its group.
std::vector<std::string> column_names(std::span<const Column> columns);

struct TableHeader {
  std::size_t members, blocks;
  std::vector<Column> columns;
  std::vector<std::pair<std::string, std::string>>
      about;  ///< title, options, program: what a reader wants to know
  std::string
      fingerprint;  ///< of everything that the numbers depend on: a table is only resumed with the same
  std::vector<std::pair<std::string, std::string>> units =
      {};  ///< of columns by their names, where a model gives units
};

/// A table on a disk, written block by block in any order. HDF5: a block is either complete or not there, also when the program is killed
/// while it writes. CSV: after an error of writing the file is cut back to whole blocks.
class Table {
 public:
  virtual ~Table() = default;
  virtual std::vector<bool> blocks_done() const = 0;
  /// rows: block.size() × columns, row by row. Throws std::runtime_error with the reason when it cannot be written.
  virtual void write(const Block& block, std::span<const double> rows) = 0;
  /// The rows of a block that is done, as write() had them; nothing for tables that cannot be resumed.
  virtual void read(const Block& /*block*/, std::span<double> /*rows*/) const {}
  /// All blocks have been written.
  virtual void finish() = 0;
};

/// Calls visit(block, rows) for every block that is done: what an interrupted sweep left in a table that is resumed.
void for_blocks_done(const Table& table, const TableHeader& header,
                     const std::function<void(const Block&, std::span<const double>)>& visit);

/// By the ending of the file: .h5 or .hdf5 (HDF5: streams, resumes) or .csv (streams).
/// Throws Error[unwritable-output], [cannot-resume], [missing-extension].
std::unique_ptr<Table> open_table(const std::string& path, const TableHeader& header, bool resume);
/// Keeps the rows in memory; `rows` outlives the table.
std::unique_ptr<Table> table_in_memory(const TableHeader& header, std::vector<double>& rows);

/// Null table: drops all rows, for runs that need the summary only.
std::unique_ptr<Table> no_table(const TableHeader& header);

}  // namespace rattleback

#pragma once
/// A sweep over the points that a ChartRefinement asks for, level by level, on threads and MPI ranks; resumable.

#include <rattleback/sweep/members.hpp>
#include <rattleback/sweep/refinement.hpp>

namespace rattleback {

/// The points that were computed, level by level; `level` is the last column.
struct RefinedRows {
  std::vector<Column> columns;
  std::vector<double> rows;
  std::size_t members = 0;
  bool complete = false;  ///< false where Workshop::stop ended it
};

/// The file of a level: chart.level-2.h5 for chart.h5. These are what an interrupted sweep goes on from.
std::string level_path(const std::string& output, std::size_t level);

/// On rank 0. `members` is the ensemble over refinement.axes(); `header` has what is said about the sweep and its fingerprint.
/// A .h5 output has one file for each level, which stays until remove_levels().
RefinedRows compute_refined(Ranks& ranks, Members& members, ChartRefinement& refinement, Workshop shop,
                            const TableHeader& header, const std::string& output, bool resume);
/// On other ranks.
void serve_refined(Ranks& ranks, Members& members, Workshop shop);

/// Deletes the files of the levels, once the whole table is written.
void remove_levels(const std::string& output);

}  // namespace rattleback

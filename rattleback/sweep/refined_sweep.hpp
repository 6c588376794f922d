#pragma once
/// A sweep over the points that a ChartRefinement asks for, level by level, on threads and MPI ranks; resumable.

#include <rattleback/sweep/members.hpp>
#include <rattleback/sweep/refinement.hpp>
#include <rattleback/sweep/summary.hpp>

namespace rattleback {

/// The points that were computed, level by level; `level` is the last column.
struct RefinedRows {
  std::vector<Column> columns;
  std::vector<double> rows;
  std::vector<std::size_t> points;  ///< members of the ensemble over refinement.axes(), row by row
  bool complete = false;            ///< false where Workshop::stop ended it
};

/// The file of a level: chart.level-2.h5 for chart.h5. These are what an interrupted sweep goes on from.
std::string level_path(const std::string& output, std::size_t level);

/// On rank 0. `members` is the ensemble over refinement.axes(); `header` has what is said about the sweep and its fingerprint.
/// A .h5 output has one file for each level, which stays until write_refined().
RefinedRows compute_refined(Ranks& ranks, Members& members, ChartRefinement& refinement, Workshop shop,
                            const TableHeader& header, const std::string& output, bool resume);
/// On other ranks.
void serve_refined(Ranks& ranks, Members& members, Workshop shop);

/// Writes the whole table of a sweep that is complete, to a file or, without `output`, nowhere; the files of its levels are deleted.
Summary write_refined(const RefinedRows& found, TableHeader header, const std::string& output);

/// Every point of the finest grid with the columns of `found`. Of points that were not computed there are the axes and what is kept,
/// interpolated; the rest is not a number.
std::vector<double> finest_rows(const RefinedRows& found, const ChartRefinement& refinement);

}  // namespace rattleback

#pragma once
/// What `rattleback sweep` shows: the header of its table, progress, a summary as text and JSON, and figures.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <rattleback/sweep/collecting_table.hpp>
#include <rattleback/sweep/refined_sweep.hpp>
#include <rattleback/sweep/summary.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// Everything that the numbers depend on, for the header of the table.
TableHeader header_of(const Members& members, const Arguments& args);

/// A line that is written over, on a terminal, at most ten times a second.
std::function<void(std::size_t)> sweep_progress(std::size_t members);

std::string sweep_text(const TableHeader& header, const Summary& found, const std::string& output);
std::string sweep_json(const TableHeader& header, const Summary& found, const std::string& output);
/// How many points were computed, and where neighbours count as different.
std::string refinement_text(const ChartRefinement& refinement, const RefinedRows& found,
                            const std::vector<KeptQuantity>& keep);

/// The columns of a group that a figure shows, so many as are legible.
std::vector<std::size_t> drawn_columns(const std::vector<Column>& columns, const std::string& group);

/// --plot: columns `which` of a sweep, and the chart of a refined one.
void draw_sweep(const Arguments& args, const TableHeader& header, const CollectingTable& table,
                const std::vector<std::size_t>& which, const std::vector<KeptQuantity>& keep);
void draw_chart(const Arguments& args, const TableHeader& header, const ChartRefinement& refinement,
                const std::vector<KeptQuantity>& keep);

}  // namespace rattleback::app

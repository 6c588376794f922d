#pragma once
/// Options of a run (--until, --method, --tolerance, ...) from the command line to RunOptions.

#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/view/results/trajectory.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// A number that may be left out, an exact expression of the parameters, more than zero. Throws Error[usage].
double positive(const Flow& flow, const Arguments& args, const std::string& option, double otherwise);
/// The same, a whole number.
std::size_t whole(const Flow& flow, const Arguments& args, const std::string& option, std::size_t otherwise);

/// Everything but the invariants.
RunOptions run_options(const Flow& flow, const Arguments& args);

/// What a reader of the output needs to repeat the run.
RunHead run_head(const Flow& flow, const RunOptions& options, const Arguments& args);

}  // namespace rattleback::app

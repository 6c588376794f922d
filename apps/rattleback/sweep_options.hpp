#pragma once
/// What the options of `rattleback sweep` ask for: axes, what is kept, refinement, limits of time.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/sweep/refined_sweep.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// The value of an option that is a positive whole number.
std::size_t whole_number(const Arguments& args, const std::string& option, std::size_t otherwise);

/// --timeout, in seconds.
std::optional<double> time_on_the_clock(const Arguments& args);

SweepPlan plan_of(System system, const Arguments& args);

/// --vary.
std::vector<Axis> axes_of(const Arguments& args);

/// --refine and --differ; null without them.
std::unique_ptr<ChartRefinement> refinement_of(const Arguments& args, const std::vector<Axis>& axes,
                                               const std::vector<KeptQuantity>& keep);

}  // namespace rattleback::app

#pragma once
/// Requests of the studio's page as jobs: each action becomes a command line, and anything else is refused.

#include "studio_child.hpp"

#include <nlohmann/json_fwd.hpp>

namespace rattleback::app {

/// The computation that a request names by `action`: check, film, derive, analyze, prove, export, report, plot, sweep, explain.
/// Throws Error[usage] for one that is none of these, or whose values are not what they should be.
Job job_for(const nlohmann::json& request);

}  // namespace rattleback::app

#pragma once
/// MODEL on the command line: a file or a name in the zoo, with --set applied.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>

#include "verb.hpp"

namespace rattleback::app {

using Assignment = std::pair<std::string, std::string>;

/// The model as the command line states it, with --set.
System stated_model(const Arguments& args);
/// The same for questions about its motion, without constraints that follow from the others: throws where a constraint cannot hold.
System model_argument(const Arguments& args);
/// The same for runs, which keep such constraints: where they are on positions, a start has to satisfy them.
System model_in_motion(const Arguments& args);

/// The file behind MODEL, as written.
std::string model_text(const std::string& name);

/// "m=2,J=1/3" as pairs; commas within brackets belong to the value. Throws Error[usage] with an example of the option.
std::vector<Assignment> assignments(const std::string& list, const std::string& option,
                                    const std::string& example);

/// --initial name=value,... as pairs.
std::vector<Assignment> initial_assignments(const Arguments& args);

}  // namespace rattleback::app

#pragma once
/// MODEL on the command line: a file or a name in the zoo, with --set applied.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// The model as the command line states it, with --set.
System stated_model(const Arguments& args);
/// The same for verbs that need it to move: throws where a constraint cannot hold.
System model_argument(const Arguments& args);

/// "m=2,J=1/3" as pairs; commas within brackets belong to the value. Throws Error[usage] with an example of the option.
std::vector<std::pair<std::string, std::string>> assignments(const std::string& list,
                                                             const std::string& option,
                                                             const std::string& example);

}  // namespace rattleback::app

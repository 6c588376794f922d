#pragma once
/// MODEL on the command line: a file or a name in the zoo, with --set applied.

#include <rattleback/model/system.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// The model as the command line states it, with --set.
System stated_model(const Arguments& args);
/// The same for verbs that need it to move: throws where a constraint cannot hold.
System model_argument(const Arguments& args);

}  // namespace rattleback::app

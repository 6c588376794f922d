#pragma once
/// MODEL on the command line: a file or a name in the zoo, with --set applied.

#include <rattleback/model/system.hpp>

#include "verb.hpp"

namespace rattleback::app {

/// Throws Error for anything that is not a model, and for a parameter that it does not have.
System model_argument(const Arguments& args);

}  // namespace rattleback::app

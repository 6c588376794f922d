#pragma once
/// --native: whether motions are compiled.

#include "verb.hpp"

namespace rattleback::app {

Option native_option();
/// Sets the mode of compilation for the whole process.
void choose_native(const Arguments& args);

}  // namespace rattleback::app

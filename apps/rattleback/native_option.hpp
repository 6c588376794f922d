#pragma once
/// --native: whether motions are compiled.

#include "verb.hpp"

namespace rattleback::app {

Option native_option();
/// Does what the option says.
void choose_native(const Arguments& args);

}  // namespace rattleback::app

#pragma once
/// The verb `import`: robots described in URDF as model files.

#include "verb.hpp"

namespace rattleback::app {

Verb import_verb();

}  // namespace rattleback::app

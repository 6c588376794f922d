#pragma once

#include "verb.hpp"

namespace rattleback::app {

Verb import_verb();

}  // namespace rattleback::app

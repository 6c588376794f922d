#pragma once

#include "verb.hpp"

namespace rattleback::app {

Verb plan_verb();

}  // namespace rattleback::app

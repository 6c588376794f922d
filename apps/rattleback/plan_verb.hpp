#pragma once
/// The verb `plan`: inputs that bring a system to given values.

#include "verb.hpp"

namespace rattleback::app {

Verb plan_verb();

}  // namespace rattleback::app

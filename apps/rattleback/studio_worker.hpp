#pragma once
/// The studio: its verb, and the side of it that computes.

#include "verb.hpp"

namespace rattleback::app {

Verb studio_verb();

/// Reads a request, {"action": "check", "film" or "cloud", "text": …, "name": …}, from standard input and answers with lines of JSON.
int studio_worker();

}  // namespace rattleback::app

#pragma once
/// The verb `studio`, and the worker processes that compute for its page: model check, films, clouds of motions.

#include "verb.hpp"

namespace rattleback::app {

Verb studio_verb();

/// Reads a request, {"action": "check", "film" or "cloud", "text": …, "name": …}, from standard input and answers with lines of JSON.
int studio_worker();
/// Films of one model, request by request, a line each; every answer ends with the byte 1e and {"exit": 0} in a line.
int studio_films();

}  // namespace rattleback::app

#pragma once
/// Prints the errors that end a command: on stderr as text, and on stdout as JSON where --format json is given.

#include <string>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback::app {

/// {"schema": "rattleback.errors/1", "errors": [...]}: slug, summary, why, fix and places.
std::string errors_as_json(const std::vector<Error>& errors);

/// `words` are those of the command line.
void print_errors(const std::vector<Error>& errors, const std::vector<std::string>& words);

}  // namespace rattleback::app

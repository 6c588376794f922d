#pragma once
/// Adds a place to errors in expressions that come from the command line or an API call.

#include <string>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {

/// What `read()` returns; its errors say that the expression stands in `file`, e.g. "command line, --stop".
template <class Read>
auto placed(const std::string& file, Read read) {
  try {
    return read();
  } catch (Error& error) {
    for (Place& at : error.where) at.file = file;
    throw;
  }
}

}  // namespace rattleback

#pragma once
/// Expressions that stand elsewhere than in a model file.

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

#pragma once
/// Names for what the program introduces itself: u1, v1, xi1, mu1, …

#include <string>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// A symbol of that name; where the model uses the name for something else, with an underscore behind it: u1_.
inline Symbol invented_symbol(const System& system, std::string name, const Symbol::Attributes& attributes) {
  while (system.scope.find(name) != nullptr || system.scope.find_function(name) != nullptr) name += '_';
  return Symbol::make(name, attributes);
}

}  // namespace rattleback

#pragma once
/// Texts that belong to a model and not to its equations: its description, and units of its quantities. They stand in the scope of the
/// system, under names that no expression can contain.

#include <string>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Keeps a text under a key such as "description" or "unit x".
inline void keep_note(System& system, const std::string& key, const std::string& text) {
  system.scope.define("#" + key, symbol(text));
}

/// The text under this key; empty when there is none.
inline std::string noted(const System& system, const std::string& key) {
  const Value* value = system.scope.find("#" + key);
  const Expr* e = value == nullptr ? nullptr : std::get_if<Expr>(value);
  return e != nullptr && e->is(Kind::symbol) ? e->symbol().name() : std::string();
}

}  // namespace rattleback

#pragma once
/// Square roots modulo a prime: when a radicand has none, chooses the symbol whose random value is drawn again. Private to algebra/.

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/modular/modular_code.hpp>

namespace rattleback {

/// The symbols in an order in which each completes few radicands: those whose other symbols come before it.
class RootSymbols {
 public:
  explicit RootSymbols(const ModularCode& code);
  /// Of the steps of the code whose roots do not exist, the one completed first: the symbol that completes it. Nothing when it has
  /// no symbol.
  std::optional<Symbol> first(std::span<const std::size_t> failed) const;

 private:
  struct Completed {
    std::size_t rank;  ///< of the symbol, in their order
    Symbol by;
  };
  std::unordered_map<std::size_t, Completed> completed_;  ///< per step that takes a root
};

}  // namespace rattleback

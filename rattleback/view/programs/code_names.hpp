#pragma once
/// Names of a model as identifiers of a programming language.

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// `x'` → x_dot, `falling-disk` → falling_disk; a name that the language or the module uses gets an underscore.
class CodeNames {
 public:
  explicit CodeNames(std::set<std::string> reserved) : taken_(std::move(reserved)) {}

  /// The identifier of a symbol, always the same one.
  const std::string& of(Symbol s);
  /// The identifier that of() gives; a new one is not kept.
  std::string identifier(Symbol s) const;
  /// An identifier that nothing else has.
  std::string fresh(std::string_view name);

 private:
  std::set<std::string> taken_;
  std::unordered_map<Symbol, std::string> names_;
};

/// Letters, digits and underscores only, no digit first; primes become `_dot`.
std::string as_identifier(std::string_view name);

}  // namespace rattleback

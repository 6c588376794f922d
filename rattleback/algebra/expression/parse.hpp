#pragma once
/// Parser of the model language: names are resolved in a Scope and become expressions, vectors and matrices.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/syntax.hpp>

namespace rattleback {

/// A scalar, or a matrix (a vector is one column).
using Value = std::variant<Expr, Matrix>;

/// What names mean. Builtin functions and vectors (sin, …, dot, cross, transpose, norm2, diag, Rx, Ry, Rz,
/// ddt, e1, e2, e3, pi) are known everywhere; a scope adds symbols, definitions and abstract functions.
class Scope {
 public:
  enum class Unknown : std::uint8_t { is_an_error, becomes_a_symbol };
  explicit Scope(Unknown unknown = Unknown::is_an_error) : unknown_(unknown) {}

  void define(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }
  void declare(const std::string& function, int arity) { functions_.insert_or_assign(function, arity); }
  /// Time derivative, for ddt(…) and for primes on defined quantities. Without it, ddt is an error.
  void set_time_derivative(std::function<Expr(Expr)> ddt) { ddt_ = std::move(ddt); }

  const Value* find(const std::string& name) const;
  const int* find_function(const std::string& name) const;
  const std::function<Expr(Expr)>& time_derivative() const { return ddt_; }
  Unknown unknown() const { return unknown_; }
  std::vector<std::string> names() const;

 private:
  std::map<std::string, Value> values_;
  std::map<std::string, int> functions_;
  std::function<Expr(Expr)> ddt_;
  Unknown unknown_;
};

/// Throws Error[unknown-symbol], [unknown-function], [shape-mismatch], [wrong-arguments], … with its place.
Value evaluate(const Syntax& syntax, const Scope& scope);
/// The same, where a scalar is needed.
Expr evaluate_scalar(const Syntax& syntax, const Scope& scope);

Value parse_value(std::string_view text, const Scope& scope);
Expr parse(std::string_view text, const Scope& scope);
/// The same; nothing for a text that is no scalar expression of this scope, whatever is wrong with it.
std::optional<Expr> try_parse(std::string_view text, const Scope& scope);
/// Every unknown name becomes a plain symbol, x' a velocity; F(x) and F'(x) abstract functions.
Expr parse(std::string_view text);

/// Names that no model may give to its own quantities.
bool is_reserved(std::string_view name);

}  // namespace rattleback

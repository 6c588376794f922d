#pragma once
/// Abstract syntax tree of expressions with source positions, before names are resolved.
///
///   sum     := ['-'] term (('+' | '-') term)*          term := power (('*' | '/') power)*
///   power   := atom ['^' ['-'] power]                  atom := number | name | name '(' list ')' | '(' sum ')'
///   name    := letter (letter | digit | '_')* "'"*            | '[' list ']' | atom '[' list ']'
///
/// x' is a velocity, A'(r) the derivative of an abstract function, V[1,0](x, y) its derivative by slot.
/// Numbers are exact: 0.1 is 1/10. Nesting, length and the size of numbers are bounded.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/algebra/arithmetic/rational.hpp>

namespace rattleback {

struct Syntax {
  enum class Kind : std::uint8_t {
    number,
    name,
    call,
    index,
    vector,
    sum,
    product,
    power,
    negative,
    reciprocal
  };
  Kind kind = Kind::number;
  int offset = 0, length = 0;  ///< in bytes, within the parsed text
  std::string text;            ///< name, call: with its primes
  Rational number;
  std::vector<Syntax> children;  ///< index: the indexed value first; call: V[1,0](..) keeps 1, 0 in `orders`
  std::vector<int> orders;
};

struct Equation {
  Syntax left;
  std::optional<Syntax> right;  ///< absent: the left side stands for "left = 0"
};

/// Throws Error[syntax], [unexpected-character], [number-too-large], [expression-too-deep], ... with its place.
Syntax parse_syntax(std::string_view text);
Equation parse_equation(std::string_view text);

/// "theta" for "theta''" and the number of primes.
std::pair<std::string_view, int> split_primes(std::string_view name);

}  // namespace rattleback

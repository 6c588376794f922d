#pragma once
/// The expression graph: immutable, hash-consed, shared by the whole process.
///
/// An Expr is one word. Equal structure is the same word, so `a == b` costs nothing and decides nothing about
/// mathematics: use is_zero(a - b) for that. Nodes live as long as the process; any thread may build them.
///
/// What building does, and all it does: constants are folded; sums and products of few terms are flattened
/// (`flatten_limit`; longer ones stay nested so that chains of n links cost O(n)); equal terms and equal bases
/// are collected; integer powers of powers and products are distributed; √a·√a = a; square factors leave √ of
/// a number or of a positive symbol; odd and even functions lose a sign; exp and log of each other cancel, and so do sin, cos, tan
/// of their inverses; abs of what is visibly nonnegative is dropped; functions of 0 and 1, and trigonometric functions of
/// multiples of π/6 and π/4, become numbers. Nothing is ever expanded, and nothing is proved while building.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rattleback/algebra/arithmetic/rational.hpp>

namespace rattleback {

/// What a symbol stands for. The order is the order in which factors are printed.
enum class Role : std::uint8_t {
  constant,  ///< pi
  parameter,
  time,
  coordinate,  ///< of a line or a circle
  rotation,    ///< entry (i, j) of a rotation matrix; the nine entries share a family
  direction,   ///< component of a unit vector; the three share a family
  plain,       ///< anything else
  velocity,
  acceleration,
  momentum,
  multiplier,
};

enum class Sign : std::uint8_t { any, positive };

struct SymbolData;

/// A named atom. Two symbols are the same when name and all attributes are; a model makes its own, so the same
/// letter may be a positive mass in one model and a coordinate in another.
class Symbol {
 public:
  struct Attributes {
    Role role = Role::plain;
    Sign sign = Sign::any;
    int order = 0;       ///< declaration order: how factors and terms are sorted for printing
    std::string family;  ///< rotation, direction: the name of the matrix or vector
    int entry = 0;       ///< rotation: 3·row + column; direction: index; both from 0
    bool operator==(const Attributes&) const = default;
  };

  static Symbol make(std::string_view name, const Attributes& attributes);
  static Symbol make(std::string_view name);  ///< a plain symbol; `x'` is a velocity, `pi` the number

  const std::string& name() const;
  const Attributes& attributes() const;
  Role role() const { return attributes().role; }
  bool is_positive() const { return attributes().sign == Sign::positive; }
  std::uint64_t hash() const;
  friend bool operator==(Symbol, Symbol) = default;

 private:
  explicit Symbol(const SymbolData* data) : data_(data) {}
  const SymbolData* data_;
  friend class Graph;
  friend class Expr;
};

enum class Builtin : std::uint8_t {
#define FUNCTION(name, ...) name,
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION
  abstract,  ///< a function the model declares: nothing is known but its name, arity and derivatives
};

struct FunctionData;

/// An elementary function, or an abstract one together with how often it was differentiated in each argument.
class Function {
 public:
  static Function builtin(Builtin which);
  static Function abstract(std::string_view name, int arity);
  static std::optional<Function> find_builtin(std::string_view name);

  Builtin kind() const;
  bool is_abstract() const { return kind() == Builtin::abstract; }
  const std::string& name() const;
  int arity() const;
  std::span<const int> orders() const;          ///< of differentiation, one per argument; all 0 for a builtin
  Function differentiated(int argument) const;  ///< abstract functions only
  Function primitive() const;                   ///< the function with all orders 0
  std::uint64_t hash() const;
  friend bool operator==(Function, Function) = default;

 private:
  explicit Function(const FunctionData* data) : data_(data) {}
  const FunctionData* data_;
  friend class Graph;
  friend class Expr;
};

enum class Kind : std::uint8_t { constant, symbol, sum, product, power, call };

struct Node;

class Expr {
 public:
  Expr();                                                  ///< 0
  Expr(long integer);                                      // NOLINT: numbers are expressions
  Expr(int integer) : Expr(static_cast<long>(integer)) {}  // NOLINT
  Expr(const Rational& r);                                 // NOLINT
  Expr(Symbol s);                                          // NOLINT

  Kind kind() const;
  bool is(Kind k) const { return kind() == k; }
  bool is_zero() const;  ///< is it the constant 0; `rattleback::is_zero(e)` decides whether e vanishes
  bool is_one() const;
  std::span<const Expr> args() const;  ///< of sum, product, power (the base), call
  const Rational& value() const;       ///< of a constant
  Symbol symbol() const;
  Function function() const;  ///< of a call
  int exponent() const;       ///< of a power; never 0 or 1

  std::uint32_t id() const;    ///< arguments have smaller ids than what is built from them
  std::uint64_t hash() const;  ///< of the structure; the same in every run
  /// False when e certainly does not contain s (a Bloom filter: true may be wrong).
  bool may_contain(Symbol s) const;

  friend bool operator==(Expr, Expr) = default;

 private:
  explicit Expr(const Node* node) : node_(node) {}
  const Node* node_;
  friend class Graph;
};

}  // namespace rattleback

#include <rattleback/algebra/expression/node.hpp>

namespace rattleback {

Expr sum(std::span<const Expr> terms);
Expr product(std::span<const Expr> factors);
inline Expr sum(std::initializer_list<Expr> terms) { return sum(std::span(terms.begin(), terms.size())); }
inline Expr product(std::initializer_list<Expr> factors) {
  return product(std::span(factors.begin(), factors.size()));
}
/// base^exponent. Throws Error[division-by-zero] for 0^-n and Error[number-too-large] for absurd numbers.
Expr pow(Expr base, int exponent);
/// base^exponent in general: integer powers, roots √, and otherwise exp(exponent·log base).
Expr pow(Expr base, Expr exponent);
Expr call(Function f, std::span<const Expr> args);
inline Expr call(Function f, std::initializer_list<Expr> args) {
  return call(f, std::span(args.begin(), args.size()));
}

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
inline Expr& operator+=(Expr& a, Expr b) { return a = a + b; }
inline Expr& operator-=(Expr& a, Expr b) { return a = a - b; }
inline Expr& operator*=(Expr& a, Expr b) { return a = a * b; }
inline Expr& operator/=(Expr& a, Expr b) { return a = a / b; }

#define FUNCTION(name, ...) Expr name(Expr x);
#include <rattleback/algebra/expression/functions.def>
#undef FUNCTION

/// The number π.
Expr pi();
/// A plain symbol as an expression.
Expr symbol(std::string_view name);

/// e = coefficient · rest with rest free of a numeric factor.
struct Scaled {
  Rational coefficient;
  Expr rest;
};
Scaled split_coefficient(Expr e);

/// The partial derivative of a call with respect to one of its arguments.
Expr partial(Expr call, int argument);
/// A builtin call written with the primitive functions of functions.def; anything else unchanged.
Expr in_primitives(Expr call);

/// Symbols that occur in the expressions, in the order of their first node; each once.
std::vector<Symbol> symbols_of(std::span<const Expr> roots);
std::vector<Symbol> symbols_of(Expr root);
/// Functions of which only the name is known that the expressions call, in the order of their first node; each once.
std::vector<Function> abstract_functions(std::span<const Expr> roots);
/// Does e contain s (exactly)?
bool contains(Expr e, Symbol s);
/// Nodes reachable from the roots: the size of the expression as a graph.
std::size_t graph_size(std::span<const Expr> roots);
/// Distinct nodes built so far in this process.
std::size_t nodes_built();

}  // namespace rattleback

template <>
struct std::hash<rattleback::Expr> {
  std::size_t operator()(rattleback::Expr e) const noexcept { return e.hash(); }
};
template <>
struct std::hash<rattleback::Symbol> {
  std::size_t operator()(rattleback::Symbol s) const noexcept { return s.hash(); }
};
template <>
struct std::hash<rattleback::Function> {
  std::size_t operator()(rattleback::Function f) const noexcept { return f.hash(); }
};

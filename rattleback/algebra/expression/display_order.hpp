#pragma once
/// Printing order of terms and factors, shared by the text and LaTeX printers; a printer is a Notation.

#include <memory>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

class Tape;

/// How tightly the outermost operator binds.
enum class Binding : std::uint8_t { sum, product, power, atom };

/// A formula as it stands on paper.
struct Phrase {
  std::string text;
  Binding binding = Binding::atom;
  std::size_t raise = std::string::npos;  ///< where an exponent goes when not behind: \sin^{2} x
};

struct Written;
using WrittenPtr = std::shared_ptr<const Written>;

/// base^(halves/2): what a person writes as b, b^2, sqrt(b) or b^(3/2).
struct HalfPower {
  WrittenPtr base;
  int halves = 2;
};

/// A product as people write it: sign, number, factors above and below the bar, each already in order. Powers of
/// negative exponent stand below with positive exponent; the denominator of the number too.
struct Fraction {
  bool negative = false;
  Rational above = 1, below = 1;  ///< both positive integers
  std::vector<HalfPower> numerator, denominator;
};

/// How phrases are put together. All arguments are in printing order.
class Notation {
 public:
  virtual ~Notation() = default;
  virtual Phrase symbol(Symbol s) const = 0;
  virtual Phrase sum(std::span<const WrittenPtr> terms) const = 0;
  virtual Phrase fraction(const Fraction& f) const = 0;
  virtual Phrase power(const HalfPower& p) const = 0;  ///< halves > 2
  virtual Phrase power(const Written& base, const Written& exponent) const = 0;
  virtual Phrase call(Function f, std::span<const WrittenPtr> args) const = 0;
};

/// What factors are sorted by: numbers, parameters, coordinates, velocities, then functions, then sums.
struct SortKey {
  int group = 0;
  int order = 0;
  std::string name;
  auto operator<=>(const SortKey&) const = default;
};

/// A subformula: how it is written, what its neighbours sort it by, and what it is to the node above.
struct Written : Phrase {
  Kind kind = Kind::constant;
  std::uint64_t hash = 0;  ///< of the node
  SortKey first;           ///< the smallest symbol within
  /// Degrees as a polynomial would have them, in velocities and in all: sums count their largest term, functions of
  /// angles count one.
  int moving = 0, total = 0;
  Rational coefficient = 1;      ///< the numeric factor of a product
  Fraction fraction;             ///< of a constant, a product and a negative power
  HalfPower half_power;          ///< of a power and a root; otherwise without base
  std::vector<WrittenPtr> args;  ///< of a call and of a product
  Builtin function = Builtin::abstract;
  std::string function_name;  ///< of an abstract one
};

/// The phrase of e. Throws Exhausted when the written-out formula would have more than a million nodes.
Phrase written(Expr e, const Notation& notation);

/// The terms of a sum as they will be written: higher degree in velocities first, then lower total degree, then by the
/// order of the symbols; a positive term leads when there is one.
std::vector<Expr> ordered_terms(Expr sum);

/// Nodes of the written-out formula, saturating: large when sharing makes the graph much smaller than its text.
std::size_t written_size(Expr e);
/// The same for every slot of a tape.
std::vector<std::size_t> written_sizes(const Tape& tape);

}  // namespace rattleback

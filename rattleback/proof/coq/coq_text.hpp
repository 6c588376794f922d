#pragma once
/// Expressions in the syntax of the Coq kernel (coq_kernel.v): the printer through which models and claims reach Coq.

#include <map>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Numbers and identifiers for symbols: `Definition x := Kernel.V 5`.
class CoqNames {
 public:
  /// The number of a symbol; a new one gets the next number, and an identifier like its name.
  int number(Symbol s);
  const std::string& name(Symbol s);
  /// A number without a symbol: for what the kernel treats as a variable, such as sin(theta).
  int next() { return ++last_; }
  int last() const { return last_; }
  std::vector<Symbol> symbols() const;
  /// The definitions of all symbols so far, a line each.
  std::string definitions() const;

 private:
  struct Entry {
    int number;
    std::string name;
  };
  Entry& entry(Symbol s);
  std::map<std::string, int> taken_;
  std::vector<std::pair<Symbol, Entry>> entries_;
  int last_ = 0;
};

/// Prints expressions and notes what has to be known about them: what they divide by, roots, angles, exponentials.
class CoqPrinter {
 public:
  explicit CoqPrinter(CoqNames& names) : names_(&names) {}

  /// Throws Error[no-coq-form] for functions that the kernel does not know, and for formulas that are too long.
  std::string text(Expr e);
  /// Notes the same about e as the kernel substitutes values in it, term by term: sqrt(y*x) becomes sqrt(v*u), never sqrt(u*v).
  void note_at(Expr e, const SymbolMap& values);
  /// [a; b; c].
  std::string list(const std::vector<Expr>& es);

  const std::vector<std::string>& denominators() const { return denominators_; }
  const std::vector<std::string>& positives() const { return positives_; }  ///< under roots and logarithms
  const std::vector<std::string>& angles() const { return angles_; }        ///< arguments of sin and cos
  const std::vector<std::string>& roots() const { return roots_; }          ///< radicands
  const std::vector<std::string>& others() const { return others_; }  ///< Kernel.Exp (...), Kernel.Log (...)
  /// The same as expressions.
  const std::vector<Expr>& nonzero() const { return nonzero_; }
  const std::vector<Expr>& above_zero() const { return above_zero_; }
  void add_positive(const std::string& text);

 private:
  std::string printed(Expr e, int level);
  std::string sum(Expr e);
  std::string product(Expr e);
  std::string inverse(Expr base, int exponent);
  std::string call(Expr e);
  std::string log_of_fraction(Expr x);
  Expr same_radicand(Expr x);
  void add_angle(Expr argument);
  Expr in_exponentials(Expr e);
  Expr here(Expr e) const { return instead_.empty() ? e : substitute(e, instead_); }
  CoqNames* names_;
  SymbolMap instead_;                                  ///< what symbols stand for while note_at() prints
  std::vector<std::pair<Symbol, Expr>> exponentials_;  ///< w for exp(x), where sinh(x) = (w - 1/w)/2
  std::vector<std::string> denominators_, positives_, angles_, roots_, others_;
  std::vector<Expr> nonzero_, above_zero_, radicands_;
  std::size_t length_ = 0;
};

}  // namespace rattleback

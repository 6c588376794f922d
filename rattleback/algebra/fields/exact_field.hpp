#pragma once
/// Conversion between expressions and elements of a field of rational functions with algebraic relations (c² + s² = 1, r² = P).

#include <memory>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/exact_element.hpp>
#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// A *form* is an expression whose every symbol and call is a generator; generators.hpp makes forms of
/// expressions. What a call means for the field follows from its function:
///   cos, sin (cosh, sinh) of one argument   a pair with s² = 1 − c² (s² = c² − 1)
///   sqrt of a polynomial form               r with r² = that polynomial
///   abs of a polynomial form                a with a² = its square; then the ring is not a field
///   exponential(u)                          E = exp(u), which the graph must not merge with its powers
///   anything else                           free
/// The three components of a unit vector, when all occur, are related by γ₃² = 1 − γ₁² − γ₂².
class Field {
 public:
  explicit Field(std::span<const Expr> forms);
  explicit Field(Expr form) : Field(std::span<const Expr>(&form, 1)) {}

  Element element(Expr form) const { return element(*ring_, form); }
  /// Shared subexpressions are evaluated once.
  std::vector<Element> elements(std::span<const Expr> forms) const;

  const Ring& ring() const { return *ring_; }
  std::span<const Expr> generators() const { return generators_; }
  int index(Expr generator) const { return index_.at(generator); }
  bool has_roots() const { return roots_ > 0; }

  /// The polynomial written out in generators, as a form and as an expression.
  Expr form(const Polynomial& p) const { return written(p, false); }
  Expr expression(const Polynomial& p) const { return written(p, true); }
  /// Number · numerator / denominator, both primitive and written out.
  Expr expression(const Element& x) const;
  /// g^n as an expression; n may be negative.
  Expr power_of(int g, long n) const;
  /// "Q(m, a, cos(theta), sin(theta))"
  std::string description() const;

 private:
  Element element(const Ring& ring, Expr form) const;
  void collect(Expr form);
  int level(Expr generator) const;
  void relate(Ring& ring) const;
  Expr written(const Polynomial& p, bool final) const;

  std::vector<Expr> generators_;
  std::vector<Expr> printed_;  ///< the same, for people
  std::unordered_map<Expr, int> index_;
  int roots_ = 0;
  std::unique_ptr<const Ring> ring_;
};

/// The generator exp(u); u/n when u = log(x)/n makes it the n-th root of x.
Expr exponential(Expr u);
/// u, when e is exponential(u).
std::optional<Expr> exponent_of_generator(Expr e);
/// exp(k·u) as an expression; x^(k/n) when u = log(x)/n.
Expr exponential_power(Expr u, const Rational& k);

bool is_call_of(Expr e, Builtin which);

/// A total order on expressions by what is written in them: symbols by role, declaration and name first.
std::strong_ordering written_order(Expr a, Expr b);

/// The integer content of p: the gcd of its coefficients, positive.
Rational content(const Polynomial& p);

}  // namespace rattleback

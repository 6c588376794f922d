#pragma once
/// Strict inequalities between functions of parameters and speeds, and where they hold at the model's values.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {

/// e > 0. Factors that are positive are left out, and so are squares: equality is not told from the inequality there.
struct Inequality {
  enum class Kind : std::uint8_t { always, never, sometimes };
  Kind kind = Kind::sometimes;
  Expr e = 1;  ///< a product of irreducible factors whose sign is not known, to the first power
};
/// x > 0 for an element of the field.
Inequality is_positive(const Field& field, const Element& x);
/// e > 0.
Inequality is_positive(Expr e);

/// "a*u > 0"
std::string text(const Inequality& inequality);

/// An open interval; without an end it goes on for ever.
struct Interval {
  std::optional<Ball> from, to;
};
/// The intervals of s on which all hold. Every other symbol has to have a value already. Nothing when the roots or the signs
/// between them could not be enclosed.
std::optional<std::vector<Interval>> where_all_hold(const std::vector<Inequality>& all, Symbol s);
/// No values of the symbols satisfy all of them, by the signs of their factors alone: −c > 0 and c > 0, or a > 0, b > 0 and −a b > 0.
/// Then the factors: where none of them vanishes, one of the inequalities is violated strictly.
std::optional<std::vector<Expr>> contradiction(const std::vector<Inequality>& all);
/// Without a free symbol: whether all hold.
std::optional<bool> all_hold(const std::vector<Inequality>& all);

/// "u > 0", "4.2924 < v < 6.0243": ends to six digits, or exactly zero.
std::string text(const std::vector<Interval>& intervals, const std::string& name);

}  // namespace rattleback

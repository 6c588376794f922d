#pragma once
/// Sets that a statement leaves out, as conditions such as "x != 0": none is listed that lies within others.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// A set about which nothing is stated: all of these vanish, or the one is not positive. Without any: it is only described.
struct Excluded {
  std::vector<Expr> zero;
  bool positive = false;
  std::string words = {};

  /// What holds outside of it: "x != 0", "x > 0", "not (x = 0 and y = 0)"; the words where the functions are long.
  std::string condition() const;
};

std::vector<std::string> conditions_of(const std::vector<Excluded>& all);

/// The same function up to its sign, as x^2 + 4*x*y + 5*y^2 and y^2 + (x + 2*y)^2.
bool is_same_up_to_sign(Expr e, Expr f);

/// Is e = 0 within what is excluded?
bool is_within(Expr e, const std::vector<Excluded>& all);

/// Adds a set that is not within the others, in place of those within it.
void add_excluded(Excluded x, std::vector<Excluded>& all);

}  // namespace rattleback

#pragma once
/// Length of a printed expression: the cost that short_form minimises.

#include <unordered_map>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// The length of text(e), estimated without writing it, plus a penalty for every minus inside a sum and for every
/// fraction in a denominator: forms with positive terms and without nested fractions are preferred.
class PrintedCost {
 public:
  int operator()(Expr e);

 private:
  int factor(Expr e);
  int half_power(Expr base, int halves);
  int fraction(Expr e);
  int measured(Expr e);
  std::unordered_map<Expr, int> known_;
};

}  // namespace rattleback

#pragma once
/// Splits arguments of sin, cos and exp into a linear combination of logarithms or arctangents and a rest, for evaluation modulo a
/// prime. Private to algebra/.

#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {

/// u = Σ coefficient · f(inner) + rest, where f is log or atan and neither the coefficients nor the rest need f
/// again, as far as sums and products show it.
struct LinearParts {
  struct Part {
    Expr coefficient, inner;
  };
  std::vector<Part> parts;
  Expr rest;
};

/// Splits expressions whose nodes are on a tape.
class LinearSplit {
 public:
  LinearSplit(const Tape& tape, Builtin f);
  LinearParts operator()(Expr u) const;

 private:
  bool contains(Expr e) const { return with_f_.contains(e.id()); }
  LinearParts of_sum(Expr u) const;
  LinearParts of_product(Expr u) const;
  Builtin f_;
  std::unordered_set<std::uint32_t> with_f_;
};

/// The coefficient of π itself in a polynomial of π, the other symbols and calls: its derivative by π where all of
/// them are 0. So it is linear, and π·(x + 1) has 1. Nothing when there is a pole.
std::optional<Rational> coefficient_of_pi(Expr u);

/// (n, h) when c is the number n/2^h, with n and h small.
std::optional<std::pair<long, int>> dyadic(Expr c);

}  // namespace rattleback

#pragma once
/// Expressions as a straight-line program: every shared part is computed once and has a name.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/view/programs/code_names.hpp>

namespace rattleback {

/// What the languages write differently.
struct Dialect {
  std::function<std::string(const Rational&)> number;
  /// base^n for an atom `base` and n ≥ 2.
  std::function<std::string(const std::string& base, int n)> power;
  std::function<std::string(Function, std::span<const std::string> arguments)> call;
  std::string pi = "3.141592653589793";
};

struct StraightLine {
  struct Assignment {
    std::string name, text;
  };
  std::vector<Symbol> inputs;           ///< what has to be read first
  std::vector<Assignment> temporaries;  ///< each before its first use
  std::vector<std::string> outputs;
};

/// Operators + − * / and brackets are those of C, which most languages share.
StraightLine straight_line(std::span<const Expr> outputs, CodeNames names, const Dialect& dialect);

}  // namespace rattleback

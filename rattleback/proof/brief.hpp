#pragma once
/// Formulas within reasons: a person reads lines, not pages.

#include <string>

#include <rattleback/algebra/expr.hpp>

namespace rattleback {

/// The formula, or "(a formula of 12345 symbols)" when it is longer than a page; that one is never written out.
std::string brief(Expr e);

}  // namespace rattleback

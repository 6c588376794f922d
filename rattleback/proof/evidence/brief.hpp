#pragma once
/// Formulas inside sentences: printed where they are short, otherwise replaced by their size.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// The formula, or "(a formula of 12345 symbols)" when it is longer than a page; that one is never written out.
std::string brief(Expr e);

/// "{P_x, P_y} = …" for the entries that are not zero; their coordinates have {q, P} as the frame says.
std::vector<std::string> brief_brackets(const std::vector<Symbol>& momenta, const Matrix& brackets);

}  // namespace rattleback

#pragma once
/// Where in the space of parameters an answer changes: unions of {f_1 = … = f_k = 0}.

#include <string>
#include <vector>

#include <rattleback/algebra/expr.hpp>
#include <rattleback/algebra/verdict.hpp>

namespace rattleback {

/// One irreducible component: all of these vanish. No equations: everywhere.
using Locus = std::vector<Expr>;

/// "a = 0", "I11 = I22 and I13 = 0": an equation between two products where the expression is a difference of two.
std::string text(const Locus& locus);
/// "ell = 0, or I11 = I22 and I13 = 0".
std::string text(const std::vector<Locus>& loci);

}  // namespace rattleback

#pragma once
/// Where in the space of parameters an answer changes: unions of {f_1 = … = f_k = 0}.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// One irreducible component: all of these vanish. No equations: everywhere.
using Locus = std::vector<Expr>;

/// The same component in fewer words: without factors that never vanish, with p = 0 and p = q put into the other equations.
/// Nothing when signs show that it has no points.
std::optional<Locus> tidied(const Locus& locus);

/// "a = 0", "I11 = I22 and I13 = 0": an equation between two products where the expression is a difference of two.
std::string text(const Locus& locus);
/// "ell = 0, or I11 = I22 and I13 = 0".
std::string text(const std::vector<Locus>& loci);

}  // namespace rattleback

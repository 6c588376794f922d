#pragma once
/// Long formulas with named subexpressions: shared parts get names, so that the formulas stay short.

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct NamedParts {
  std::vector<Statement> parts;  ///< z1 = …, z2 = … (with z1), each before its first use
  std::vector<Expr> formulas;    ///< the given ones, in terms of the parts
};

/// A letter whose numbered names are all free.
std::string free_stem(const std::set<std::string>& taken);

/// Nothing is named while every formula, written out, has at most `longest` nodes. `taken` are names in use.
NamedParts with_named_parts(std::span<const Expr> formulas, const std::set<std::string>& taken,
                            std::size_t longest = 400);

/// Lines are broken between the terms of a sum, so a term must fit on the page: of one that is wider, sums within get
/// names of their own until it does, the widest first.
struct TextWidth {
  std::size_t width;
  std::function<std::size_t(Expr)> width_of;
};
void fit_terms(NamedParts& named, const std::set<std::string>& taken, const TextWidth& page);

}  // namespace rattleback

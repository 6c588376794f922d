#pragma once
/// Common subexpression elimination for a printed page: long sums that occur often get names.

#include <rattleback/view/formulas/named_parts.hpp>

namespace rattleback {

/// A sum that takes half a line and stands on the page more than once gets a name, the one that saves most letters first; all of
/// it only where the page becomes clearly shorter. A page that is short is left alone.
NamedParts with_shared_parts(std::span<const Expr> formulas, const std::set<std::string>& taken);

}  // namespace rattleback

#pragma once
/// Exact points in the space of parameters: on a component of a locus, and beside it.

#include <cstdint>
#include <optional>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/locus.hpp>

namespace rattleback {

/// A component {f_1 = … = f_k = 0} with what its equations can be solved for.
struct Component {
  Locus equations;
  std::vector<Symbol> leading;  ///< equations[i] has leading[i], and no other equation has; may be empty
  SymbolMap solution;           ///< of the leading parameters, where every equation is linear in its own
};

/// Small rational numbers for `parameters`, positive where they are declared so, at which all equations of the component hold
/// exactly; square roots where there is no rational point. Nothing when none was found: signs may exclude them all.
std::optional<SymbolMap> point_on(const Component& component, const std::vector<Symbol>& parameters,
                                  std::uint64_t seed);

/// The same values but for one of the leading parameters, so that an equation of the component fails.
std::optional<SymbolMap> point_beside(const Component& component, const SymbolMap& on);

/// Do all equations hold at these values?
bool holds_at(const Locus& equations, const SymbolMap& values);

/// Parameters without a value in the expressions of the system.
std::vector<Symbol> free_parameters(const System& system);

/// "a = 2, m = 1/3", in the order of the model.
std::string text_of_point(const System& system, const SymbolMap& values);

}  // namespace rattleback

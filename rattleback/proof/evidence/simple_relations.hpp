#pragma once
/// Relations p = 0 and p = q that hold at a point in the space of parameters: from one special point to the set of special parameters around it.

#include <vector>

#include <rattleback/proof/evidence/parameter_samples.hpp>

namespace rattleback {

struct ParameterRelation {
  Symbol p;
  Expr value;  ///< 0 or another parameter
};

/// Between the parameters in the equations, independent of each other: one parameter of each set of equal ones has the others' name, those that are 0 among
/// them. What says that one is 0 comes first.
std::vector<ParameterRelation> simple_relations(const Locus& equations, const SymbolMap& point);
Component component_of(const std::vector<ParameterRelation>& relations);

}  // namespace rattleback

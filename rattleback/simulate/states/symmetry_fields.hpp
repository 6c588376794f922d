#pragma once
/// Symmetries of a flow as vector fields on its state space: cyclic coordinates, and generators of the model, lifted to the speeds.

#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

struct SymmetryField {
  std::string name;
  std::vector<Expr> field;  ///< in state, time and parameters, one entry for each number of the state
};

/// Coordinates on which no rate depends, and the generators of the model's [symmetry], lifted: ξ along the configuration, ξ^C z on
/// the speeds. Whether they commute with the motion is for the caller to look at; those that are no functions of the state are left out.
std::vector<SymmetryField> symmetry_fields(const Flow& flow);

/// Whether code reads an input.
bool reads_input(const Code& code, std::uint32_t input);

}  // namespace rattleback

#pragma once
/// Random model texts for fuzzing: lines and circles, surfaces in space, rigid bodies, Lie algebras; metrics with parameters, potentials,
/// magnetic fields, friction; constraints that are linear, affine, nonlinear or on positions.

#include <string>

#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// A model of two to four dimensions that is usually regular; a text that the reader refuses is possible and harmless.
std::string random_model(Random& random);

}  // namespace rattleback

#pragma once
/// Random model texts for fuzzing: lines and circles, metrics with parameters, potentials, friction, and at most one constraint, which is
/// linear, affine or on positions.

#include <string>

#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// A model of two to four dimensions that is usually regular; a text that the reader refuses is possible and harmless.
std::string random_model(Random& random);

}  // namespace rattleback

#pragma once
/// Model texts at random: spaces with lines, circles and rotations, metrics with parameters, potentials, friction, and constraints that are
/// linear, affine or on positions.

#include <string>

#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// A model of two to four dimensions that is usually regular; a text that the reader refuses is possible and harmless.
std::string random_model(Random& random);

}  // namespace rattleback

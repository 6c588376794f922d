#pragma once
/// Mass, mass centre and inertia of bodies that are given by their shape and density.

#include <rattleback/model/reading/reading.hpp>

namespace rattleback {

struct MassDistribution {
  Expr mass;
  Matrix center;   ///< of mass, from the origin, in body axes
  Matrix inertia;  ///< about the mass centre, in body axes
};

/// The `shape` of a body: one shape, or an array of parts. Throws Error[conflicting-keys], [missing-key].
MassDistribution mass_distribution(const Reading& reading, const Toml& body);

/// Of both together: by Steiner's theorem.
MassDistribution combined(const MassDistribution& a, const MassDistribution& b);

}  // namespace rattleback

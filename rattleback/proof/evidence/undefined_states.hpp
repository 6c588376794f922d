#pragma once
/// Where formulas and motion of a system are not defined: poles, dependent constraints, a degenerate kinetic energy.

#include <string>
#include <vector>

#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/excluded_sets.hpp>

namespace rattleback {

/// What is excluded on Q, where formulas are not defined, and on D, where the motion is not.
struct Exclusions {
  std::vector<Excluded> configurations, states;
};

/// Found once for the system that was asked about last, which remembers the answer; described in words where the search takes too long.
const Exclusions& exclusions_of(const System& system);

/// Where the constraints are independent: "x != 0", "not (x = 0 and y = 0)". Each fails at a configuration that Newton's method finds.
std::vector<std::string> independence_conditions(const System& system);

/// The same where one of the fields may carry places at which they are not independent to others; none where all of them leave the functions
/// alone that vanish there.
std::vector<std::string> independence_conditions(const System& system,
                                                 const std::vector<VectorField>& fields);

}  // namespace rattleback

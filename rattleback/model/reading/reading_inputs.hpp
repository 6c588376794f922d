#pragma once
/// Sections of a model for inputs, springs, friction and units: read by model/reading/load.cpp beside those of model/reading/reading.hpp.

#include <rattleback/model/reading/reading.hpp>

namespace rattleback {

/// While it lives, expressions may call sign, min, max, piecewise and smoothstep.
class SwitchesAllowed {
 public:
  explicit SwitchesAllowed(System& system);
  ~SwitchesAllowed();
  SwitchesAllowed(const SwitchesAllowed&) = delete;
  SwitchesAllowed& operator=(const SwitchesAllowed&) = delete;

 private:
  System& system_;
  Scope outside_;
};

/// Reads [inputs]; before the forces, which may use them. The second throws when an input occurs outside of forces.
void read_inputs(Reading& reading);
void require_inputs_in_forces(const Reading& reading);

/// Springs and dampers between points, and friction at contacts.
void read_springs(Reading& reading);
void read_contact_friction(Reading& reading);

/// Dimensional analysis of all formulas, when the model gives units; keeps the units of its variables as notes. Throws
/// Error[dimension-mismatch] with the term at fault.
void check_dimensions(Reading& reading);
/// Keeps the unit that an item gives to a name, and says how many base units it is. Throws Error[unknown-unit].
Expr declared_unit(Reading& reading, const Toml& item, const std::string& name);

}  // namespace rattleback

#pragma once
/// The control-affine form y' = f(y, t) + Σ g_k(y, t) u_k of equations of motion with inputs.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct ControlAffine {
  std::vector<std::string> inputs;             ///< u_k
  std::vector<Statement> drift;                ///< f, one line per state variable, under its name
  std::vector<std::vector<Statement>> fields;  ///< g_k, likewise
  bool affine = true;  ///< false: an input occurs in another way, and f and g have no meaning
};

/// No inputs for a model that has none.
ControlAffine control_affine_form(const System& system, const EquationsOfMotion& equations);

}  // namespace rattleback

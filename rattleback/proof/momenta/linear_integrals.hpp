#pragma once
/// Constant functions of first degree in the velocities, ⟨p, ξ⟩ + h(q): momenta of fields that need not be symmetries.

#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct LinearIntegral {
  Expr function;  ///< of configuration and speeds
  Certificate why;
};
/// Of the functions φ(q) z^μ of the ansatz (Y.3), constant combinations of those of first degree, which solve (N.17): drag along a line
/// keeps x' + c x. With one speed and an energy ½ g z² also √g z. Independent of each other, proved by differentiation, none a function of the configuration alone.
std::vector<LinearIntegral> linear_integrals(const System& system, const EquationsOfMotion& motion);

}  // namespace rattleback

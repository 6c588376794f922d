#pragma once
/// Variational equations as code: directional derivatives in two parts, one of numbers and one that is linear in the directions.

#include <rattleback/native/code.hpp>

namespace rattleback {

/// δ' = ∂f/∂y δ, by the chain rule forwards. What multiplies directions is computed once for all of them; what is left is sums and
/// products by numbers, which many directions go through side by side.
struct VariationalCode {
  Code
      coefficients;  ///< inputs and parameters of f; outputs f, then the numbers c, then Σ ∂f_i/∂y_i where it is asked for
  Code linear;  ///< inputs δ, then c; outputs ∂f/∂y δ; no constants
  bool has_divergence() const {
    return coefficients.outputs.size() > linear.inputs;
  }  ///< where f and δ are as many
};

/// With respect to the first `columns` inputs, for about so many directions at a time as `groups` vector registers hold: either the
/// chain rule is followed for each group, or the matrix ∂f/∂y is computed first, whichever takes fewer instructions. Every function
/// has a derivative here; where it is infinite or jumps, the numbers say so.
/// `with_divergence`: Σ_i ∂f_i/∂y_i is one more number, which shares what it can with the others.
VariationalCode variational_code(const Code& code, std::size_t columns, std::size_t groups = 1,
                                 bool with_divergence = false);

/// Both parts as one code. Inputs: the first `columns` inputs of f, as many directions, the other inputs of f; outputs f, ∂f/∂y δ.
Code directional_code(const Code& code, std::size_t columns);

/// Σ_i ∂f_i/∂y_i, with the inputs and parameters of f.
Code divergence_code(const Code& code, std::size_t columns);

/// ∂f_i/∂y_j at j·outputs + i, with the inputs and parameters of f. Unlike tangent_code it never declines.
Code jacobian_code(const Code& code, std::size_t columns);

}  // namespace rattleback

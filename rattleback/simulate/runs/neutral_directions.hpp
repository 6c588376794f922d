#pragma once
/// Lyapunov exponents that must vanish: those of first integrals, of symmetries and of the motion's own direction.

#include <rattleback/simulate/states/invariants.hpp>

namespace rattleback {

/// The differential of an integral F is invariant under the variational equations, dF(δ) = constant: each independent one makes one exponent
/// of the tangent space zero. The velocity f and the fields of symmetries X are solutions of the variational equations that do not
/// grow exponentially: those in the kernel of all dF make one more each,                                         (S.20)
///     zeros ≥ rank{dF} + rank{f, X} − rank dF|{f, X}.
/// Not counted: fields that decay between the state and that at the `end`, because the motion comes to rest relative to the others;
/// differentials and fields that grow exponentially, because the motion runs to infinity.
struct NeutralDirections {
  std::size_t count = 0;
  std::vector<std::string> integrals, fields;  ///< what they follow from
};

/// Fields are the motion itself (where the rates do not depend on time), coordinates on which no rate depends, and the
/// generators of the model's [symmetry] whose lift commutes with the rates here, in numbers.
NeutralDirections neutral_directions(const Flow& flow, std::span<const double> y, std::span<const double> end,
                                     double duration, const std::vector<Invariant>& invariants);

}  // namespace rattleback

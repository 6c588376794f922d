#pragma once
/// Is a given matrix the Hessian of a Lagrangian, by Helmholtz' conditions? `prove --hessian`.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Helmholtz' conditions hold for this matrix g(q, v): on a model without constraints, or on one of its associated systems. (C.22)
Answer hessian_conjecture(const System& system, const Matrix& g);

}  // namespace rattleback

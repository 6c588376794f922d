#pragma once
/// Is a given Lagrangian one of the nonholonomic motions? `prove --lagrangian`.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Without constraints and forces this Lagrangian has the nonholonomic motions among its own: E_i(L) = 0 along them.   (C.18)
Answer lagrangian_conjecture(const System& system, Expr lagrangian);

}  // namespace rattleback

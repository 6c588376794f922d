#pragma once
/// Is a given function a Chaplygin multiplier? `prove --multiplier`.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// f(q) is a Chaplygin multiplier under one of the groups that the model shows.                                (C.3)
Answer multiplier_conjecture(const System& system, Expr f);

}  // namespace rattleback

#pragma once
/// Codes that live long and are evaluated by many short runs: their native code is found by address, not by a hash over all instructions.

#include <memory>

#include <rattleback/native/code.hpp>

namespace rattleback {

/// From now on Evaluator finds what is compiled of this code at once. The code must not change as long as it lives; it is not kept alive.
void remember_code(const std::shared_ptr<const Code>& code);

}  // namespace rattleback

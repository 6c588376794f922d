#pragma once
/// Registry of long-lived codes: their native code is found by the address of the code instead of a hash over all instructions, which
/// pays for many short runs.

#include <memory>

#include <rattleback/native/code.hpp>

namespace rattleback {

/// From now on Evaluator finds what is compiled of this code at once. The code must not change as long as it lives; it is not kept alive.
void remember_code(const std::shared_ptr<const Code>& code);

}  // namespace rattleback

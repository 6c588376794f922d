#pragma once
/// JIT tier one: straight-line code to x86-64 machine code in microseconds.

#include <memory>

#include <rattleback/native/emit.hpp>
#include <rattleback/native/executable_memory.hpp>

namespace rattleback {

struct AssembledCode {
  ExecutableMemory memory;
  ScalarCode function;
};

/// The code in the order in which it stands, but that the first angles of long code come first and their sines are made side by
/// side; each value in one of sixteen registers while it is needed and a register is free;
/// when none is, the one whose value is needed last goes to memory [Belady 1966]. The same bits as the interpreter's. Nothing
/// where the processor has no FMA or the system allows no new code.
std::shared_ptr<const AssembledCode> assembled(const Code& code);

}  // namespace rattleback

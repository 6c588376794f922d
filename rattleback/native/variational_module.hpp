#pragma once
/// Variational equations as one compiled function: numbers in scalar registers, directions in vector registers, side by side.

#include <string>

#include <rattleback/native/processor.hpp>
#include <rattleback/native/variational_code.hpp>

namespace rattleback {

/// int variations(x, constants, δ, rates, slopes, functions, divergence): inputs and constants of the scalar part, directions side by
/// side, `lanes` numbers for each of their entries. The divergence is computed where the code has it and the pointer is not null. Not 0
/// where an angle is too large.
using Variations = int (*)(const double* x, const double* constants, const double* directions, double* rates,
                           double* slopes, const void* functions, double* divergence);

/// LLVM's text of it. A number is computed just before the first direction that it multiplies: it need not be stored, and
/// the processor works at both parts at once. The results have the bits of the two parts by themselves.
std::string variational_module(const VariationalCode& code, std::size_t lanes, Processor processor);

}  // namespace rattleback

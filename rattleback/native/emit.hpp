#pragma once
/// Translation of straight-line code to LLVM IR (as text).

#include <optional>

#include <rattleback/native/code.hpp>
#include <rattleback/native/ir.hpp>

namespace rattleback {

struct Emitted {
  std::vector<ir::Value> outputs;
  std::optional<ir::Bits>
      quadrants;  ///< of all angles, joined: where they are not tame the outputs are wrong
};

/// A bit for each lane in which an angle is too large for sine_cosine, as i32.
std::string wild_lanes(ir::Writer& to, const std::optional<ir::Bits>& quadrants);

/// The body of the code at these inputs and constants, written where the writer stands.
Emitted emit(ir::Writer& to, const Code& code, std::span<const ir::Value> inputs,
             std::span<const ir::Value> constants);

/// int evaluate(x, constants, y, registers, functions): y at x in one double; not 0 where an angle is too large.
std::string scalar_module(const Code& code, Processor processor);
using ScalarCode = int (*)(const double* x, const double* constants, double* y, double* registers,
                           const void* functions);
struct ScalarArguments {
  const double *x, *constants;
  double *y, *registers;
  const void* functions;
  int operator()(ScalarCode code) const { return code(x, constants, y, registers, functions); }
};

/// What the functions of the mathematical library are to compiled code: a table in the order of Op.
const void* library_functions();

}  // namespace rattleback

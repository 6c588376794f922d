#pragma once
/// Instruction scheduling by latency: long dependency chains first, sines and cosines in groups.

#include <rattleback/native/code.hpp>

namespace rattleback {

/// From operands to result, in additions.
int latency(Op op);

inline bool is_angle_function(Op op) { return op == Op::sin || op == Op::cos; }

/// Long code cut in two at its angles. What the first sines and cosines need comes first; they themselves have no instruction
/// left and are made side by side; the rest follows.
struct Schedule {
  std::vector<std::uint32_t> before, after;  ///< instructions of the body, each after its operands
  std::vector<std::uint32_t> angles;         ///< registers, each once
};

/// Within a part, an instruction with a long chain of others behind it comes first: the processor looks only some hundred
/// instructions ahead, and finds there what it need not wait for.
Schedule schedule(const Code& code);

}  // namespace rattleback

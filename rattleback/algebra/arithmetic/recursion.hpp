#pragma once
/// Limit on the depth of recursion, by the stack that is left. A function that follows the nesting of a formula or of data calls
/// allow_recursion() first: input that is too deep is then an answer left open, not the end of the process.

#include <cstdint>

namespace rattleback {

namespace recursion {
/// The lowest address that a frame of this thread may have; at first every address is below it.
extern constinit thread_local std::uintptr_t lowest_frame;
/// Finds the end of this thread's stack when it is asked for the first time. Throws Exhausted when the frame lies beyond it.
void check_frame(std::uintptr_t frame);
}  // namespace recursion

/// Throws Exhausted when the stack of this thread is nearly used up.
inline void allow_recursion() {
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (frame < recursion::lowest_frame) recursion::check_frame(frame);
}

}  // namespace rattleback

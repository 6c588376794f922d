#include <rattleback/algebra/arithmetic/recursion.hpp>

#include <algorithm>
#include <limits>

#include <pthread.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback::recursion {

constinit thread_local std::uintptr_t lowest_frame = std::numeric_limits<std::uintptr_t>::max();

namespace {

/// A part of the stack is left to what is called from the deepest frame, libraries among them.
std::uintptr_t end_of_stack(std::uintptr_t frame) {
  constexpr std::size_t most = input_limits::stack.count, least_reserve = std::size_t{1} << 20U;
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
  }
  const auto bottom = reinterpret_cast<std::uintptr_t>(low);
  if (size == 0 || frame < bottom || frame - bottom > size) return frame > most ? frame - most : 0;
  const std::size_t used = std::min(size, most);
  return bottom + (size - used) + std::min(least_reserve, used / 4);
}

}  // namespace

void check_frame(std::uintptr_t frame) {
  if (lowest_frame == std::numeric_limits<std::uintptr_t>::max()) lowest_frame = end_of_stack(frame);
  if (frame < lowest_frame) throw Exhausted("a formula is nested too deeply");
}

}  // namespace rattleback::recursion

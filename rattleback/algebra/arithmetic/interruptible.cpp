#include <rattleback/algebra/arithmetic/interruptible.hpp>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback {
namespace {

thread_local int scopes = 0;
thread_local unsigned requests = 0;

/// The functions that FLINT would use.
struct Memory {
  void* (*allocate)(std::size_t) = nullptr;
  void* (*allocate_zeros)(std::size_t, std::size_t) = nullptr;
  void* (*reallocate)(void*, std::size_t) = nullptr;
  void (*release)(void*) = nullptr;
};
Memory usual;

void check_now_and_then() {
  constexpr unsigned often = 64;
  if (scopes > 0 && ++requests % often == 0) Budget::check();
}

void* allocate(std::size_t size) {
  check_now_and_then();
  return usual.allocate(size);
}
void* allocate_zeros(std::size_t count, std::size_t size) {
  check_now_and_then();
  return usual.allocate_zeros(count, size);
}
void* reallocate(void* old, std::size_t size) {
  check_now_and_then();
  return usual.reallocate(old, size);
}

/// Once, before there are other threads. Memory that was allocated before is released by the same function as ever.
bool installed() {
  __flint_get_memory_functions(&usual.allocate, &usual.allocate_zeros, &usual.reallocate, &usual.release);
  __flint_set_memory_functions(allocate, allocate_zeros, reallocate, usual.release);
  return true;
}
[[maybe_unused]] const bool is_installed = installed();

}  // namespace

InterruptibleScope::InterruptibleScope() {
  Budget::check();
  ++scopes;
}

InterruptibleScope::~InterruptibleScope() { --scopes; }

}  // namespace rattleback

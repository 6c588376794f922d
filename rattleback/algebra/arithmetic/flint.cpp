#include <rattleback/algebra/arithmetic/flint.hpp>

#include <thread>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

const std::thread::id main_thread = std::this_thread::get_id();

struct Cleaner {
  ~Cleaner() {
    if (std::this_thread::get_id() != main_thread) flint_cleanup();
  }
};

/// FLINT's own errors (a division by zero, a failed allocation) would end the process; a caller may be an interpreter that lives on.
FLINT_NORETURN void throw_in_place_of_abort() { throw Bug("FLINT cannot go on; its message is on stderr"); }

[[maybe_unused]] const bool flint_throws = [] {
  flint_set_abort(throw_in_place_of_abort);
  return true;
}();

}  // namespace

void return_flint_memory_at_thread_end() { thread_local const Cleaner cleaner; }

}  // namespace rattleback

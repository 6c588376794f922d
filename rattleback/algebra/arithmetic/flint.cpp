#include <rattleback/algebra/arithmetic/flint.hpp>

#include <thread>

namespace rattleback {
namespace {

const std::thread::id main_thread = std::this_thread::get_id();

struct Cleaner {
  ~Cleaner() {
    if (std::this_thread::get_id() != main_thread) flint_cleanup();
  }
};

}  // namespace

void return_flint_memory_at_thread_end() { thread_local const Cleaner cleaner; }

}  // namespace rattleback

#include <rattleback/native/executable_memory.hpp>

#include <sys/mman.h>
#include <unistd.h>

namespace rattleback {

ExecutableMemory::ExecutableMemory(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  size = (size + page - 1) / page * page;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  memory_ = static_cast<char*>(memory);
  size_ = size;
}

ExecutableMemory::~ExecutableMemory() {
  if (memory_ != nullptr) munmap(memory_, size_);
}

bool ExecutableMemory::seal() {
  return memory_ != nullptr && mprotect(memory_, size_, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace rattleback

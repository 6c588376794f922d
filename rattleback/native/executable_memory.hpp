#pragma once
/// Executable memory for machine code: pages are writable or executable, never both (W^X).

#include <cstddef>
#include <utility>

namespace rattleback {

class ExecutableMemory {
 public:
  ExecutableMemory() = default;
  /// Pages to be written; none where the system refuses them.
  explicit ExecutableMemory(std::size_t size);
  ~ExecutableMemory();
  ExecutableMemory(ExecutableMemory&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ExecutableMemory& operator=(ExecutableMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  char* data() const { return memory_; }
  std::size_t size() const { return size_; }
  /// From now on it can be run and no longer be written; false where the system forbids new code.
  bool seal();

 private:
  char* memory_ = nullptr;
  std::size_t size_ = 0;  ///< whole pages
};

}  // namespace rattleback

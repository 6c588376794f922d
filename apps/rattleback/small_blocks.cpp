/// Memory for small blocks: terms of polynomials, nodes of formulas, rows of exponents. A derivation takes and gives back millions
/// of them, a fifth of its time in the general allocator. Here every size up to a kilobyte has a list of free blocks in each thread;
/// taking one and giving it back are a few instructions. All blocks lie in one reserved range of addresses, in chunks of one size, so
/// the address of a block tells its size. What is larger, or finds no room, goes to the general allocator.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include <flint/flint.h>
#include <sys/mman.h>
#include <sys/resource.h>

// Sanitizers watch every block themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RATTLEBACK_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define RATTLEBACK_SANITIZED
#endif
#endif

#ifndef RATTLEBACK_SANITIZED
namespace {

constexpr std::size_t grain = 16, largest = 1024, classes = largest / grain;
constexpr std::size_t chunk = std::size_t{1} << 16, range = std::size_t{1} << 34;

/// Sizes up to 16, 32, 48 …; none of them for 0, which wraps around.
std::size_t class_for(std::size_t size) { return (size - 1) / grain; }
std::size_t size_of(std::size_t c) { return (c + 1) * grain; }

struct Free {
  Free* next;
};

/// For each size the blocks given back, and the part of a chunk that nobody had yet.
struct Blocks {
  std::array<Free*, classes> free{};
  std::array<std::byte*, classes> fresh{}, end{};
};

/// The reserved range, shared by all threads.
struct Range {
  std::mutex mutex;
  std::byte *next = nullptr, *end = nullptr;
  bool tried = false;
  std::array<std::uint8_t, range / chunk> class_of_chunk{};
  Blocks left;  ///< of threads that ended
};
constinit Range all;
/// While there is no range no address is in it: this one is farther from all others than the range is long.
constinit auto first_address = ~std::uintptr_t{0} / 2;

constinit thread_local Blocks mine;

/// A thread that ends leaves its free blocks to others.
struct Leaving {
  bool begun = false;
  ~Leaving() {
    const std::lock_guard lock(all.mutex);
    for (std::size_t c = 0; c < classes; ++c) {
      while (Free* block = mine.free[c]) {
        mine.free[c] = block->next;
        block->next = all.left.free[c];
        all.left.free[c] = block;
      }
      if (all.left.fresh[c] == all.left.end[c]) {
        all.left.fresh[c] = mine.fresh[c];
        all.left.end[c] = mine.end[c];
      }
      mine.fresh[c] = mine.end[c] = nullptr;
    }
  }
};
thread_local Leaving leaving;

void reserve() {
  all.tried = true;
  rlimit most{};
  if (getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur != RLIM_INFINITY)
    return;  // somebody counts addresses
  void* at = mmap(nullptr, range, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return;
  all.next = static_cast<std::byte*>(at);
  all.end = all.next + range;
  first_address = reinterpret_cast<std::uintptr_t>(at);
}

/// How far into the range; beyond its end for blocks of the general allocator.
std::size_t offset(const void* p) { return reinterpret_cast<std::uintptr_t>(p) - first_address; }

/// More blocks of a class for this thread; false where there is no room.
bool refill(std::size_t c) {
  leaving.begun = true;
  const std::lock_guard lock(all.mutex);
  if (all.left.free[c] != nullptr || all.left.fresh[c] != all.left.end[c]) {
    mine.free[c] = std::exchange(all.left.free[c], nullptr);
    mine.fresh[c] = std::exchange(all.left.fresh[c], nullptr);
    mine.end[c] = std::exchange(all.left.end[c], nullptr);
    return true;
  }
  if (!all.tried) reserve();
  if (all.next == all.end) return false;
  all.class_of_chunk[offset(all.next) / chunk] = static_cast<std::uint8_t>(c);
  mine.fresh[c] = all.next;
  mine.end[c] = all.next + chunk / size_of(c) * size_of(c);
  all.next += chunk;
  return true;
}

[[gnu::noinline]] void* allocate_slow(std::size_t size) {
  if (size > largest) return std::malloc(size);
  const std::size_t c = size == 0 ? 0 : class_for(size);
  if (mine.fresh[c] == mine.end[c] && !refill(c)) return std::malloc(size);
  if (Free* block = mine.free[c]) {  // another thread's
    mine.free[c] = block->next;
    return block;
  }
  return std::exchange(mine.fresh[c], mine.fresh[c] + size_of(c));
}

void* allocate(std::size_t size) {
  if (const std::size_t c = class_for(size); c < classes) {
    if (Free* block = mine.free[c]) {
      mine.free[c] = block->next;
      return block;
    }
  }
  return allocate_slow(size);
}

void deallocate(void* p) {
  const std::size_t at = offset(p);
  if (at >= range) return std::free(p);
  const std::size_t c = all.class_of_chunk[at / chunk];
  auto* block = static_cast<Free*>(p);
  block->next = mine.free[c];
  mine.free[c] = block;
}

void* allocate_zeroed(std::size_t count, std::size_t size) {
  if (size != 0 && count > largest / size) return std::calloc(count, size);
  void* p = allocate(count * size);
  if (p != nullptr) std::memset(p, 0, count * size);
  return p;
}

void* resized(void* p, std::size_t size) {
  if (p == nullptr) return allocate(size);
  if (offset(p) >= range) return std::realloc(p, size);
  const std::size_t had = size_of(all.class_of_chunk[offset(p) / chunk]);
  if (size <= had) return p;
  void* larger = allocate(size);
  if (larger == nullptr) return nullptr;
  std::memcpy(larger, p, had);
  deallocate(p);
  return larger;
}

/// What FLINT took before this goes back to where it came from.
[[maybe_unused]] const bool flint_uses_blocks = [] {
  __flint_set_memory_functions(allocate, allocate_zeroed, resized, deallocate);
  return true;
}();

}  // namespace

void* operator new(std::size_t size) {
  void* p = allocate(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { deallocate(p); }
void operator delete(void* p, std::size_t) noexcept { deallocate(p); }
#endif

/// The allocator of the program, which replaces `new` and FLINT's in this executable too: blocks in use overlap nowhere, whoever
/// took them and whoever gives them back.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include <flint/flint.h>

namespace {

/// A block filled with one byte, which says whose it is.
struct Filled {
  unsigned char* begin;
  std::size_t size;
  unsigned char mark;

  Filled(std::size_t bytes, unsigned char byte)
      : begin(static_cast<unsigned char*>(::operator new(bytes))), size(bytes), mark(byte) {
    std::memset(begin, mark, size);
  }
  bool is_intact() const {
    return std::all_of(begin, begin + size, [this](unsigned char b) { return b == mark; });
  }
  bool is_aligned() const {
    return size < 16 || reinterpret_cast<std::uintptr_t>(begin) % alignof(std::max_align_t) == 0;
  }
};

std::vector<Filled> random_blocks(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::size_t> size(0, 1500), place(0, count);
  std::vector<Filled> held;
  for (std::size_t k = 0; k < 4 * count; ++k) {
    held.emplace_back(size(random), static_cast<unsigned char>(k));
    if (held.size() <= count) continue;
    std::swap(held[place(random)], held.back());
    CHECK(held.back().is_intact());
    ::operator delete(held.back().begin);
    held.pop_back();
  }
  return held;
}

}  // namespace

TEST_CASE("blocks in use keep what was written to them, also when another thread gives them back") {
  std::vector<std::vector<Filled>> of_threads(4);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] { of_threads[t] = random_blocks(t + 1, 500); });
  for (std::thread& t : threads) t.join();
  std::vector<Filled> here = random_blocks(7, 500);  // some of what the others left
  for (auto& blocks : of_threads) here.insert(here.end(), blocks.begin(), blocks.end());
  CHECK(std::ranges::all_of(here, &Filled::is_intact));
  CHECK(std::ranges::all_of(here, &Filled::is_aligned));
  std::ranges::sort(here, {}, &Filled::begin);
  bool apart = true;
  for (std::size_t k = 1; k < here.size(); ++k)
    apart = apart && here[k - 1].begin + std::max<std::size_t>(here[k - 1].size, 1) <= here[k].begin;
  CHECK(apart);
  for (const Filled& block : here) ::operator delete(block.begin);
}

TEST_CASE("FLINT's blocks grow with their contents, through every size") {
  auto* p = static_cast<unsigned char*>(flint_calloc(3, 1));
  CHECK(std::all_of(p, p + 3, [](unsigned char b) { return b == 0; }));
  std::size_t size = 3;
  for (; size < 5000; size += size / 2 + 1) {
    std::memset(p, static_cast<int>(size % 251), size);
    const std::size_t larger = size + size / 2 + 1;
    p = static_cast<unsigned char*>(flint_realloc(p, larger));
    CHECK(std::all_of(p, p + size, [&](unsigned char b) { return b == size % 251; }));
  }
  flint_free(p);
  flint_free(flint_malloc(0));
}

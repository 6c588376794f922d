#pragma once
/// Scheduling of blocks over threads and MPI ranks; the result does not depend on it.

#include <atomic>
#include <functional>

#include <rattleback/sweep/ranks.hpp>
#include <rattleback/sweep/table.hpp>

namespace rattleback {

/// The rows of a block. Each thread has its own.
using BlockWorker = std::function<std::vector<double>(const Block&)>;

struct Workshop {
  std::size_t members;
  int threads = 1;
  std::function<BlockWorker()> make_worker;  ///< called in the thread that will use it
  /// Called on rank 0, with the members that are done, whenever a block has been written.
  std::function<void(std::size_t done)> progress = {};
  /// When true, no other blocks are begun. Those under way are finished, unless their workers throw TimeOfSweepIsOver: then they are left out.
  const std::atomic<bool>* stop = nullptr;
};

/// Computes the blocks that the table does not have yet and writes them, on rank 0; on other ranks the table is null and
/// the blocks go to rank 0. Returns the members that are in the table at the end. What a worker or the table throws
/// is thrown here, after the other threads have stopped.
std::size_t compute_blocks(Ranks& ranks, Table* table, const Workshop& shop);

}  // namespace rattleback

#pragma once
/// MPI ranks of a sweep: one process, or those that mpirun started.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace rattleback {

struct Message {
  int from;
  std::vector<std::byte> bytes;
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  /// A message that has arrived, if any; from one sender they come in order.
  virtual std::optional<Message> poll() = 0;
  /// Ends all of them; does not return.
  virtual void abort(int code) = 0;
};

/// Throws Error[missing-extension] under mpirun when the program was built without MPI: its copies would each do the work.
std::unique_ptr<Ranks> all_ranks();

}  // namespace rattleback

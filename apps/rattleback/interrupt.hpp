#pragma once
/// SIGINT handler: the first Ctrl-C asks a run to stop and keep its results, a second one ends the program.

#include <atomic>
#include <csignal>
#include <optional>

namespace rattleback::app {

/// While it lives, the first Ctrl-C is remembered; a second one ends the program. A wall-clock limit of `seconds` acts like the first Ctrl-C.
class GracefulInterrupt {
 public:
  explicit GracefulInterrupt(std::optional<double> seconds = std::nullopt);
  GracefulInterrupt(const GracefulInterrupt&) = delete;
  GracefulInterrupt& operator=(const GracefulInterrupt&) = delete;
  ~GracefulInterrupt();

  static const std::atomic<bool>& asked_for();
  /// The limit was reached: work under way is given up instead of finished.
  static const std::atomic<bool>& out_of_time();

 private:
  struct sigaction before_ {};
};

}  // namespace rattleback::app

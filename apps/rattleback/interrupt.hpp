#pragma once
/// Ctrl-C as a request: what was computed is kept.

#include <atomic>
#include <csignal>
#include <optional>

namespace rattleback::app {

/// While it lives, the first Ctrl-C is remembered; a second one ends the program. A time limit, on the wall, asks for the same.
class GracefulInterrupt {
 public:
  explicit GracefulInterrupt(std::optional<double> seconds = std::nullopt);
  GracefulInterrupt(const GracefulInterrupt&) = delete;
  GracefulInterrupt& operator=(const GracefulInterrupt&) = delete;
  ~GracefulInterrupt();

  static const std::atomic<bool>& asked_for();

 private:
  struct sigaction before_ {};
};

}  // namespace rattleback::app

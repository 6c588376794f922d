#include "interrupt.hpp"

#include <cmath>

#include <sys/time.h>

namespace rattleback::app {
namespace {

std::atomic<bool> interrupted{false};
extern "C" void interrupt(int) { interrupted = true; }

}  // namespace

namespace {

/// SIGALRM after so many seconds; 0 ends the wait.
void set_alarm(double seconds) {
  constexpr double microseconds = 1e6;
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - std::floor(seconds)) * (microseconds - 1) + (seconds > 0 ? 1 : 0));
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

GracefulInterrupt::GracefulInterrupt(std::optional<double> seconds) {
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_);
  if (!seconds) return;
  sigaction(SIGALRM, &action, nullptr);
  set_alarm(*seconds);
}

GracefulInterrupt::~GracefulInterrupt() {
  set_alarm(0);
  sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool>& GracefulInterrupt::asked_for() { return interrupted; }

}  // namespace rattleback::app

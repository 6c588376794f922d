#include "interrupt.hpp"

#include <cmath>

#include <sys/time.h>

namespace rattleback::app {
namespace {

std::atomic<bool> interrupted{false}, time_is_over{false};
extern "C" void interrupt(int) { interrupted = true; }
extern "C" void end_of_time(int) { interrupted = time_is_over = true; }

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
  action.sa_handler = end_of_time;
  sigaction(SIGALRM, &action, nullptr);
  set_alarm(*seconds);
}

GracefulInterrupt::~GracefulInterrupt() {
  set_alarm(0);
  sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool>& GracefulInterrupt::asked_for() { return interrupted; }
const std::atomic<bool>& GracefulInterrupt::out_of_time() { return time_is_over; }

}  // namespace rattleback::app

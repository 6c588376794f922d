#include "interrupt.hpp"

namespace rattleback::app {
namespace {

std::atomic<bool> interrupted{false};
extern "C" void interrupt(int) { interrupted = true; }

}  // namespace

GracefulInterrupt::GracefulInterrupt() {
  struct sigaction action {};
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_);
}

GracefulInterrupt::~GracefulInterrupt() { sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool>& GracefulInterrupt::asked_for() { return interrupted; }

}  // namespace rattleback::app

#include "task.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace rattleback::python {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Ctrl-C is to work within a second, whatever the computation does.
constexpr milliseconds glance{40}, last_wait{700};

/// Registered last, it goes before all destructors.
void leave_at_once(int status, void* /*unused*/) {
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

std::atomic<int>& Worker::alive() {
  static std::atomic<int> count{0};
  return count;
}

void let_workers_end() {
  const py::gil_scoped_release released;
  for (int k = 0; k < 100 && Worker::alive() > 0; ++k) std::this_thread::sleep_for(milliseconds{10});
  if (Worker::alive() > 0) on_exit(leave_at_once, nullptr);
}

bool wait_for(Task& task, const Waiting& how, bool& timed_out) {
  const Clock::time_point begin = Clock::now();
  const bool shows = !how.progress.is_none();
  for (milliseconds interval{2};; interval = glance) {
    bool done = false;
    {
      const py::gil_scoped_release released;
      done = task.wait(interval);
    }
    if (done) {
      if (shows) how.progress(1.0, task.stage());
      return true;
    }
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (shows) how.progress(task.fraction(), task.stage());
    } catch (...) {
      task.ask_to_stop();
      const py::gil_scoped_release released;
      task.wait(last_wait);
      throw;
    }
    if (!how.timeout || std::chrono::duration<double>(Clock::now() - begin).count() < *how.timeout) continue;
    timed_out = true;
    task.ask_to_stop();
    const py::gil_scoped_release released;
    return task.wait(last_wait);
  }
}

Glances::Glances(Task& task, const Waiting& how) : task_(task), how_(how) {}

void Glances::operator()() {
  const Clock::time_point now = Clock::now();
  if (now - last_ < glance || task_.stop) return;
  last_ = now;
  const py::gil_scoped_acquire held;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!how_.progress.is_none()) how_.progress(task_.fraction(), task_.stage());
  } catch (...) {
    raised_ = std::current_exception();
    task_.ask_to_stop();
  }
  if (!how_.timeout || std::chrono::duration<double>(now - begin_).count() < *how_.timeout) return;
  timed_out_ = true;
  task_.ask_to_stop();
}

void Glances::raise() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (last_ > begin_ && !how_.progress.is_none()) how_.progress(1.0, task_.stage());
}

void throw_timeout(double seconds) {
  const py::object timeout = py::module_::import("rattleback._errors").attr("timeout");
  const py::object error = timeout(seconds);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw py::error_already_set();
}

}  // namespace rattleback::python

#pragma once
/// Process pool of the studio: a worker stays alive after its answer and serves the next job of the same key, e.g. the same model.

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studio_child.hpp"

namespace rattleback::app {

/// At most three. Each is idle, or busy with an abandoned job; an abandoned job is ended after 0.4 s, an idle process after five minutes.
class KeptProcesses {
 public:
  using Clock = std::chrono::steady_clock;

  /// The process that did the last job of this key, with the new job; null when there is none that takes it.
  std::unique_ptr<Child> take(const Job& job);
  void keep(std::unique_ptr<Child> child, const std::string& key, bool busy);
  /// A process that begins with a job before anybody asks for it, such as the film of the model that the browser is about to show.
  void begin_ahead(const Job& job);
  /// Is the process of this key still busy?
  bool is_busy(const std::string& key) const;

  std::vector<const Child*> all() const;
  /// Reads and discards the output of these processes; removes those that have ended.
  void drain(const std::vector<const Child*>& readable);
  /// True when some have ended.
  bool end_overdue(Clock::time_point now);
  std::optional<Clock::time_point> next_deadline() const;

 private:
  struct Kept {
    std::unique_ptr<Child> child;
    std::string key;
    bool busy = false;
    Clock::time_point deadline;
    bool ending = false;  ///< the last line of its answer has begun
  };
  static bool drain(Kept& k);

  std::list<Kept> kept_;
};

}  // namespace rattleback::app

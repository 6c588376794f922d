#include "studio_kept.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "studio_limits.hpp"

namespace rattleback::app {
std::unique_ptr<Child> KeptProcesses::take(const Job& job) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
    return !job.key.empty() && k.key == job.key && !k.busy;
  });
  if (found == kept_.end()) return nullptr;
  std::unique_ptr<Child> child = std::move(found->child);
  kept_.erase(found);
  if (!child->ask(job.input)) return nullptr;
  return child;
}

void KeptProcesses::keep(std::unique_ptr<Child> child, const std::string& key, bool busy) {
  std::erase_if(kept_, [&](const Kept& k) { return k.key == key; });
  if (kept_.size() >= studio_limits::kept_processes) kept_.pop_front();
  const Clock::duration timeout =
      busy ? Clock::duration(studio_limits::abandoned_answer) : studio_limits::idle_process;
  kept_.push_back({std::move(child), key, busy, Clock::now() + timeout});
}

void KeptProcesses::begin_ahead(const Job& job) {
  const auto timeout =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(job.seconds));
  auto child = std::make_unique<Child>(job);
  kept_.push_back({std::move(child), job.key, true, Clock::now() + timeout});
}

bool KeptProcesses::is_busy(const std::string& key) const {
  return !key.empty() &&
         std::any_of(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.busy && k.key == key; });
}

std::vector<const Child*> KeptProcesses::all() const {
  std::vector<const Child*> children;
  for (const Kept& k : kept_) children.push_back(k.child.get());
  return children;
}

/// False when the process has ended.
bool KeptProcesses::drain(Kept& k) {
  std::array<char, 65536> buffer;
  const ssize_t n = read(k.child->output(), buffer.data(), buffer.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (n <= 0) return false;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(n));
  k.ending = k.ending || bytes.find('\x1e') != std::string_view::npos;
  if (k.busy && k.ending && bytes.back() == '\n') {
    k.busy = false;
    k.deadline = Clock::now() + studio_limits::idle_process;
  }
  return true;
}

void KeptProcesses::drain(const std::vector<const Child*>& readable) {
  std::erase_if(kept_, [&](Kept& k) {
    return std::find(readable.begin(), readable.end(), k.child.get()) != readable.end() && !drain(k);
  });
}

bool KeptProcesses::end_overdue(Clock::time_point now) {
  return std::erase_if(kept_, [&](const Kept& k) { return now >= k.deadline; }) > 0;
}

std::optional<KeptProcesses::Clock::time_point> KeptProcesses::next_deadline() const {
  std::optional<Clock::time_point> next;
  for (const Kept& k : kept_) next = next ? std::min(*next, k.deadline) : k.deadline;
  return next;
}

}  // namespace rattleback::app

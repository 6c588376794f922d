#include <rattleback/native/native_code.hpp>

#include <unordered_map>

namespace rattleback {
namespace {

/// Evaluations after which compiling has paid. Compiling takes about 7 ms for the first code and 40 µs for each
/// instruction, 10 µs in long code; interpreting an instruction about 3 ns.
std::size_t worth(const Code& code) {
  const std::size_t each = code.body.size() > longest_function ? 3'500 : 13'000;
  return each + 2'500'000 / (code.body.size() + 1);
}

}  // namespace

std::shared_ptr<NativeCode> NativeCode::of(const Code& code) {
  static std::mutex mutex;
  static std::unordered_map<std::uint64_t, std::shared_ptr<NativeCode>> known;
  const std::uint64_t key = code.hash();
  const std::lock_guard lock(mutex);
  std::shared_ptr<NativeCode>& found = known[key];
  if (!found) found = std::make_shared<NativeCode>(code);
  return found;
}

ScalarCode NativeCode::interpreted(std::size_t evaluations) {
  if (const ScalarCode f = function()) return f;
  const std::size_t all = evaluations_ += evaluations;
  const NativeMode mode = native_mode();
  if (mode == NativeMode::off || gave_up_ || (mode == NativeMode::automatic && all < worth(code_)))
    return nullptr;
  const std::unique_lock lock(compiling_, std::try_to_lock);
  if (!lock || function() != nullptr) return function();
  object_ = compiled(scalar_module(code_, this_processor()));
  if (object_) {
    function_.store(reinterpret_cast<ScalarCode>(object_->function("evaluate")), std::memory_order_release);
  } else {
    gave_up_ = true;
  }
  return function();
}

}  // namespace rattleback

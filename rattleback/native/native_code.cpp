#include <rattleback/native/native_code.hpp>

#include <unordered_map>

#include <rattleback/native/llvm_compiler.hpp>

namespace rattleback {
namespace {

/// Evaluations of quickly compiled code after which it has paid to compile it well: that takes about 80 µs for each instruction, and
/// saves 0.15 ns of it.
constexpr std::size_t worth_more = 400'000;

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

ScalarCode NativeCode::after(std::size_t evaluations, bool interpreted) {
  if (native_mode() == NativeMode::off) return nullptr;
  if (is_final_) return function();
  const std::size_t all = (interpreted ? interpreted_ : ran_) += evaluations;
  const bool first = function() == nullptr;
  if (first ? native_mode() == NativeMode::automatic && all < worth(code_) : interpreted || all < worth_more)
    return function();
  const std::unique_lock lock(compiling_, std::try_to_lock);
  if (lock && !is_final_ && first == (function() == nullptr)) compile(!first);
  return function();
}

void NativeCode::compile(bool well) {
  const std::string text = scalar_module(code_, this_processor());
  const bool is_long = code_.body.size() > longest_function;
  good_ = is_long && !well ? compiled_before(text) : compiled(text);
  if (!good_ && is_long && !well) quick_ = compiled(std::string(compiled_quickly) + text);
  const std::shared_ptr<const ObjectCode>& object = good_ ? good_ : quick_;
  if (object)
    function_.store(reinterpret_cast<ScalarCode>(object->function("evaluate")), std::memory_order_release);
  is_final_ = good_ || well || !quick_;
}

}  // namespace rattleback

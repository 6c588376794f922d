#include <rattleback/native/native_code.hpp>

#include <chrono>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/remembered_code.hpp>

namespace rattleback {
namespace {

/// Evaluations after which LLVM has paid.
std::size_t worth_compiling(const Code& code, bool is_assembled) {
  if (is_assembled) return code_sizes::before_compiling_assembled.count;
  return code_sizes::before_compiling_interpreted.count +
         code_sizes::before_compiling_one_instruction.count / (code.body.size() + 1);
}

/// The shortest of several runs. The numbers do not depend on it: all code computes the same bits.
std::chrono::nanoseconds quickest(ScalarCode code, const ScalarArguments& arguments) {
  auto best = std::chrono::nanoseconds::max();
  for (int run = 0; run < 20; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < 10; ++k) arguments(code);
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - begin);
  }
  return best;
}

}  // namespace

namespace {

/// Native codes by the address of a code that still lives, so that nothing else can lie there.
struct Compiled {
  std::weak_ptr<const Code> code;
  std::shared_ptr<NativeCode> native;
};
struct RememberedCodes {
  std::mutex mutex;
  std::unordered_map<const Code*, Compiled> by_address;
  static RememberedCodes& all() {
    static RememberedCodes one;
    return one;
  }
};

}  // namespace

void remember_code(const std::shared_ptr<const Code>& code) {
  std::shared_ptr<NativeCode> native = NativeCode::of(*code);
  RememberedCodes& known = RememberedCodes::all();
  const std::lock_guard lock(known.mutex);
  if (known.by_address.size() > search_limits::native_codes.count)
    std::erase_if(known.by_address, [](const auto& one) { return one.second.code.expired(); });
  known.by_address.insert_or_assign(code.get(), Compiled{code, std::move(native)});
}

std::shared_ptr<NativeCode> NativeCode::of(const Code& code) {
  {
    RememberedCodes& known = RememberedCodes::all();
    const std::lock_guard lock(known.mutex);
    const auto found = known.by_address.find(&code);
    if (found != known.by_address.end() && !found->second.code.expired()) return found->second.native;
  }
  static std::mutex mutex;
  static std::unordered_map<std::uint64_t, std::shared_ptr<NativeCode>> known;
  const std::uint64_t key = code.hash();
  const std::lock_guard lock(mutex);
  std::shared_ptr<NativeCode>& found = known[key];
  if (!found) found = std::make_shared<NativeCode>(code);
  return found;
}

ScalarCode NativeCode::after(std::size_t evaluations, const ScalarArguments& arguments) {
  if (native_mode() == NativeMode::off) return nullptr;
  if (is_final_) return function();
  const std::size_t all = evaluations_ += evaluations;
  const bool at_once = native_mode() == NativeMode::on;
  const std::unique_lock lock(working_, std::try_to_lock);
  if (!lock) return function();
  if (!is_assembled_ && (at_once || all >= code_sizes::before_assembling.count)) assemble();
  if (is_assembled_ && ((at_once && !assembled_) || all >= worth_compiling(code_, assembled_ != nullptr)))
    compile(arguments);
  return function();
}

void NativeCode::assemble() {
  assembled_ = assembled(code_);
  is_assembled_ = true;
  if (assembled_) function_.store(assembled_->function, std::memory_order_release);
}

void NativeCode::compile(const ScalarArguments& arguments) {
  is_final_ = true;
  try {
    compiled_ = compiled(scalar_module(code_, this_processor()));
  } catch (const Unavailable&) {
    if (!assembled_) throw;  // otherwise that will do
  }
  if (!compiled_) return;
  const auto made = reinterpret_cast<ScalarCode>(compiled_->function("evaluate"));
  if (!assembled_ || quickest(made, arguments) < quickest(assembled_->function, arguments))
    function_.store(made, std::memory_order_release);
}

}  // namespace rattleback

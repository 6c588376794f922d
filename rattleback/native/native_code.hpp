#pragma once
/// Code on its way from the interpreter to the compiler.

#include <atomic>
#include <memory>
#include <mutex>

#include <rattleback/native/compiler.hpp>
#include <rattleback/native/emit.hpp>
#include <rattleback/native/fused.hpp>

namespace rattleback {

/// Counts how much code has been interpreted, by all evaluators of equal code together, and compiles it when it pays:
/// when interpreting has taken about as long as compiling will. Nobody waits who need not: while one thread compiles,
/// the others go on interpreting; the numbers are the same.
class NativeCode {
 public:
  explicit NativeCode(const Code& code) : code_(fused(code)) {}
  static std::shared_ptr<NativeCode> of(const Code& code);

  /// What is interpreted or compiled: fused.
  const Code& code() const { return code_; }
  /// The compiled code, or null.
  ScalarCode function() const { return function_.load(std::memory_order_acquire); }
  /// After so many evaluations by the interpreter: the compiled code, if there is some now.
  ScalarCode interpreted(std::size_t evaluations);

 private:
  Code code_;
  std::atomic<ScalarCode> function_{nullptr};
  std::atomic<std::size_t> evaluations_{0};
  std::atomic<bool> gave_up_{false};
  std::mutex compiling_;
  std::shared_ptr<const ObjectCode> object_;
};

}  // namespace rattleback

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
/// when interpreting has taken about as long as compiling will. Long code is compiled quickly first, and well when that pays.
/// Nobody waits who need not: while one thread compiles, the others go on as they were; the numbers are the same.
class NativeCode {
 public:
  explicit NativeCode(const Code& code) : code_(fused(code)) {}
  static std::shared_ptr<NativeCode> of(const Code& code);

  /// What is interpreted or compiled: fused.
  const Code& code() const { return code_; }
  /// The compiled code, or null.
  ScalarCode function() const { return function_.load(std::memory_order_acquire); }
  /// After so many evaluations by the interpreter, or by what is compiled: the code to go on with, or null.
  ScalarCode after(std::size_t evaluations, bool interpreted);
  /// It is as good as it gets.
  bool is_final() const { return is_final_; }

 private:
  Code code_;
  std::atomic<ScalarCode> function_{nullptr};
  std::atomic<std::size_t> interpreted_{0}, ran_{0};
  std::atomic<bool> is_final_{false};
  std::mutex compiling_;
  std::shared_ptr<const ObjectCode> quick_, good_;

  void compile(bool well);
};

}  // namespace rattleback

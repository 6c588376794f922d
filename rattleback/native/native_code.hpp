#pragma once
/// Tiered execution: interpreter, assembler, LLVM; the faster code stays.

#include <atomic>
#include <memory>
#include <mutex>

#include <rattleback/native/assembled.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/native/object_code.hpp>

namespace rattleback {

/// Counts how much code has been run, by all evaluators of equal code together: interpreted at first, then assembled here, and
/// compiled by LLVM when that pays, when running it has taken about as long as compiling will; the faster of the two stays. While
/// one thread compiles, the others go on with the code they have; the numbers are the same.
class NativeCode {
 public:
  explicit NativeCode(const Code& code) : code_(fused(code)) {}
  static std::shared_ptr<NativeCode> of(const Code& code);

  /// What is interpreted or compiled: fused.
  const Code& code() const { return code_; }
  /// The compiled code, or null.
  ScalarCode function() const { return function_.load(std::memory_order_acquire); }
  /// After so many evaluations more: the code to go on with, or null for the interpreter. Where two are to be compared they run
  /// for these arguments.
  ScalarCode after(std::size_t evaluations, const ScalarArguments& arguments);
  /// No faster code will follow.
  bool is_final() const { return is_final_; }

 private:
  Code code_;
  std::atomic<ScalarCode> function_{nullptr};
  std::atomic<std::size_t> evaluations_{0};
  std::atomic<bool> is_final_{false};
  std::mutex working_;  ///< what follows is changed under it
  bool is_assembled_ = false;
  std::shared_ptr<const AssembledCode> assembled_;
  std::shared_ptr<const ObjectCode> compiled_;

  void assemble();
  void compile(const ScalarArguments& arguments);
};

}  // namespace rattleback

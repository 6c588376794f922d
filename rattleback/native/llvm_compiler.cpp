/// The extension `llvm`: from LLVM's text to an object file in memory, through LLVM's C interface.
#include <cstring>
#include <stdexcept>

#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <rattleback/native/llvm_compiler.hpp>

namespace rattleback {
namespace {

std::string taken(char* message) {
  std::string copy = message == nullptr ? "" : message;
  LLVMDisposeMessage(message);
  return copy;
}

/// A thing of LLVM's that is given back at the end of the block.
template <class T, void (*dispose)(T)>
class Owned {
 public:
  explicit Owned(T thing) : thing_(thing) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { dispose(thing_); }
  operator T() const { return thing_; }  // NOLINT: that is what it is

 private:
  T thing_;
};
using Context = Owned<LLVMContextRef, LLVMContextDispose>;
using Module = Owned<LLVMModuleRef, LLVMDisposeModule>;
using Machine = Owned<LLVMTargetMachineRef, LLVMDisposeTargetMachine>;
using Buffer = Owned<LLVMMemoryBufferRef, LLVMDisposeMemoryBuffer>;

/// LLVM ends the process where it cannot go on; the interpreter of our code can.
void throw_in_place_of_exit(const char* reason) { throw std::runtime_error(reason); }

LLVMModuleRef parsed(LLVMContextRef context, const std::string& ir) {
  LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir.data(), ir.size(), "code");
  LLVMModuleRef module = nullptr;
  char* message = nullptr;
  if (LLVMParseIRInContext(context, text, &module, &message) != 0)  // takes the text in any case
    throw std::runtime_error(taken(message));
  return module;
}

LLVMTargetMachineRef target_machine() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  const char* triple = "x86_64-unknown-linux-gnu";
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(triple, &target, &message) != 0) throw std::runtime_error(taken(message));
  // Functions name their processor themselves.
  return LLVMCreateTargetMachine(target, triple, "x86-64", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                 LLVMCodeModelSmall);
}

}  // namespace
}  // namespace rattleback

/// LLVM's optimisation passes, half of its size, are not linked: our code has no common subexpressions, and instruction selection drops
/// unused values.
extern "C" void rattleback_llvm_object(const std::string& ir, std::vector<char>& object) {
  using namespace rattleback;
  static const bool throws = [] {
    LLVMInstallFatalErrorHandler(throw_in_place_of_exit);
    return true;
  }();
  static_cast<void>(throws);
  const Context context(LLVMContextCreate());
  const Machine machine(target_machine());
  const Module module(parsed(context, ir));
  LLVMMemoryBufferRef made = nullptr;
  char* message = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &made) != 0)
    throw std::runtime_error(taken(message));
  const Buffer buffer(made);
  object.assign(LLVMGetBufferStart(buffer), LLVMGetBufferStart(buffer) + LLVMGetBufferSize(buffer));
}

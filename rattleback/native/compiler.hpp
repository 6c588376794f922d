#pragma once
/// LLVM JIT compilation with a cache in memory and on disk.

#include <memory>
#include <string>

#include <rattleback/native/object_code.hpp>

namespace rattleback {

/// Whether code is compiled: when it has been interpreted long enough to pay (automatic), at once, never.
enum class NativeMode { automatic, on, off };
void set_native_mode(NativeMode mode);
NativeMode native_mode();

/// The machine code of a module: from memory; from the folder $XDG_CACHE_HOME/rattleback (~/.cache/rattleback); from
/// LLVM. Null where compiling is off, or automatic and impossible here: the interpreter is used instead. The numbers are the
/// same. Throws Error[missing-extension] where compiling is on and impossible. For any thread.
std::shared_ptr<const ObjectCode> compiled(const std::string& ir);
/// Cache lookup only: from memory or the disk; null where the module was not compiled before.
std::shared_ptr<const ObjectCode> compiled_before(const std::string& ir);

}  // namespace rattleback

#pragma once
/// Interface of the extension `llvm`: LLVM IR to an object file.

#include <string>
#include <vector>

namespace rattleback {

/// rattleback_llvm_object: the object file of a module in LLVM's text. Throws std::runtime_error with LLVM's message.
using LlvmObject = void(const std::string& ir, std::vector<char>& object);

}  // namespace rattleback

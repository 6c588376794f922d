#pragma once
/// What the extension `llvm` offers.

#include <string>
#include <vector>

namespace rattleback {

/// rattleback_llvm_object: the object file of a module in LLVM's text. Throws std::runtime_error with LLVM's words.
using LlvmObject = void(const std::string& ir, std::vector<char>& object);

}  // namespace rattleback

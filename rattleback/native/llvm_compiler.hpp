#pragma once
/// What the extension `llvm` offers.

#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

/// A module that begins with this line is compiled without looking for the best order and registers: straight-line code in the
/// order of a Schedule is up to twice as slow for it, and there in a fifth of the time.
inline constexpr std::string_view compiled_quickly = "; quickly\n";

/// rattleback_llvm_object: the object file of a module in LLVM's text. Throws std::runtime_error with LLVM's words.
using LlvmObject = void(const std::string& ir, std::vector<char>& object);

}  // namespace rattleback

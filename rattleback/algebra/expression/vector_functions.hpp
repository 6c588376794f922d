#pragma once
/// Functions of vectors and matrices that expressions may call, beside the elementary ones of functions.def.

#include <span>
#include <string_view>

namespace rattleback {

struct VectorFunction {
  std::string_view name;
  int arity;  ///< −1: any
  std::string_view usage;
};

std::span<const VectorFunction> vector_functions();
/// Nothing when there is no such function.
const VectorFunction* find_vector_function(std::string_view name);

}  // namespace rattleback

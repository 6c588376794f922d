#pragma once
/// Operation count of expressions as straight-line code.

#include <cstddef>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

struct OperationCount {
  std::size_t operations = 0;  ///< at every evaluation
  std::size_t hoisted = 0;     ///< once, before the first: what depends on parameters only
};

/// +, −, ·, / and calls, of a graph in which every shared part is computed once. A sign is free; x² is one operation, x³ two; a
/// factor that depends on parameters only is one number, however it is written.
OperationCount operation_count(std::span<const Expr> roots);

/// For each root the operations at every evaluation that no other root needs: what writing this one otherwise may save.
std::vector<std::size_t> unshared_operations(std::span<const Expr> roots);

}  // namespace rattleback

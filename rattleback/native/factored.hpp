#pragma once
/// Algebraic optimisation of straight-line code: common factors and products.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Which expressions change from one evaluation to the next: those of the inputs.
class Moves {
 public:
  explicit Moves(std::span<const Symbol> inputs) : inputs_(inputs) {}
  bool operator()(Expr e) const;

 private:
  std::span<const Symbol> inputs_;
  mutable std::unordered_map<std::uint32_t, bool> known_;
};

/// Σ terms with those that differ in constants made one, with what all of them share in front, ½ x a + ½ y b = ½ (x a + y b), and then
/// with what several share, where these have more factors besides: a sum fuses one product with each addition for nothing.
Expr factored(std::span<const Expr> terms, const Moves& moves);

/// Products of many operands: which two to multiply first, so that products are shared. The pair that most products contain becomes an
/// operand of its own, again and again.
class SharedProducts {
 public:
  /// Each product has an operand once; `operands` is more than any of them.
  SharedProducts(std::vector<std::vector<std::uint32_t>> products, std::uint32_t operands);

  /// What is left to multiply: operands and pairs.
  const std::vector<std::uint32_t>& product(std::size_t k) const { return products_[k]; }
  bool is_pair(std::uint32_t operand) const { return operand >= first_pair_; }
  struct Pair {
    std::uint32_t a, b;
  };
  const Pair& pair(std::uint32_t operand) const { return pairs_[operand - first_pair_]; }
  std::size_t pairs() const { return pairs_.size(); }

 private:
  std::vector<std::vector<std::uint32_t>> products_;
  std::uint32_t first_pair_;
  std::vector<Pair> pairs_;
};

}  // namespace rattleback

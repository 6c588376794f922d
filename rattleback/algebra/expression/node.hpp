#pragma once
/// One node of the expression graph, and what an Expr reads from it. Included by expr.hpp, which comes first.

namespace rattleback {

/// The arguments lie directly behind the node.
struct Node {
  std::uint64_t hash;
  std::uint64_t support;  ///< Bloom filter of the symbols below
  union {
    const Rational* value;
    const SymbolData* symbol;
    const FunctionData* function;
    std::int64_t exponent;
  };
  std::uint32_t id;
  std::uint32_t count;
  Kind kind;

  const Expr* args() const { return reinterpret_cast<const Expr*>(this + 1); }
};

inline Kind Expr::kind() const { return node_->kind; }
inline bool Expr::is_zero() const { return node_->kind == Kind::constant && node_->value->is_zero(); }
inline bool Expr::is_one() const { return node_->kind == Kind::constant && node_->value->is_one(); }
inline std::span<const Expr> Expr::args() const { return {node_->args(), node_->count}; }
inline std::uint32_t Expr::id() const { return node_->id; }
inline std::uint64_t Expr::hash() const { return node_->hash; }

}  // namespace rattleback

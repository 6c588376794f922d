#pragma once
/// Hash-consing: the node store and the unique table behind Expr. Private to algebra/.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

struct SymbolData {
  std::string name;
  Symbol::Attributes attributes;
  std::uint64_t hash;
};

struct FunctionData {
  Builtin kind;
  std::string name;
  std::vector<int> orders;
  std::uint64_t hash;
};

inline std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15U;
  h ^= h >> 29U;
  h *= 0xBF58476D1CE4E5B9U;
  return h ^ (h >> 32U);
}

std::uint64_t hash_text(std::string_view text);

/// Hashes of nodes. Those of sums, products and calls go on with mix over the hashes of the arguments.
inline std::uint64_t constant_hash(const Rational& value) { return mix(1, value.hash()); }
inline std::uint64_t symbol_hash(Symbol s) { return mix(2, s.hash()); }
inline std::uint64_t nary_hash(Kind kind) { return kind == Kind::sum ? 3 : 4; }
inline std::uint64_t power_hash(std::uint64_t base, int exponent) {
  return mix(mix(5, base), static_cast<std::uint64_t>(exponent));
}
inline std::uint64_t call_hash(Function f) { return mix(6, f.hash()); }

/// Interning, one function per kind. The caller has brought the arguments into normal form.
class Graph {
 public:
  static Expr constant(const Rational& value);
  static Expr symbol(Symbol s);
  static Expr nary(Kind kind,
                   std::span<const Expr> args);  ///< sum, product: at least two, sorted by before()
  static Expr power(Expr base, int exponent);
  static Expr call(Function f, std::span<const Expr> args);

  static Symbol intern(SymbolData data);
  static Function intern(FunctionData data);

  static const Node& node(Expr e) { return *e.node_; }
  static Expr wrap(const Node* node) { return Expr(node); }
  static std::size_t size();
};

/// The order of arguments within sums and products: by structure, so that it is the same in every run.
inline bool before(Expr a, Expr b) { return a.hash() != b.hash() ? a.hash() < b.hash() : a.id() < b.id(); }

}  // namespace rattleback

#pragma once
/// Topologically sorted tape of the nodes below some roots: the one traversal of every interpretation.

#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// A meaning for expressions: what the six kinds of node become. See interpret().
template <class I>
concept Interpretation = requires(I in, Rational c, Symbol s, Function f, int n,
                                  std::span<const typename I::Value> xs) {
  { in.constant(c) } -> std::convertible_to<typename I::Value>;
  { in.symbol(s) } -> std::convertible_to<typename I::Value>;
  { in.sum(xs) } -> std::convertible_to<typename I::Value>;
  { in.product(xs) } -> std::convertible_to<typename I::Value>;
  { in.power(xs[0], n) } -> std::convertible_to<typename I::Value>;
  { in.call(f, xs) } -> std::convertible_to<typename I::Value>;
};

/// A node below which a tape does not go.
using IsLeaf = std::function<bool(Expr)>;

class Tape {
 public:
  explicit Tape(std::span<const Expr> roots);
  Tape(std::span<const Expr> roots, const IsLeaf& leaf);
  /// Only below nodes that may contain a symbol of this filter (Node::support).
  Tape(std::span<const Expr> roots, std::uint64_t support);

  std::size_t size() const { return nodes_.size(); }
  Expr node(std::size_t slot) const { return nodes_[slot]; }
  std::span<const std::uint32_t> args(std::size_t slot) const {
    return std::span(args_).subspan(first_[slot], first_[slot + 1] - first_[slot]);
  }
  bool is_leaf(std::size_t slot) const { return args(slot).size() != nodes_[slot].args().size(); }
  std::span<const std::uint32_t> outputs() const { return outputs_; }  ///< slots of the roots
  std::optional<std::uint32_t> slot_of(Expr e) const;

 private:
  template <class Leaf>
  void record(std::span<const Expr> roots, const Leaf& leaf);

  std::vector<Expr> nodes_;  ///< ascending ids: a topological order
  std::vector<std::uint32_t> first_, args_, outputs_;
};

/// The value of every slot of the tape, arguments first. Where the tape has leaves, in.leaf(e) gives theirs.
template <Interpretation I>
std::vector<typename I::Value> run(const Tape& tape, I& in) {
  using T = typename I::Value;
  std::vector<T> values;
  values.reserve(tape.size());
  std::vector<T> xs;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    xs.clear();
    for (const std::uint32_t a : tape.args(slot)) xs.push_back(values[a]);
    const std::span<const T> args(xs);
    if constexpr (requires { in.leaf(e); }) {
      if (tape.is_leaf(slot)) {
        values.push_back(in.leaf(e));
        continue;
      }
    }
    switch (e.kind()) {
      case Kind::constant: values.push_back(in.constant(e.value())); break;
      case Kind::symbol: values.push_back(in.symbol(e.symbol())); break;
      case Kind::sum: values.push_back(in.sum(args)); break;
      case Kind::product: values.push_back(in.product(args)); break;
      case Kind::power: values.push_back(in.power(args[0], e.exponent())); break;
      case Kind::call: values.push_back(in.call(e.function(), args)); break;
    }
  }
  return values;
}

/// The values of the roots.
template <Interpretation I>
std::vector<typename I::Value> interpret(std::span<const Expr> roots, I& in) {
  const Tape tape(roots);
  const auto values = run(tape, in);
  std::vector<typename I::Value> out;
  out.reserve(roots.size());
  for (const std::uint32_t slot : tape.outputs()) out.push_back(values[slot]);
  return out;
}

/// The nodes from the root down to the leaves, arguments first.
std::vector<Expr> nodes_until(Expr root, const IsLeaf& leaf);

template <Interpretation I>
typename I::Value interpret(Expr root, I& in) {
  return interpret(std::span<const Expr>(&root, 1), in).front();
}

}  // namespace rattleback

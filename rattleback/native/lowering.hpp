#pragma once
/// Lowering of expressions to instructions: parameters hoisted to a prologue, signs moved, sums ordered.

#include <optional>
#include <unordered_map>

#include <rattleback/native/code.hpp>

namespace rattleback {

/// A value on its way into code: ± a register of the prologue or of the body. Signs are carried along and only
/// become instructions where nothing absorbs them.
struct Signed {
  bool constant = true;
  bool negative = false;
  std::uint32_t at = 0;
};

/// A list of instructions in which equal ones are made once.
class Instructions {
 public:
  std::uint32_t add(Op op, std::uint32_t a, std::uint32_t b = 0);
  std::vector<Instruction> list;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> made_;
};

/// Code that grows. Throws Error[no-value] for a symbol that is neither input nor parameter, and for abstract functions.
class Lowering {
 public:
  Lowering(std::span<const Symbol> inputs, std::span<const Symbol> parameters);

  Signed constant(const Rational& c);
  Signed symbol(Symbol s);
  /// Σ x: constants first, in the prologue.
  Signed sum(std::span<const Signed> xs);
  Signed product(std::span<const Signed> xs);
  Signed power(const Signed& x, int n);
  Signed quotient(const Signed& a, const Signed& b);
  Signed call(Function f, std::span<const Signed> xs);

  Code finish(std::span<const Signed> outputs);

 private:
  Signed early_sum(std::vector<Signed> xs);
  std::uint32_t literal(Literal c);
  bool is_one(const Signed& x) const;
  std::uint32_t in_body(const Signed& x);
  Signed in_body(Op op, std::uint32_t a, std::uint32_t b, int operands);
  Signed apply(Op op, const Signed& a, const Signed& b);
  Signed apply(Op op, const Signed& a);
  int depth(const Signed& x) const;
  Signed materialised(const Signed& x);
  std::optional<Signed> plus(const std::optional<Signed>& a, const Signed& b);
  std::optional<Signed> times(const std::optional<Signed>& a, const Signed& b);
  std::optional<Signed> root_of_square(const Signed& x) const;
  Signed function(Op op, const Signed& x);

  Code code_;
  Instructions prologue_, body_;
  std::vector<int> depths_;  ///< of the body's instructions
  std::unordered_map<Symbol, Signed> symbols_;
  std::unordered_map<std::uint64_t, std::uint32_t> literals_;
  std::unordered_map<std::uint32_t, std::uint32_t> imported_;
};

}  // namespace rattleback

#pragma once
/// Expressions as straight-line code: what every fast interpretation (double, lanes, jets, LLVM) walks over.
///
/// Code has two parts. The prologue depends on parameters alone and runs once; its results are constants of the body,
/// which runs at every evaluation. Parameter-only factors are multiplied there and parameter-only denominators become
/// factors: no compiler may reassociate that for us. Equal instructions are made once; a product has at most one division.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

enum class Op : std::uint8_t {
#define OPERATION(name, arity) name,
#include <rattleback/native/operations.def>
#undef OPERATION
};
const char* name_of(Op op);
int arity_of(Op op);

/// r[i] = op(r[a], r[b], r[c]); the place of the instruction is the place of its result.
struct Instruction {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// The registers that it reads, some more than once.
inline std::array<std::uint32_t, 3> operands(const Instruction& in) {
  return {in.a, arity_of(in.op) > 1 ? in.b : in.a, arity_of(in.op) > 2 ? in.c : in.a};
}

/// A number that the text of a model contains.
struct Literal {
  Rational value;
  bool is_pi = false;
};

/// Registers of the prologue: parameters, literals, results. Registers of the body: inputs, constants, results.
struct Code {
  std::uint32_t inputs = 0, parameters = 0;
  std::vector<Literal> literals;
  std::vector<Instruction> prologue;
  std::vector<std::uint32_t>
      constants;  ///< registers of the prologue that the body uses, in the body's order
  std::vector<Instruction> body;
  std::vector<std::uint32_t> outputs;  ///< registers of the body

  std::size_t prologue_registers() const { return parameters + literals.size() + prologue.size(); }
  std::size_t registers() const { return first_result() + body.size(); }
  std::size_t first_result() const { return inputs + constants.size(); }
  /// The same in every run: equal code, equal hash.
  std::uint64_t hash() const;
};

/// Without the instructions that no output needs.
Code pruned(Code code);

/// The inputs, parameters and constants of a code, and an empty body: where a code that is derived from it begins.
Code with_empty_body(Code code);
/// Where a number stands in the body: among the constants, behind which it is put if they lack it. Before the body has instructions.
std::uint32_t constant_register(Code& code, const Rational& number);

/// Throws Error[no-value] for a symbol that is neither input nor parameter, and for abstract functions.
Code straight_line(std::span<const Symbol> inputs, std::span<const Symbol> parameters,
                   std::span<const Expr> outputs);

}  // namespace rattleback

#pragma once
/// Intermediate representation for our x86-64 assembler: three-address code in SSA form, one step per machine instruction.
/// The operators on Value append steps to a Writer, as those of ir.hpp append LLVM instructions.

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace rattleback::steps {

/// Inputs, constants, literals and rows are read from memory; the other kinds compute from earlier steps.
enum class Kind : std::uint8_t {
  input,
  constant,
  literal,
  row,
  add,
  sub,
  mul,
  div,
  square_root,
  mul_add,  ///< a·b + c
  mul_sub,  ///< a·b − c
  sub_mul,  ///< c − a·b
  bit_and,
  bit_or,
  bit_xor,
  add_whole,   ///< 64 bits as a whole number
  shift_left,  ///< by b bits
  blend,       ///< a where the highest bit of c is set, else b
  differs,     ///< all ones where not a = b
  call,        ///< function b of a table at a
  set_row,     ///< row b becomes a; no result
  angle_rows,  ///< sines and cosines of b rows (angle_rows.hpp) by the function whose address is literal a; no result
};
/// How many of a, b, c are steps; the others are numbers.
int operands_of(Kind kind);

struct Step {
  Kind kind;
  std::uint32_t a = 0, b = 0, c = 0;
};

class Writer;
struct Value {
  Writer* to = nullptr;
  std::uint32_t step = 0;
};
struct Bits {
  Writer* to;
  std::uint32_t step;
};
struct Mask {
  Writer* to = nullptr;  ///< none: false
  std::uint32_t step = 0;
  bool is_inverted = false;
};

class Writer {
 public:
  using Number = Value;
  using Truth = Mask;

  std::uint32_t add(Step step);
  Value value(Step step) { return {this, add(step)}; }
  /// The same literal has one step.
  std::uint32_t literal(std::uint64_t bits);

  Value call(std::size_t function, const Value& x);
  /// a·b + c is rounded once.
  bool once() const { return true; }

  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<std::uint64_t>& literals() const { return literals_; }

 private:
  std::vector<Step> steps_;
  std::vector<std::uint64_t> literals_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

Value operator+(const Value& a, const Value& b);
Value operator-(const Value& a, const Value& b);
Value operator*(const Value& a, const Value& b);
Value operator/(const Value& a, const Value& b);
Value operator-(const Value& a);
Value multiply_add(const Value& a, const Value& b, const Value& c);
Value absolute(const Value& a);
Value square_root(const Value& a);
Value constant(const Value& like, double x);
std::uint32_t key(const Value& a);

Bits bits(const Value& a);
Value number(const Bits& b);
Bits operator&(const Bits& a, std::uint64_t b);
Bits operator+(const Bits& a, std::uint64_t b);
Bits operator<<(const Bits& a, int n);
Bits operator^(const Bits& a, const Bits& b);
Bits operator|(const Bits& a, const Bits& b);
Mask is_odd(const Bits& a);

Mask operator==(const Value& a, const Value& b);
Mask operator!(const Mask& a);
Value select(const Mask& m, const Value& a, const Value& b);

}  // namespace rattleback::steps

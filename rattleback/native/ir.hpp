#pragma once
/// Writer of LLVM IR (as text): operators on values append instructions.
///
/// A value is one double or, with `lanes` > 1, a vector of them. No operation may be reordered or fused by the compiler,
/// so a function computes in every lane what the interpreter computes, to the last bit; only multiply_add is fused, on
/// processors that round it once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rattleback/native/processor.hpp>

namespace rattleback::ir {

class Writer;

/// A register, or a number that has none yet.
struct Value {
  Writer* to = nullptr;
  std::string name;
  double number = 0;
};
struct Bits {
  Writer* to;
  std::string name;
};
struct Mask {
  Writer* to = nullptr;  ///< none: false in every lane
  std::string name = {};
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
inline const std::string& key(const Value& a) { return a.name; }

Bits bits(const Value& a);
Bits constant_bits(const Value& like, std::uint64_t x);
Value number(const Bits& b);
Bits operator&(const Bits& a, std::uint64_t b);
Bits operator+(const Bits& a, std::uint64_t b);
Bits operator-(const Bits& a, const Bits& b);
Bits operator<<(const Bits& a, int n);
Bits operator>>(const Bits& a, int n);
Bits operator^(const Bits& a, const Bits& b);
Bits operator|(const Bits& a, const Bits& b);
Mask is_odd(const Bits& a);

Mask operator<=(const Value& a, const Value& b);
Mask operator>(const Value& a, const Value& b);
Mask operator==(const Value& a, const Value& b);
Mask operator&(const Mask& a, const Mask& b);
Mask operator|(const Mask& a, const Mask& b);
Mask operator!(const Mask& a);
Value select(const Mask& m, const Value& a, const Value& b);

/// A module: functions one after the other, for one processor.
class Writer {
 public:
  using Number = Value;
  using Truth = Mask;

  Writer(Processor processor, int lanes) : processor_(processor), lanes_(lanes) {}

  /// Begins `define <result> @name(parameters)`. Parameters are in LLVM's syntax.
  void begin(const std::string& head, bool is_local = false);
  void end();
  /// One line within a function.
  void line(const std::string& text);
  /// %n = text; returns %n.
  std::string assign(const std::string& text);

  Value load(const std::string& pointer, std::size_t row, std::size_t stride);
  /// One number for every lane.
  Value load_same(const std::string& pointer, std::size_t index);
  Value spread(const std::string& scalar);
  void store(const Value& x, const std::string& pointer, std::size_t row, std::size_t stride);
  /// function(x) in every lane by a call; `function` is an index into the table that %functions points to.
  Value call(std::size_t function, const Value& x);
  /// One bit for each lane, as i32.
  std::string lanes_of(const Mask& m);

  bool once() const { return rounds_once(processor_); }
  Processor processor() const { return processor_; }
  int lanes() const { return lanes_; }
  const std::string& number_type() const { return number_type_; }
  const std::string& bits_type() const { return bits_type_; }
  const std::string& mask_type() const { return mask_type_; }
  /// How an instruction names it.
  std::string text_of(const Value& x);
  /// What was written, and what it needs to be declared.
  std::string functions() const;
  /// The whole module.
  std::string text() const;

 private:
  std::string typed(const char* scalar) const;
  std::string number_in_memory(std::uint64_t bits);

  Processor processor_;
  int lanes_;
  std::string number_type_ = typed("double"), bits_type_ = typed("i64"), mask_type_ = typed("i1");
  std::string body_;
  std::size_t next_ = 0;
  std::vector<std::uint64_t> numbers_;  ///< that lie in memory, as wide as a value
};

}  // namespace rattleback::ir

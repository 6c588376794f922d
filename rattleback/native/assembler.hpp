#pragma once
/// Encoder of the x86-64 AVX2/FMA instructions that straight-line code needs [Intel 2023, vol. 2].

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rattleback::x86 {

/// xmm0 … xmm15; arithmetic is done in their lowest double.
enum class Xmm : std::uint8_t {};
inline constexpr int xmm_registers = 16;

/// Registers that hold addresses; rip: offsets count from the first byte of the code.
enum class Base : std::uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r14 = 14, r15, rip };
struct Address {
  Base base;
  std::int32_t offset;
};

/// A number in a register or in memory.
struct Operand {
  Operand(Xmm in) : is_register(true), xmm(in) {}           // NOLINT: both are operands
  Operand(Address at) : is_register(false), address(at) {}  // NOLINT
  bool is_register;
  Xmm xmm{};
  Address address{};
};

/// How an instruction is encoded: prefix 66, F3 or F2 (1, 2, 3), map 0F, 0F38 or 0F3A (1, 2, 3), W, and its byte.
struct Opcode {
  std::uint8_t prefix, map, wide, code;
};
inline constexpr Opcode addsd{3, 1, 0, 0x58}, mulsd{3, 1, 0, 0x59}, subsd{3, 1, 0, 0x5C},
    divsd{3, 1, 0, 0x5E}, sqrtsd{3, 1, 0, 0x51}, andpd{1, 1, 0, 0x54}, orpd{1, 1, 0, 0x56},
    xorpd{1, 1, 0, 0x57}, paddq{1, 1, 0, 0xD4};

/// a·b + c, a·b − c and c − a·b. Which of the three operands the result replaces is in the opcode: with `to` the first,
/// 132: to·y + x, 213: x·to + y, 231: x·y + to.
enum class Fused : std::uint8_t { add = 0, subtract = 2, negate = 4 };
enum class Order : std::uint8_t { o132 = 0x99, o213 = 0xA9, o231 = 0xB9 };

class Assembler {
 public:
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

  /// Eight bytes of data, before or after code.
  void data(std::uint64_t number);
  void align(std::size_t to);

  void load(Xmm to, Address from);
  void store(Address to, Xmm from);
  void move(Xmm to, Xmm from);
  /// to = a op b.
  void apply(Opcode op, Xmm to, Xmm a, const Operand& b) { vex(op, number_of(to), number_of(a), b, 0); }
  void fuse(Fused how, Order order, Xmm to, Xmm x, const Operand& y);
  void shift_left(Xmm to, Xmm a, std::uint8_t bits);
  /// to = all ones where not a = b.
  void not_equal(Xmm to, Xmm a, const Operand& b);
  /// to = a where the highest bit of the mask is set, else b.
  void blend(Xmm to, Xmm mask, Xmm a, Xmm b);

  void push(Base r);
  void pop(Base r);
  void copy(Base to, Base from);
  /// Of the first eight registers.
  void set(Base to, std::int32_t number);
  void load(Base to, Address from);
  /// Returns where the number stands, for set_stack when it is known later.
  std::size_t move_stack(std::int32_t bytes);
  void set_stack(std::size_t at, std::int32_t bytes);
  void call(Base function);
  /// What is returned: 0, or the highest bit of the double in x.
  void result_zero();
  void result_bit(Xmm x);
  void ret() { byte(0xC3); }

 private:
  static std::uint8_t number_of(Xmm x) { return static_cast<std::uint8_t>(x); }
  void byte(int b) { bytes_.push_back(static_cast<std::uint8_t>(b)); }
  void four(std::int32_t number);
  /// An instruction with register r, register v and an operand, before `immediates` further bytes.
  void vex(Opcode op, std::uint8_t r, std::uint8_t v, const Operand& rm, int immediates);
  void operand(std::uint8_t r, const Operand& rm, int immediates);

  std::vector<std::uint8_t> bytes_;
};

}  // namespace rattleback::x86

#include <rattleback/native/assembler.hpp>

namespace rattleback::x86 {
namespace {

int code_of(Base r) { return static_cast<int>(r); }
bool is_high(int r) { return r >= 8; }

/// The register that selects the operand, for the bit that extends it; addresses from rip need none.
int selector(const Operand& rm) {
  if (rm.is_register) return static_cast<int>(rm.xmm);
  return rm.address.base == Base::rip ? 0 : code_of(rm.address.base);
}

}  // namespace

void Assembler::four(std::int32_t number) {
  for (int shift = 0; shift < 32; shift += 8) byte(number >> shift);
}
void Assembler::data(std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) byte(static_cast<int>(number >> shift & 0xFF));
}
void Assembler::align(std::size_t to) {
  while (size() % to != 0) byte(0x90);
}

/// C5 [R vvvv L pp] where that suffices, else C4 [R X B map] [W vvvv L pp]; R, X, B and vvvv are stored inverted.
void Assembler::vex(Opcode op, std::uint8_t r, std::uint8_t v, const Operand& rm, int immediates) {
  const int extends_r = is_high(r) ? 0 : 0x80, low = (~v & 15) << 3 | op.prefix;
  if (!is_high(selector(rm)) && op.wide == 0 && op.map == 1) {
    byte(0xC5);
    byte(extends_r | low);
  } else {
    byte(0xC4);
    byte(extends_r | 0x40 | (is_high(selector(rm)) ? 0 : 0x20) | op.map);
    byte(op.wide << 7 | low);
  }
  byte(op.code);
  operand(r, rm, immediates);
}

/// ModRM, the byte that rsp needs, and the offset in one byte where it fits.
void Assembler::operand(std::uint8_t r, const Operand& rm, int immediates) {
  const int reg = (r & 7) << 3;
  if (rm.is_register) return byte(0xC0 | reg | (static_cast<int>(rm.xmm) & 7));
  const auto [base, offset] = rm.address;
  if (base == Base::rip) {
    byte(reg | 5);
    return four(offset - static_cast<std::int32_t>(size()) - 4 - immediates);
  }
  const bool is_short = offset >= -128 && offset < 128;
  byte((is_short ? 0x40 : 0x80) | reg | (code_of(base) & 7));
  if (base == Base::rsp) byte(0x24);
  is_short ? byte(offset) : four(offset);
}

void Assembler::load(Xmm to, Address from) { vex({3, 1, 0, 0x10}, number_of(to), 0, from, 0); }
void Assembler::store(Address to, Xmm from) { vex({3, 1, 0, 0x11}, number_of(from), 0, to, 0); }
void Assembler::move(Xmm to, Xmm from) { vex({1, 1, 0, 0x28}, number_of(to), 0, from, 0); }
void Assembler::fuse(Fused how, Order order, Xmm to, Xmm x, const Operand& y) {
  const auto code = static_cast<std::uint8_t>(static_cast<int>(order) + static_cast<int>(how));
  vex({1, 2, 1, code}, number_of(to), number_of(x), y, 0);
}
void Assembler::shift_left(Xmm to, Xmm a, std::uint8_t bits) {
  vex({1, 1, 0, 0x73}, 6, number_of(to), a, 1);
  byte(bits);
}
void Assembler::not_equal(Xmm to, Xmm a, const Operand& b) {
  vex({3, 1, 0, 0xC2}, number_of(to), number_of(a), b, 1);
  byte(0x04);  // true where one of them is no number, quietly
}
void Assembler::blend(Xmm to, Xmm mask, Xmm a, Xmm b) {
  vex({1, 3, 0, 0x4B}, number_of(to), number_of(b), a, 1);
  byte(number_of(mask) << 4);
}

void Assembler::push(Base r) {
  if (is_high(code_of(r))) byte(0x41);
  byte(0x50 | (code_of(r) & 7));
}
void Assembler::pop(Base r) {
  if (is_high(code_of(r))) byte(0x41);
  byte(0x58 | (code_of(r) & 7));
}
void Assembler::copy(Base to, Base from) {
  byte(0x48 | (is_high(code_of(from)) ? 4 : 0) | (is_high(code_of(to)) ? 1 : 0));
  byte(0x89);
  byte(0xC0 | (code_of(from) & 7) << 3 | (code_of(to) & 7));
}
void Assembler::set(Base to, std::int32_t number) {
  byte(0xB8 | code_of(to));
  four(number);
}
void Assembler::load(Base to, Address from) {
  byte(0x48 | (is_high(code_of(to)) ? 4 : 0) | (is_high(selector(from)) ? 1 : 0));
  byte(0x8B);
  operand(static_cast<std::uint8_t>(code_of(to)), from, 0);
}
std::size_t Assembler::move_stack(std::int32_t bytes) {
  for (const int b : {0x48, 0x81, 0xC4}) byte(b);
  four(bytes);
  return size() - 4;
}
void Assembler::set_stack(std::size_t at, std::int32_t bytes) {
  for (int k = 0; k < 4; ++k)
    bytes_[at + static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(bytes >> 8 * k);
}
void Assembler::call(Base function) {
  byte(0xFF);
  byte(0xD0 | code_of(function));
}
void Assembler::result_zero() {
  byte(0x31);
  byte(0xC0);
}
void Assembler::result_bit(Xmm x) {
  vex({1, 1, 0, 0x50}, 0, 0, x, 0);
  for (const int b : {0x83, 0xE0, 0x01}) byte(b);
}

}  // namespace rattleback::x86

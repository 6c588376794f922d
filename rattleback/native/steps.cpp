#include <rattleback/native/steps.hpp>

#include <bit>
#include <optional>

namespace rattleback::steps {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

Value made(Kind kind, const Value& a, const Value& b) { return a.to->value({kind, a.step, b.step}); }
Bits made(Kind kind, const Bits& a, std::uint32_t b) { return {a.to, a.to->add({kind, a.step, b})}; }

/// The operand x where a = −x is a change of sign; nothing otherwise.
std::optional<std::uint32_t> negated(const Value& a) {
  const std::uint32_t minus = a.to->literal(sign);
  const Step& s = a.to->steps()[a.step];
  if (s.kind != Kind::bit_xor || s.b != minus) return std::nullopt;
  return s.a;
}

}  // namespace

int operands_of(Kind kind) {
  switch (kind) {
    case Kind::input:
    case Kind::constant:
    case Kind::literal:
    case Kind::row:
    case Kind::angle_rows: return 0;
    case Kind::square_root:
    case Kind::shift_left:
    case Kind::call:
    case Kind::set_row: return 1;
    case Kind::mul_add:
    case Kind::mul_sub:
    case Kind::sub_mul:
    case Kind::blend: return 3;
    default: return 2;
  }
}

std::uint32_t Writer::add(Step step) {
  steps_.push_back(step);
  return static_cast<std::uint32_t>(steps_.size() - 1);
}
std::uint32_t Writer::literal(std::uint64_t bits) {
  const auto [found, is_new] = known_.try_emplace(bits);
  if (is_new) {
    found->second = add({Kind::literal, static_cast<std::uint32_t>(literals_.size())});
    literals_.push_back(bits);
  }
  return found->second;
}
Value Writer::call(std::size_t function, const Value& x) {
  return value({Kind::call, x.step, static_cast<std::uint32_t>(function)});
}

Value operator+(const Value& a, const Value& b) { return made(Kind::add, a, b); }
Value operator-(const Value& a, const Value& b) { return made(Kind::sub, a, b); }
Value operator*(const Value& a, const Value& b) { return made(Kind::mul, a, b); }
Value operator/(const Value& a, const Value& b) { return made(Kind::div, a, b); }
Value operator-(const Value& a) { return a.to->value({Kind::bit_xor, a.step, a.to->literal(sign)}); }
Value absolute(const Value& a) { return a.to->value({Kind::bit_and, a.step, a.to->literal(~sign)}); }
Value square_root(const Value& a) { return a.to->value({Kind::square_root, a.step}); }
Value constant(const Value& like, double x) {
  return {like.to, like.to->literal(std::bit_cast<std::uint64_t>(x))};
}
std::uint32_t key(const Value& a) { return a.step; }

/// A change of sign of a factor or of the summand is folded into the fused instruction.
Value multiply_add(const Value& a, const Value& b, const Value& c) {
  if (const auto factor = negated(a)) return a.to->value({Kind::sub_mul, *factor, b.step, c.step});
  if (const auto less = negated(c)) return a.to->value({Kind::mul_sub, a.step, b.step, *less});
  return a.to->value({Kind::mul_add, a.step, b.step, c.step});
}

Bits bits(const Value& a) { return {a.to, a.step}; }
Value number(const Bits& b) { return {b.to, b.step}; }
Bits operator&(const Bits& a, std::uint64_t b) { return made(Kind::bit_and, a, a.to->literal(b)); }
Bits operator+(const Bits& a, std::uint64_t b) { return made(Kind::add_whole, a, a.to->literal(b)); }
Bits operator<<(const Bits& a, int n) { return made(Kind::shift_left, a, static_cast<std::uint32_t>(n)); }
Bits operator^(const Bits& a, const Bits& b) { return made(Kind::bit_xor, a, b.step); }
Bits operator|(const Bits& a, const Bits& b) { return made(Kind::bit_or, a, b.step); }
Mask is_odd(const Bits& a) { return {a.to, (a << 63).step}; }

Mask operator==(const Value& a, const Value& b) { return {a.to, made(Kind::differs, a, b).step, true}; }
Mask operator!(const Mask& a) { return {a.to, a.step, !a.is_inverted}; }
Value select(const Mask& m, const Value& a, const Value& b) {
  return m.to->value({Kind::blend, a.step, b.step, m.step});
}

}  // namespace rattleback::steps

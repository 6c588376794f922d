/// Compiled once for each way of rounding a·b + c; see cmake/Extensions.cmake. RATTLEBACK_ANGLE is the name of the function.
#include <bit>
#include <cstdint>

#include <rattleback/native/angle.hpp>

namespace rattleback {
namespace {

/// A type of this file alone: what is made from it is never taken for that of the other processor.
struct Number {
  double x;
};
struct Bits {
  std::uint64_t x;
  Bits operator&(std::uint64_t b) const { return {x & b}; }
  Bits operator+(std::uint64_t b) const { return {x + b}; }
  Bits operator<<(int n) const { return {x << n}; }
  Bits operator^(Bits b) const { return {x ^ b.x}; }
};

Number operator*(Number a, Number b) { return {a.x * b.x}; }
Number operator-(Number a, Number b) { return {a.x - b.x}; }
bool operator==(Number a, Number b) { return a.x == b.x; }
Number constant(Number, double x) { return {x}; }
Bits bits(Number a) { return {std::bit_cast<std::uint64_t>(a.x)}; }
Number number(Bits b) { return {std::bit_cast<double>(b.x)}; }
bool is_odd(Bits b) { return (b.x & 1) != 0; }
Number select(bool which, Number a, Number b) { return which ? a : b; }
#ifdef __FMA__
constexpr bool once = true;
Number multiply_add(Number a, Number b, Number c) { return {__builtin_fma(a.x, b.x, c.x)}; }
#else
constexpr bool once = false;
Number multiply_add(Number a, Number b, Number c) { return {a.x * b.x + c.x}; }
#endif

}  // namespace

SineCosine<double> RATTLEBACK_ANGLE(double x) {
  const Number in = quadrant(Number{x}, once);
  if (!is_tame(bits(in), once)) return {__builtin_sin(x), __builtin_cos(x)};
  const SineCosine<Number> both = sine_cosine(Number{x}, in, once);
  return {both.sine.x, both.cosine.x};
}

}  // namespace rattleback

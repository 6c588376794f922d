#pragma once
/// SIMD vector of doubles with the operators of a number, for files compiled per instruction set.

namespace rattleback {
/// Types of each file alone: what is made from them is never taken for that of another processor.
namespace {  // NOLINT: that is what they are for

/// As wide as a register: the compiler takes wider ones to pieces, one double at a time.
#if defined(__AVX512F__)
inline constexpr int lanes_of_a_pack = 8;
#elif defined(__AVX2__)
inline constexpr int lanes_of_a_pack = 4;
#else
inline constexpr int lanes_of_a_pack = 2;
#endif
typedef double Doubles __attribute__((vector_size(8 * lanes_of_a_pack)));
typedef unsigned long long Integers __attribute__((vector_size(8 * lanes_of_a_pack)));

struct Pack {
  Doubles x;
};
struct Mask {
  Integers m;  ///< all bits or none in each lane
};
struct Bits {
  Integers b;
};

inline Pack operator+(Pack a, Pack b) { return {a.x + b.x}; }
inline Pack operator-(Pack a, Pack b) { return {a.x - b.x}; }
inline Pack operator*(Pack a, Pack b) { return {a.x * b.x}; }
inline Pack operator/(Pack a, Pack b) { return {a.x / b.x}; }
inline Pack operator-(Pack a) { return {-a.x}; }
inline Mask operator<=(Pack a, Pack b) { return {reinterpret_cast<Integers>(a.x <= b.x)}; }
inline Mask operator>(Pack a, Pack b) { return {reinterpret_cast<Integers>(a.x > b.x)}; }
inline Mask operator==(Pack a, Pack b) { return {reinterpret_cast<Integers>(a.x == b.x)}; }
inline Mask operator&(Mask a, Mask b) { return {a.m & b.m}; }
inline Mask operator!(Mask a) { return {~a.m}; }
inline Pack select(Mask m, Pack a, Pack b) { return {m.m != 0 ? a.x : b.x}; }
inline Pack constant(Pack, double c) { return {Doubles{} + c}; }

inline Bits bits(Pack a) { return {reinterpret_cast<Integers>(a.x)}; }
inline Pack number(Bits b) { return {reinterpret_cast<Doubles>(b.b)}; }
inline Bits constant_bits(Pack, unsigned long long c) { return {Integers{} + c}; }
inline Bits operator&(Bits a, unsigned long long b) { return {a.b & b}; }
inline Bits operator+(Bits a, unsigned long long b) { return {a.b + b}; }
inline Bits operator-(Bits a, Bits b) { return {a.b - b.b}; }
inline Bits operator<<(Bits a, int n) { return {a.b << n}; }
inline Bits operator>>(Bits a, int n) { return {a.b >> n}; }
inline Bits operator^(Bits a, Bits b) { return {a.b ^ b.b}; }
inline Bits operator|(Bits a, Bits b) { return {a.b | b.b}; }
inline Mask is_odd(Bits a) { return {reinterpret_cast<Integers>((a.b & 1) != 0)}; }
inline Pack absolute(Pack a) { return number(bits(a) & 0x7fffffffffffffffULL); }

inline Pack square_root(Pack a) {
  Pack r;
  for (int l = 0; l < lanes_of_a_pack; ++l) r.x[l] = __builtin_sqrt(a.x[l]);
  return r;
}
#ifdef __FMA__
inline constexpr bool once = true;
inline Pack multiply_add(Pack a, Pack b, Pack c) {
  Pack r;
  for (int l = 0; l < lanes_of_a_pack; ++l) r.x[l] = __builtin_fma(a.x[l], b.x[l], c.x[l]);
  return r;
}
#else
inline constexpr bool once = false;
inline Pack multiply_add(Pack a, Pack b, Pack c) { return a * b + c; }
#endif

inline bool any(Mask a) {
  unsigned long long both = 0;
  for (int l = 0; l < lanes_of_a_pack; ++l) both |= a.m[l];
  return both != 0;
}

}  // namespace
}  // namespace rattleback

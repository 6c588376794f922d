#include <rattleback/algebra/arithmetic/rational_kernel.hpp>

#include <utility>

#include <flint/fmpq.h>

namespace rattleback {
namespace {

/// The vector times a number that makes its entries integers without common factor, the first of them positive.
void make_primitive(std::vector<Rational>& x) {
  Rational multiple(1), content(0);
  for (const Rational& e : x) {
    fmpz_lcm(fmpq_numref(multiple.raw()), fmpq_numref(multiple.raw()), fmpq_denref(e.raw()));
    fmpz_gcd(fmpq_numref(content.raw()), fmpq_numref(content.raw()), fmpq_numref(e.raw()));
  }
  if (content.is_zero()) return;
  Rational scale = multiple / content;
  for (const Rational& e : x) {
    if (e.is_zero()) continue;
    if (e.sign() < 0) scale = -scale;
    break;
  }
  for (Rational& e : x) e = e * scale;
}

}  // namespace

std::optional<Rational> reconstructed(ModP a) {
  constexpr std::uint64_t bound = std::uint64_t{1} << 30U;
  __extension__ using Wide = __int128;
  std::uint64_t r0 = ModP::modulus, r1 = a.canonical();
  Wide t0 = 0, t1 = 1;
  while (r1 >= bound) {  // Euclid, stopped half way
    const std::uint64_t k = r0 / r1;
    r0 = std::exchange(r1, r0 - k * r1);
    t0 = std::exchange(t1, t0 - static_cast<Wide>(k) * t1);
  }
  const Wide d = t1 < 0 ? -t1 : t1;
  if (d == 0 || d >= static_cast<Wide>(bound)) return std::nullopt;
  const auto n = static_cast<long>(r1);
  return Rational(t1 < 0 ? -n : n, static_cast<long>(d));
}

std::optional<std::vector<std::vector<Rational>>> rational_kernel(const ModularMatrix& a) {
  const ModularMatrix basis = kernel(a);
  std::vector<std::vector<Rational>> all;
  for (int k = 0; k < basis.columns(); ++k) {
    std::vector<Rational> x;
    for (int i = 0; i < basis.rows(); ++i) {
      const auto entry = reconstructed(basis(i, k));
      if (!entry) return std::nullopt;
      x.push_back(*entry);
    }
    make_primitive(x);
    all.push_back(std::move(x));
  }
  return all;
}

}  // namespace rattleback

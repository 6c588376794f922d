#include <rattleback/algebra/arithmetic/pseudo_division.hpp>

#include <algorithm>
#include <utility>

namespace rattleback {

std::vector<Polynomial> coefficients_in(const Polynomial& p, int g) {
  std::vector<Polynomial> parts(static_cast<std::size_t>(std::max(0L, p.degree(g))) + 1,
                                Polynomial(p.ring()));
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> e = p.exponents(i);
    const ulong n = std::exchange(e[static_cast<std::size_t>(g)], 0);
    parts[n].add_term(p.coefficient(i), e);
  }
  for (Polynomial& part : parts) part.collect();
  return parts;
}

Polynomial without_content(Polynomial p) {
  if (p.is_zero()) return p;
  Rational k;
  for (std::size_t i = 0; i < p.terms() && !k.is_one(); ++i)
    fmpz_gcd(fmpq_numref(k.raw()), fmpq_numref(k.raw()), fmpq_numref(p.coefficient(i).raw()));
  if (!k.is_one())
    fmpz_mpoly_scalar_divexact_fmpz(p.raw(), p.raw(), fmpq_numref(k.raw()), p.ring().context());
  return p;
}

namespace {

/// Σ c_k v^k.
Polynomial assembled(const std::vector<Polynomial>& c, const Ring& ring, int v) {
  Polynomial sum(ring);
  const Polynomial x = Polynomial::generator(ring, v);
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

}  // namespace

PseudoRemainder pseudo_remainder(Polynomial p, const Polynomial& f, int v, bool by_relations) {
  const auto d = static_cast<std::size_t>(f.degree(v));
  if (p.degree(v) < f.degree(v)) return {std::move(p)};
  const std::vector<Polynomial> divisor = coefficients_in(f, v);
  const Polynomial& lead = divisor.back();
  std::vector<Polynomial> c = coefficients_in(p, v);
  unsigned m = 0;
  while (c.size() > d) {
    const Polynomial top = c.back();
    c.pop_back();
    if (top.is_zero()) continue;
    ++m;
    const std::size_t shift = c.size() - d;
    for (std::size_t k = 0; k < c.size(); ++k) {
      if (!lead.is_one() && !c[k].is_zero()) c[k] = c[k] * lead;
      if (k >= shift && !divisor[k - shift].is_zero()) c[k] = c[k] - top * divisor[k - shift];
      if (by_relations) reduce(c[k]);
    }
  }
  return {assembled(c, p.ring(), v), m};
}

}  // namespace rattleback

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/triangular_set.hpp>

#include <algorithm>
#include <optional>
#include <tuple>

namespace rattleback {
namespace {

/// p = Σ c_k v^k; the coefficients from c_0 on.
std::vector<Polynomial> coefficients(const Polynomial& p, int v) {
  std::vector<Polynomial> c;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> exponents = p.exponents(i);
    const std::size_t k = exponents[static_cast<std::size_t>(v)];
    exponents[static_cast<std::size_t>(v)] = 0;
    while (c.size() <= k) c.emplace_back(p.ring());
    c[k].add_term(p.coefficient(i), exponents);
  }
  for (Polynomial& x : c) x.collect();
  return c;
}

Polynomial assembled(const std::vector<Polynomial>& c, const Ring& ring, int v) {
  Polynomial sum(ring);
  const Polynomial x = Polynomial::generator(ring, v);
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
  return sum;
}

Polynomial primitive(Polynomial p) {
  if (p.is_zero()) return p;
  Rational k;
  for (std::size_t i = 0; i < p.terms() && !k.is_one(); ++i)
    fmpz_gcd(fmpq_numref(k.raw()), fmpq_numref(k.raw()), fmpq_numref(p.coefficient(i).raw()));
  if (!k.is_one())
    fmpz_mpoly_scalar_divexact_fmpz(p.raw(), p.raw(), fmpq_numref(k.raw()), p.ring().context());
  return p;
}

/// lc(f)^m p − q f of degree below that of f in v, for the m that is needed.
Polynomial pseudo_remainder(Polynomial p, const Polynomial& f, int v) {
  const auto d = static_cast<std::size_t>(f.degree(v));
  if (p.degree(v) < f.degree(v)) return p;
  const std::vector<Polynomial> divisor = coefficients(f, v);
  const Polynomial& lead = divisor.back();
  std::vector<Polynomial> c = coefficients(p, v);
  while (c.size() > d) {
    const Polynomial top = c.back();
    c.pop_back();
    if (top.is_zero()) continue;
    const std::size_t shift = c.size() - d;
    for (std::size_t k = 0; k < c.size(); ++k) {
      if (!lead.is_one() && !c[k].is_zero()) c[k] = c[k] * lead;
      if (k >= shift && !divisor[k - shift].is_zero()) c[k] = c[k] - top * divisor[k - shift];
      reduce(c[k]);
    }
  }
  return primitive(assembled(c, p.ring(), v));
}

}  // namespace

/// p without the factors that vanish nowhere on the zeros of the ideal, each of the others once.
Polynomial TriangularSet::essential(const Polynomial& p, const Knowledge& known) {
  constexpr std::size_t longest = search_limits::essential_factors.count;
  if (p.is_constant() || p.terms() > longest) return p;
  allow_factoring(p.terms());
  Polynomial product(p.ring(), 1);
  for (const Factored::Factor& f : factored(p).factors) {
    if (!known.vanishes_nowhere(f.base)) product = product * f.base;
  }
  return product;
}

TriangularSet::TriangularSet(std::vector<Polynomial> left, const Knowledge& known) {
  for (Polynomial& p : left) {
    reduce(p);
    p = primitive(std::move(p));
  }
  const auto drop_zeros = [&] { std::erase_if(left, [](const Polynomial& p) { return p.is_zero(); }); };
  for (drop_zeros(); !left.empty(); drop_zeros()) {
    if (!chain_.empty()) {
      for (Polynomial& p : left) p = essential(p, known);
    }
    // The variable in which some polynomial has the lowest degree, preferably with a number as leading coefficient.
    std::optional<std::tuple<long, bool, std::size_t>> best;
    std::size_t chosen = 0;
    int variable = -1;
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (int v = 0; v < left[i].ring().size(); ++v) {
        if (!known.may_lead(v) || left[i].degree(v) <= 0) continue;
        const std::tuple key(left[i].degree(v), !coefficients(left[i], v).back().is_constant(),
                             left[i].terms());
        if (best && key >= *best) continue;
        best = key;
        chosen = i;
        variable = v;
      }
    }
    if (variable < 0) throw NoExactForm("the position constraints leave a condition on parameters");
    std::swap(left[chosen], left.back());
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i + 1 < left.size(); ++i) {
        if (left[i].degree(variable) <= 0) continue;
        if (left[i].degree(variable) < left.back().degree(variable)) std::swap(left[i], left.back());
        left[i] = pseudo_remainder(left[i], left.back(), variable);
        again = again || left[i].degree(variable) > 0;
      }
    }
    const Polynomial lead = coefficients(left.back(), variable).back();
    if (!lead.is_constant()) initials_.push_back(lead);
    chain_.push_back({left.back(), variable});
    left.pop_back();
  }
}

Polynomial TriangularSet::reduced(Polynomial p) const {
  for (const Link& link : chain_) p = pseudo_remainder(std::move(p), link.f, link.variable);
  return p;
}

}  // namespace rattleback

#include <rattleback/algebra/arithmetic/triangular_set.hpp>

#include <rattleback/algebra/arithmetic/pseudo_division.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>

#include <algorithm>
#include <optional>
#include <tuple>

namespace rattleback {

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
    p = without_content(std::move(p));
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
        const std::tuple key(left[i].degree(v), !coefficients_in(left[i], v).back().is_constant(),
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
        left[i] = without_content(pseudo_remainder(left[i], left.back(), variable, true).remainder);
        again = again || left[i].degree(variable) > 0;
      }
    }
    const Polynomial lead = coefficients_in(left.back(), variable).back();
    if (!lead.is_constant()) initials_.push_back(lead);
    chain_.push_back({left.back(), variable});
    left.pop_back();
  }
}

Polynomial TriangularSet::reduced(Polynomial p) const {
  for (const Link& link : chain_)
    p = without_content(pseudo_remainder(std::move(p), link.f, link.variable, true).remainder);
  return p;
}

}  // namespace rattleback

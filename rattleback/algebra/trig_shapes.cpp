#include <rattleback/algebra/trig_shapes.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace rattleback {

Polynomial without_sin_squared(Polynomial p, const Relation& pair) {
  reduce(p, pair.generator, pair.square);
  return p;
}

Polynomial without_cos_squared(Polynomial p, const Relation& pair) {
  const Polynomial s = Polynomial::generator(p.ring(), pair.generator);
  const Polynomial one(p.ring(), 1);
  reduce(p, pair.partner, pair.sigma > 0 ? one - s * s : one + s * s);
  return p;
}

Polynomial homogenised(const Polynomial& p, const Relation& pair) {
  const auto c = static_cast<std::size_t>(pair.partner), s = static_cast<std::size_t>(pair.generator);
  std::array<ulong, 2> most{0, 0};
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const auto e = p.exponents(i);
    const ulong degree = e[c] + e[s];
    most[degree % 2] = std::max(most[degree % 2], degree);
  }
  std::map<ulong, Polynomial> missing;  // by half the missing degree
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const auto e = p.exponents(i);
    const ulong degree = e[c] + e[s];
    missing.try_emplace((most[degree % 2] - degree) / 2, p.ring())
        .first->second.add_term(p.coefficient(i), e);
  }
  const Polynomial cos = Polynomial::generator(p.ring(), pair.partner);
  const Polynomial sin = Polynomial::generator(p.ring(), pair.generator);
  const Polynomial one = pair.sigma > 0 ? cos * cos + sin * sin : cos * cos - sin * sin;
  Polynomial sum(p.ring());
  for (auto& [k, part] : missing) {
    part.collect();
    sum = sum + part * power(one, static_cast<unsigned>(k));
  }
  return sum;
}

namespace {

/// With sin² or cos² eliminated or combined, whichever has fewest terms; one term stays as it is.
Polynomial shortest_shape(Polynomial angular, const Relation& pair) {
  if (angular.terms() == 1 && angular.degree(pair.generator) < 2) return angular;
  Polynomial best = without_sin_squared(std::move(angular), pair);
  for (Polynomial shape : {without_cos_squared(best, pair), homogenised(best, pair)}) {
    if (shape.terms() < best.terms()) best = std::move(shape);
  }
  return best;
}

}  // namespace

Polynomial shaped_by_monomial(const Polynomial& p, const Relation& pair) {
  const auto c = static_cast<std::size_t>(pair.partner), s = static_cast<std::size_t>(pair.generator);
  std::map<std::vector<ulong>, Polynomial> groups;
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> e = p.exponents(i);
    std::vector<ulong> angular(e.size(), 0);
    std::swap(angular[c], e[c]);
    std::swap(angular[s], e[s]);
    groups.try_emplace(std::move(e), p.ring()).first->second.add_term(p.coefficient(i), angular);
  }
  Polynomial sum(p.ring());
  for (auto& [others, angular] : groups) {
    angular.collect();
    const Polynomial best = shortest_shape(std::move(angular), pair);
    for (std::size_t i = 0; i < best.terms(); ++i) {
      std::vector<ulong> e = best.exponents(i);
      for (std::size_t g = 0; g < e.size(); ++g) e[g] += others[g];
      sum.add_term(best.coefficient(i), e);
    }
  }
  sum.collect();
  return sum;
}

bool involves(const Polynomial& p, const Relation& pair) {
  return p.degree(pair.generator) > 0 || p.degree(pair.partner) > 0;
}

std::vector<const Relation*> pairs_of(const Ring& ring) {
  std::vector<const Relation*> pairs;
  for (const Relation& r : ring.relations()) {
    if (r.partner >= 0) pairs.push_back(&r);
  }
  return pairs;
}

}  // namespace rattleback

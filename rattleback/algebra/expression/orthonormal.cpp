#include <rattleback/algebra/expression/orthonormal.hpp>

#include <algorithm>
#include <tuple>

namespace rattleback {

Symbol rotation_entry(Symbol known, int entry) {
  Symbol::Attributes attributes = known.attributes();
  attributes.entry = entry;
  // Entries are named after their matrix: B31. The graph has no lookup by name, so the symbol is built again.
  const std::string& name = known.name();
  return Symbol::make(name.substr(0, name.size() - 2) + std::to_string(10 * (entry / 3 + 1) + entry % 3 + 1),
                      attributes);
}

namespace {

/// k·rest·B_ia·B_ib with a ≤ b; or, of the transposed matrix, k·rest·B_ai·B_bi.
struct Pair {
  Symbol entry;  ///< one of the matrix
  bool transposed;
  int i, a, b;
  Rational coefficient;
  Expr rest;
  std::size_t term;

  Expr at(int row, int column) const {
    return rotation_entry(entry, transposed ? 3 * column + row : 3 * row + column);
  }
  auto key() const { return std::tuple(rest.id(), transposed, a, b); }
};

bool is_entry(Expr e) { return e.is(Kind::symbol) && e.symbol().role() == Role::rotation; }

std::span<const Expr> parts_of(const Expr& e, Kind kind) {
  return e.is(kind) ? e.args() : std::span<const Expr>(&e, 1);
}

void add_pair(Symbol f, Symbol g, Expr term, std::size_t index, std::vector<Pair>& pairs) {
  if (f.attributes().family != g.attributes().family) return;
  const int p = f.attributes().entry, q = g.attributes().entry;
  const Scaled rest = split_coefficient(term * pow(Expr(f), -1) * pow(Expr(g), -1));
  const auto add = [&](bool transposed, int i, int j, int a, int b) {
    if (i == j)
      pairs.push_back({f, transposed, i, std::min(a, b), std::max(a, b), rest.coefficient, rest.rest, index});
  };
  add(false, p / 3, q / 3, p % 3, q % 3);
  add(true, p % 3, q % 3, p / 3, q / 3);
}

void add_pairs(Expr term, std::size_t index, std::vector<Pair>& pairs) {
  const std::span<const Expr> factors = parts_of(term, Kind::product);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Expr f = factors[i];
    if (f.is(Kind::power) && f.exponent() == 2 && is_entry(f.args()[0]))
      add_pair(f.args()[0].symbol(), f.args()[0].symbol(), term, index, pairs);
    for (std::size_t j = i + 1; is_entry(f) && j < factors.size(); ++j)
      if (is_entry(factors[j])) add_pair(f.symbol(), factors[j].symbol(), term, index, pairs);
  }
}

bool make_a_third(const Pair& p, const Pair& q) {
  return p.key() == q.key() && p.entry.attributes().family == q.entry.attributes().family &&
         p.coefficient == q.coefficient && p.i != q.i && p.term != q.term;
}

/// k·R·(s + t + …) as k·R·s + k·R·t + …, in every term.
Expr distributed(Expr e) {
  std::vector<Expr> terms;
  for (const Expr term : parts_of(e, Kind::sum)) {
    const std::span<const Expr> factors = parts_of(term, Kind::product);
    const auto inner = std::ranges::find_if(factors, [](Expr f) { return f.is(Kind::sum); });
    if (inner == factors.end()) {
      terms.push_back(term);
      continue;
    }
    std::vector<Expr> others(factors.begin(), factors.end());
    for (const Expr s : inner->args()) {
      others[static_cast<std::size_t>(inner - factors.begin())] = s;
      terms.push_back(product(others));
    }
  }
  return sum(terms);
}

Expr with_pairs_replaced(Expr e) {
  while (e.is(Kind::sum)) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < e.args().size(); ++i) add_pairs(e.args()[i], i, pairs);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& p, const Pair& q) { return p.key() < q.key(); });
    const auto first = std::adjacent_find(pairs.begin(), pairs.end(), make_a_third);
    if (first == pairs.end()) break;
    const Pair &p = *first, &q = *std::next(first);
    const int third = 3 - p.i - q.i;
    const Expr k = p.coefficient * p.rest;
    std::vector<Expr> terms{-k * p.at(third, p.a) * p.at(third, p.b)};
    if (p.a == p.b) terms.push_back(k);
    for (std::size_t i = 0; i < e.args().size(); ++i)
      if (i != p.term && i != q.term) terms.push_back(e.args()[i]);
    e = sum(terms);
  }
  return e;
}

}  // namespace

Expr with_third_row(Expr e) {
  const Expr as_written = with_pairs_replaced(e);
  if (as_written != e) return as_written;
  const Expr terms = distributed(e), replaced = with_pairs_replaced(terms);
  return replaced != terms ? replaced : e;
}

}  // namespace rattleback

#include <rattleback/algebra/signs/pythagoras.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/few.hpp>

namespace rattleback {

bool is_square_of(Expr e, Builtin f) {
  return e.is(Kind::power) && e.exponent() == 2 && e.args()[0].is(Kind::call) &&
         e.args()[0].function().kind() == f;
}

namespace {

/// k·rest·sin²x, or the same with cos².
struct Square {
  Builtin function;
  Expr angle, rest;
  Rational coefficient;
  std::size_t term;
};

void add_squares(Expr term, std::size_t index, std::vector<Square>& squares) {
  const std::span<const Expr> factors =
      term.is(Kind::product) ? term.args() : std::span<const Expr>(&term, 1);
  for (const Expr f : factors) {
    for (const Builtin which : {Builtin::sin, Builtin::cos}) {
      if (!is_square_of(f, which)) continue;
      const Scaled rest = split_coefficient(term * pow(f, -1));
      squares.push_back({which, f.args()[0].args()[0], rest.rest, rest.coefficient, index});
    }
  }
}

bool make_one(const Square& a, const Square& b) {
  return a.function != b.function && a.angle == b.angle && a.rest == b.rest &&
         a.coefficient == b.coefficient && a.term != b.term;
}

/// Is there an angle whose cosine and sine are both squared?
bool may_collapse(Expr sum) {
  Few<Expr> cosines, sines;
  const auto note = [&](Expr f) {
    if (is_square_of(f, Builtin::cos)) cosines.push_back(f.args()[0].args()[0]);
    if (is_square_of(f, Builtin::sin)) sines.push_back(f.args()[0].args()[0]);
  };
  for (const Expr term : sum.args()) {
    note(term);
    if (!term.is(Kind::product)) continue;
    for (const Expr f : term.args()) note(f);
  }
  std::ranges::sort(sines, {}, &Expr::id);
  return std::ranges::any_of(
      cosines, [&](Expr a) { return std::ranges::binary_search(sines, a.id(), {}, &Expr::id); });
}

}  // namespace

Expr collapsed(Expr e) {
  while (e.is(Kind::sum) && may_collapse(e)) {
    std::vector<Square> squares;
    for (std::size_t i = 0; i < e.args().size(); ++i) add_squares(e.args()[i], i, squares);
    std::sort(squares.begin(), squares.end(), [](const Square& a, const Square& b) {
      return a.rest.id() != b.rest.id() ? a.rest.id() < b.rest.id() : a.angle.id() < b.angle.id();
    });
    const auto first = std::adjacent_find(squares.begin(), squares.end(), make_one);
    if (first == squares.end()) break;
    std::vector<Expr> terms{first->coefficient * first->rest};
    for (std::size_t i = 0; i < e.args().size(); ++i) {
      if (i != first->term && i != std::next(first)->term) terms.push_back(e.args()[i]);
    }
    e = sum(terms);
  }
  return e;
}

}  // namespace rattleback

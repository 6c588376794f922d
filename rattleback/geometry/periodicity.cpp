#include <rattleback/geometry/periodicity.hpp>

#include <algorithm>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

/// Within a function of which nothing is known.
bool is_hidden(Expr f, Symbol q) {
  const Tape tape(std::span<const Expr>(&f, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::call) && e.function().is_abstract() && contains(e, q)) return true;
  }
  return false;
}

}  // namespace

bool is_angle(const Space& space, Symbol q) {
  return std::any_of(space.factors().begin(), space.factors().end(), [&](const Factor& factor) {
    return std::any_of(factor.pieces.begin(), factor.pieces.end(), [&](const Piece& piece) {
      return piece.carrier == Carrier::angle && piece.functions.front() == q;
    });
  });
}

std::optional<Symbol> angle_of_several_values(const Space& space, Expr f) {
  for (const Symbol q : space.functions()) {
    if (!is_angle(space, q) || !contains(f, q) || is_hidden(f, q)) continue;
    if (!vanishes_at_random_points(substitute(f, {{q, q + 2 * pi()}}) - f)) return q;
  }
  return std::nullopt;
}

std::string cover_note(const Space& space, Expr f) {
  const auto q = angle_of_several_values(space, f);
  if (!q || f.is(Kind::symbol)) return {};  // an angle that is constant is a place on its circle
  return ", on the cover: it changes with every turn of " + q->name() + " and is no function on the circle";
}

}  // namespace rattleback

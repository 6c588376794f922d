#include <rattleback/geometry/periodicity.hpp>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {

std::optional<Symbol> angle_of_several_values(const Space& space, Expr f) {
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::angle) continue;
      const Symbol q = piece.functions[0];
      if (!vanishes_at_random_points(substitute(f, {{q, q + 2 * pi()}}) - f)) return q;
    }
  }
  return std::nullopt;
}

}  // namespace rattleback

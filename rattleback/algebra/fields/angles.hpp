#pragma once
/// Multiple-angle formulas: cos and sin of integer combinations as polynomials in cos and sin of base angles.

#include <functional>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/fields/linear_form.hpp>

namespace rattleback {

struct CosSin {
  Expr cos, sin;
};

/// The form of √x for a form x; see roots.hpp.
using RootOf = std::function<Expr(Expr)>;

/// cos and sin of turns·π: exact in nested square roots when the denominator is 2^k·3^i·5^j, i, j ≤ 1; otherwise
/// cos and sin of the angle themselves, generators of which nothing else is known.
CosSin cos_sin_of_turns(const Rational& turns, const RootOf& root);
/// Is cos_sin_of_turns exact?
bool is_constructible(const Rational& turns);

/// Base angles for a set of arguments, and the arguments in terms of them.
class Angles {
 public:
  /// Base angles are the preferred ones when they generate all arguments, otherwise atom/lcm of denominators.
  Angles(std::span<const LinearForm> arguments, std::span<const LinearForm> preferred);

  /// How the generators of a base angle are written: cos b and sin b unless something better is known.
  using Pair = std::function<CosSin(Expr base)>;
  CosSin of(const LinearForm& argument, const Pair& pair, const RootOf& root);

 private:
  std::vector<LinearForm> bases_;
  std::vector<std::vector<CosSin>> multiples_;  ///< of each base, 0, 1, 2, …
  const CosSin& multiple(std::size_t base, std::size_t n, const Pair& pair);
};

/// Base elements atom/L, one per atom of the arguments, L the least common denominator.
std::vector<LinearForm> bases_by_atom(std::span<const LinearForm> arguments);

}  // namespace rattleback

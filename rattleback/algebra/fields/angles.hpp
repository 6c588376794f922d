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
  /// Base angles are the preferred ones when they generate all arguments, otherwise units_by_atom.
  Angles(std::span<const LinearForm> arguments, std::span<const LinearForm> preferred);

  /// How the generators of a base angle are written: cos b and sin b unless something better is known.
  using Pair = std::function<CosSin(Expr base)>;
  /// An argument that the base angles do not generate adds base angles of its own.
  CosSin of(const LinearForm& argument, const Pair& pair, const RootOf& root);

  /// Do two base angles belong to one atom? Then cos and sin of the one are algebraic functions of those of the other, and the
  /// field does not know which.
  bool dependent() const { return dependent_; }

 private:
  struct Multiple {
    std::size_t base;
    long times;
  };
  std::vector<Multiple> multiples_of(const LinearForm& argument);
  Multiple multiple_of(const LinearForm::Term& term);
  const CosSin& multiple(std::size_t base, std::size_t n, const Pair& pair);

  std::vector<LinearForm> bases_;
  std::size_t preferred_ = 0;  ///< the first bases, combinations of atoms; the others have one atom each
  bool dependent_ = false;
  std::vector<std::vector<CosSin>> multiples_;  ///< of each base, 0, 1, 2, …
};

/// Base elements atom/L, one per atom of the arguments, L the least common denominator.
std::vector<LinearForm> bases_by_atom(std::span<const LinearForm> arguments);
/// The same where all multiples are small. Where they are not, as 1745 is in cos(0.1745), an atom has the greatest common divisor
/// of its coefficients for a unit; and several units where multiples of one are still too large.
std::vector<LinearForm> units_by_atom(std::span<const LinearForm> arguments);
/// The greatest unit of which all coefficients of an atom are multiples.
Rational unit_of(Expr atom, std::span<const LinearForm> arguments);

}  // namespace rattleback

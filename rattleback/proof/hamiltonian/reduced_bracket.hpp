#pragma once
/// Reduction of the almost-Poisson bracket to D*/G, without coordinates on the quotient: it is evaluated on the covectors of D* that
/// vanish along the orbits of G.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>

namespace rattleback {

/// Functions on D*/G are functions on D* that the lifted generators leave alone; their differentials are combinations of γ_a.
struct ReducedBracket {
  std::vector<VectorField>
      orbits;        ///< generators lifted to D* (J.1), and legs of Lie algebras given without their group
  Matrix covectors;  ///< γ_a, as columns
  Matrix tensor;     ///< π(γ_a, γ_b)
  std::vector<VectorField> fields;  ///< Y_a = π^{ij} γ_aj X_i, so that Y_a[f] = π(df, γ_a)

  int dimension() const { return covectors.columns(); }
};
/// Nothing when a generator does not preserve D. Without generators: the bracket on D* itself, in its own frame.
std::optional<ReducedBracket> reduced_bracket(const ConstrainedBracket& b,
                                              const std::vector<VectorField>& generators);

/// J(γ_a, γ_b, γ_c) for a < b < c in lexicographic order.                                                   (J.2)
std::vector<Expr> jacobiator_on(const Trivector& J, const ReducedBracket& reduced);

/// Functions C with {C, ·} = 0: constant along all Y_a and along the orbits.                                (J.3)
struct Casimirs {
  std::optional<int> count;     ///< how many are independent; nothing when that was too long to find out
  std::vector<Expr> functions;  ///< those with a closed form that was found, proved by differentiation
};
/// `candidates`: functions that may be Casimirs, independent of each other.
Casimirs casimirs(const ReducedBracket& reduced, const std::vector<Expr>& candidates = {});

/// f with f π Poisson. With w_a = Y_a[log f]
///     J(a, b, c) + π_ab w_c + π_bc w_a + π_ca w_b = 0                                                      (J.4)
/// has at most one solution w where the rank is at least four, and none where it is two and J ≠ 0; then Y_a[log f] = w_a is
/// prolonged by brackets as (M.3).
struct ConformalFactor {
  Verdict exists;              ///< near generic points; refuted: no function of the reduced state is one
  std::optional<Expr> factor;  ///< up to functions of Casimirs; absent when no closed form was found
  std::string why;             ///< the equation without solution
  /// For the certificate: the rank is two; (J.4) has no solution w; or Y_a[log f] = w_a, the orbits after them, contradict
  /// each other as in `closure`.
  enum class Obstacle : std::uint8_t { none, rank_two, no_slopes, contradiction };
  Obstacle obstacle = Obstacle::none;
  std::vector<Expr> slopes = {};    ///< w
  DirectionalClosure closure = {};  ///< its first condition fails
};
ConformalFactor conformal_factor(const ReducedBracket& reduced, const std::vector<Expr>& jacobiator,
                                 const std::vector<Expr>& hints);

}  // namespace rattleback

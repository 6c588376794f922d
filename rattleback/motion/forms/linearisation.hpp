#pragma once
/// Small motions about an equilibrium or a steady motion: the equations of first order, and their spectrum.

#include <complex>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {

/// A state, exact and possibly with symbols in it: every function of the configuration and every speed has a value.
struct StatePoint {
  SymbolMap values;
  std::vector<std::string>
      given;  ///< the names that were given a value; the others rest at 0, rotations at 1
};

/// From name = value pairs: coordinates, matrices and vectors of groups, quasi-velocities, velocities. A letter that the
/// model does not know is a symbol. Throws Error[unknown-symbol], Error[off-constraint] when velocities are not admissible.
StatePoint state_point(const System& system, const SolvedVelocities& v,
                       const std::vector<std::pair<std::string, std::string>>& values);

/// With G ż = b(q, z), ż = 0 at the steady motion, and variations δq that the position constraints allow,
///     δq' = N δq + J δz,    M δz' + C δz + K δq = 0,    M = G,  C = −∂b/∂z,  K = −∂b/∂q.                 (O.1)
/// No mass matrix is inverted or differentiated: where ż = 0, δ(G ż) = G δż.
struct Linearisation {
  StatePoint about;
  std::vector<Symbol>
      configuration;  ///< independent functions of the configuration on which the motion depends
  std::vector<Symbol> speeds;
  Matrix N, J;
  Matrix M, C, K;
  std::vector<Symbol> cyclic;  ///< move steadily, and nothing depends on them
  std::vector<Symbol> idle;    ///< stand still, and nothing depends on them to first order
  Matrix idle_N, idle_J;       ///< δ(idle)' = idle_N (δq, δ(idle)) + idle_J δz: they follow the others
  std::vector<std::string> notes;
};
/// Throws Error[not-steady] with the rate that does not vanish, Error[off-constraint] when a position constraint is violated.
Linearisation linearisation(const System& system, const SolvedVelocities& v, const StatePoint& about);
Linearisation linearisation(const System& system,
                            const std::vector<std::pair<std::string, std::string>>& about);

/// A with (δq, δz)' = A (δq, δz):  [N J; −M⁻¹K −M⁻¹C].                                                   (O.2)
Matrix state_matrix(const Linearisation& small);

/// A for (δq, δz, δ(some)), `some` of the idle functions: 0 is an eigenvalue once more for each.
Matrix state_matrix_with(const Linearisation& small, const std::vector<Symbol>& some);

/// The eigenvalues of A, by real part and then by imaginary part; `at` gives every symbol that is left a value.
std::vector<std::complex<double>> spectrum(const Linearisation& small, const Numbers& at);

}  // namespace rattleback

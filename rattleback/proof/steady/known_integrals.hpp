#pragma once
/// Lazily computed first integrals of a system, and what its energy does, for statements about Lyapunov stability.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/steady/energy_momentum.hpp>

namespace rattleback {

/// Integrals besides the energy, found once and only when they are needed.
class KnownIntegrals {
 public:
  explicit KnownIntegrals(const System& system) : system_(system) {}

  const std::vector<Expr>& get();
  bool energy_is_conserved();
  bool energy_never_grows();  ///< dE/dt ≤ 0, by the signs in its formula

 private:
  const System& system_;
  std::optional<std::vector<Expr>> found_;
  std::optional<bool> energy_, decay_;
};

/// What (O.8) proves, and "Lyapunov stable for omega > 2.1: a combination of the energy, … has an extremum".
struct LyapunovStability {
  EnergyMomentum extremum;
  std::string text;
};
/// Nothing when nothing is proved.
std::optional<LyapunovStability> lyapunov_stability(const System& system, const SolvedVelocities& v,
                                                    const SteadyFamily& family, KnownIntegrals& integrals);

}  // namespace rattleback

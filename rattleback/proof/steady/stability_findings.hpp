#pragma once
/// What is found about the stability of one family of steady motions, from its spectrum, the energy and the integrals.

#include <optional>
#include <string>

#include <rattleback/proof/steady/known_integrals.hpp>
#include <rattleback/proof/steady/spectral_stability.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// What is found about one family.
struct StabilityFindings {
  SpectralStability spectrum;
  std::optional<SpectralStability> there;  ///< at the model's values, where a condition is an equality
  bool exact = true;                       ///< with symbols for the parameters
  bool grows = false;    ///< although no eigenvalue is on the right: 0 or a pair lacks eigenvectors (O.9)
  bool minimum = false;  ///< of the energy, which does not grow: the motion is stable
  bool strict =
      false;  ///< of the potential, at the model's values, although its second variation is degenerate
  bool no_minimum =
      false;  ///< of the potential of a natural system, at the model's values: the motion is unstable
  std::optional<bool> stable;  ///< at the model's values, for all values of what is free
  std::string where;           ///< at the model's values
  bool decided = false;
  std::string lyapunov;                    ///< what the energy-momentum method proves; empty when nothing
  std::optional<EnergyMomentum> extremum;  ///< and how; of the energy alone where it has a minimum
};

/// With symbols for the parameters, or with their values where that takes too long.
StabilityFindings stability_findings(const System& system, const SteadyFamily& family);

/// As many zeros as the family has parameters, and the other eigenvalues on the left: it attracts where the conditions hold.
bool attracts(const SteadyFamily& f, const SpectralStability& spectrum);

/// Neither the spectrum nor the energy says that it is stable: small motions grow, or zeros have no family to explain them.
void test_energy_and_orbits(const System& system, const SteadyFamily& f, KnownIntegrals& integrals,
                            StabilityFindings& j);

/// Spectral stability may still allow a slow escape; a combination of integrals with an extremum does not.
void add_lyapunov(const System& system, const SolvedVelocities& v, const SteadyFamily& f,
                  KnownIntegrals& integrals, StabilityFindings& j);

}  // namespace rattleback

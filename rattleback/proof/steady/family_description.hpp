#pragma once
/// What is said about a family of steady motions: its point, where it exists, its spectrum and its stability, as data and as a line.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/steady/stability_findings.hpp>
#include <rattleback/proof/steady/steady_certificate.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// A family as data, its point and what is said about it.
struct FamilyDescription {
  const SteadyFamily* family;
  Data record;
  std::string point, said;
  std::string existence, judgement;  ///< of what is said all but the polynomial
  std::vector<Expr> coefficients;    ///< of the polynomial without its roots 0
  std::optional<SteadyClaim> claim;  ///< with symbols for the parameters
};

FamilyDescription family_description(const System& system, const SolvedVelocities& v, const SteadyFamily& f,
                                     const StabilityFindings& j);

/// Places within a larger family, of which nothing else is said, are not listed beside it.
void drop_parts(const System& system, const SolvedVelocities& v, std::vector<FamilyDescription>& all);

/// "theta = pi/2, omega = 0; u is free": what matters at the point.
std::string point_text(const System& system, const SolvedVelocities& v, const SteadyFamily& f);

/// Where the roots of the family are real.
std::vector<std::string> existence_conditions(const SteadyFamily& f);
/// ", where a > 0 and b > 0"
std::string existence_text(const std::vector<std::string>& conditions);

/// As many free values as the reduced state has dimensions.
bool is_open(const SteadyFamily& f);
/// Rest among other steady motions, without any eigenvalue but 0.
bool is_rest_with_zero_spectrum(const SteadyFamily& f, const StabilityFindings& j);

}  // namespace rattleback

#pragma once
/// The decision about a density of the configuration as an answer: the density in the speeds, where it is smooth and positive, reasons.

#include <string>
#include <vector>

#include <rattleback/proof/measure/measure_decision.hpp>

namespace rattleback {

/// The next step where no density was found.
inline constexpr const char* measure_of_your_own =
    "check a density of your own with `rattleback prove MODEL --measure`";

/// The names of the variables of a density on D: coordinates, rotations, speeds.
std::vector<std::string> measure_variables(const System& system, const MeasureEquations& m);

/// The density found, with respect to dq dz: dq dp = det G dq dz.
Expr density_in_speeds(const MeasureDecision& d);

/// The density in the speeds with its variables, as data and as a line.
void describe_density(const System& system, const MeasureDecision& d, Answer& a);

/// The shortest condition without unknowns that fails (M.3), and which densities that excludes.
void describe_refuted_density(const MeasureDecision& d, Answer& a);

/// A density that vanishes or has poles where the speeds and the kinetic energy are regular is none on D. Where the equations leave no
/// other, there is none at all: the answer becomes *refuted*; else *undecided*.
void judge_singular_density(const System& system, const MeasureDecision& d, Answer& a);

}  // namespace rattleback

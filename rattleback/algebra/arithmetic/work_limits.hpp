#pragma once
/// The amounts of counted work that parts of the program may spend: the one table of such limits.
///
/// Units: a *step* is one graph node asked for; a unit of *work* is one product of two terms in an exact field, some ten nanoseconds;
/// *terms* is the size of the largest exact polynomial. All are the same on every machine. A row says what it is for; the amounts were
/// chosen so that every zoo model is decided with a margin of two or more.

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback::work_limits {

/// Writing one certificate.
inline constexpr WorkLimits certificate{.steps = 5'000'000, .terms = 20'000};
/// Checking one certificate.
inline constexpr WorkLimits checking{.steps = 10'000'000, .work = 300'000'000, .terms = 20'000};
/// Taking the content of a matrix apart before elimination.
inline constexpr WorkLimits definite_content{.work = 10'000'000, .terms = 2000};
/// The rate of the energy in closed form, first attempt.
inline constexpr WorkLimits energy_rate{.steps = 1'000'000, .work = 20'000'000, .terms = 20'000};
/// The rate of the energy and the parameters at which it vanishes.
inline constexpr WorkLimits energy_locus{.steps = 2'000'000, .work = 300'000'000, .terms = 200'000};
/// Growth vectors at special configurations.
inline constexpr WorkLimits integrability_places{.steps = 3'000'000, .terms = 200'000};
/// One ansatz of a search for integrals.
inline constexpr WorkLimits integral_search{.steps = 1'000'000, .work = 200'000'000, .terms = 20'000};
/// The certificate that an ansatz contains no integral.
inline constexpr WorkLimits no_integral{.steps = 5'000'000, .work = 300'000'000, .terms = 20'000};
/// Integrals and decay of the energy, for stability.
inline constexpr WorkLimits known_integrals{.steps = 3'000'000, .terms = 10'000};
/// Counting gauge momenta.
inline constexpr WorkLimits gauge_momenta{.steps = 20'000'000, .terms = 20'000};
/// Exceptional parameters of a measure: twice what the longest that succeeds has taken.
inline constexpr WorkLimits measure_exceptions{.steps = 2'000'000, .work = 20'000'000, .terms = 20'000};
/// A density on D/G.
inline constexpr WorkLimits measure_on_quotient{.steps = 10'000'000, .work = 1'000'000'000, .terms = 200'000};
/// A density of the whole state, or a steady motion that excludes all densities.
inline constexpr WorkLimits state_density{.steps = 3'000'000, .work = 200'000'000, .terms = 50'000};
/// Momenta of fields that leave the Lagrangian as it is, for moving energies.
inline constexpr WorkLimits moving_energies{.steps = 3'000'000, .work = 300'000'000, .terms = 50'000};
/// The certificate of an energy whose conservation is proved already.
inline constexpr WorkLimits energy_certificate{.steps = 10'000'000, .work = 1'000'000'000, .terms = 200'000};
/// Functions of first degree in the velocities that are constant.
inline constexpr WorkLimits linear_integrals{.steps = 3'000'000, .work = 300'000'000, .terms = 50'000};
/// Symmetries counted by prolongation.
inline constexpr WorkLimits symmetry_count{.steps = 3'000'000, .terms = 20'000};
/// The equations of relative equilibria on one slice.
inline constexpr WorkLimits relative_equilibria{.steps = 5'000'000, .work = 300'000'000, .terms = 20'000};
/// That no state is steady: all charts together.
inline constexpr WorkLimits no_steady_motion{.steps = 50'000'000, .work = 1'500'000'000, .terms = 20'000};
/// Stability of one family of steady motions.
inline constexpr WorkLimits stability{.steps = 1'000'000, .work = 300'000'000, .terms = 20'000};
/// Subgroups that the model does not show, for a Chaplygin multiplier.
inline constexpr WorkLimits multipliers_of_subgroups{
    .steps = 10'000'000, .work = 120'000'000, .terms = 20'000};
/// Multipliers that make a motion variational.
inline constexpr WorkLimits variational_multipliers{.steps = 10'000'000, .terms = 20'000};
/// Choices of momenta to be fixed, for Routh's Hamiltonization.
inline constexpr WorkLimits fixed_momenta{.steps = 3'000'000, .terms = 10'000};
/// Casimirs and conformal factors of a bracket.
inline constexpr WorkLimits reduced_bracket{.steps = 2'000'000, .terms = 10'000};
/// One part of a certificate about a bracket.
inline constexpr WorkLimits jacobi_certificate{.steps = 1'500'000, .terms = 200'000};
/// Re-deciding a question on one component of a locus.
inline constexpr WorkLimits exceptional_parameters{.steps = 5'000'000, .terms = 20'000};
/// The equations of a locus of exceptional parameters.
inline constexpr WorkLimits exceptional_equations{.work = 2'000'000, .terms = 200'000};
/// The equations of one form in a report.
inline constexpr WorkLimits report_equations{.work = 2'000'000'000, .terms = 200'000};

/// The proof that one formula is zero: a few seconds; the longest proof that has succeeded so far took a quarter of it.
inline constexpr WorkLimits zero{.work = 200'000'000};
/// The proof that two forms of the equations agree.
inline constexpr WorkLimits agreement{.work = 50'000'000};
/// A short form; what has none after this is better read with its shared parts named.
inline constexpr WorkLimits short_form{.work = 5'000'000, .terms = 5000};
/// The same for a large graph, which collapses soon or never.
inline constexpr WorkLimits short_form_of_a_long_formula{.work = 400'000, .terms = 5000};
/// The same formula in other angles, beyond the work it took in the given ones.
inline constexpr WorkLimits other_angles{.work = 20'000};
/// Position constraints as polynomial equations.
inline constexpr WorkLimits equations_of_a_variety{.work = 20'000'000};
/// Integrals that are searched for because a simulation watches them: half a second.
inline constexpr WorkLimits watched_integrals{.work = 6'000'000};
/// Parameters at which the brackets of constraints change.
inline constexpr WorkLimits integrability_parameters{.steps = 5'000'000, .work = 200'000'000};
/// Parameters at which the bordered determinant vanishes.
inline constexpr WorkLimits regularity_parameters{.steps = 2'000'000, .work = 100'000'000};
/// Conditions on parameters, taken apart by coefficients.
inline constexpr WorkLimits locus_by_coefficients{.steps = 300'000, .work = 5'000'000, .terms = 5'000};
/// Where all functions of one list vanish.
inline constexpr WorkLimits one_locus{.steps = 1'000'000, .work = 20'000'000, .terms = 20'000};
/// The same for all recorded conditions, one by one.
inline constexpr WorkLimits recorded_loci{.steps = 3'000'000, .work = 60'000'000, .terms = 20'000};
/// A question at one special parameter, beyond twice the work of the generic case.
inline constexpr WorkLimits special_parameter{.steps = 1'000'000, .work = 50'000'000};
/// All special parameters of a question, likewise.
inline constexpr WorkLimits all_special_parameters{.steps = 3'000'000, .work = 150'000'000};
/// Random starts of Newton's method; the unit is one operation of the equations.
inline constexpr WorkLimits newton_evaluations{.work = 15'000'000};

}  // namespace rattleback::work_limits

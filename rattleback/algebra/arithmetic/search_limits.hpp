#pragma once
/// How far a search goes before it gives up: the one table of such limits. A search that ends by one of them says so, and denies nothing.
///
/// Units, as types. *Nodes*: nodes of the graph of a formula, or its symbols as written out. *Terms*: of a polynomial. *Draws*: random points,
/// states or starts. *Iterations*: steps of an iteration or a recursion. *Choices*: candidates that are tried one by one, or kept.
/// *Dimension*: coordinates, rows or a degree. *Remembered*: entries of a cache. *Seconds*: of another program. Counted work stands in work_limits.hpp, lengths
/// for reading in expression/legibility.hpp, what a model file may contain in input_limits.hpp.

#include <cstddef>

namespace rattleback {

struct Nodes {
  std::size_t count;
};
struct Terms {
  std::size_t count;
};
struct Draws {
  std::size_t count;
};
struct Iterations {
  std::size_t count;
};
struct Choices {
  std::size_t count;
};
struct Dimension {
  std::size_t count;
};
struct Remembered {
  std::size_t count;
};
struct Seconds {
  int count;
};

namespace search_limits {

// Shortening formulas: the largest that is searched for a short form.

/// Coefficients of velocities in a constraint or an energy.
inline constexpr Nodes coefficients_of_velocities{80};
/// Entries of the equations of gauge momenta; ranks need their values alone.
inline constexpr Nodes entries_of_gauge_equations{2000};
/// Coefficients of a directional derivative.
inline constexpr Nodes coefficients_of_directions{400};
/// What rates of the state divide by.
inline constexpr Nodes divisors_of_rates{3000};
/// A density of the configuration.
inline constexpr Nodes density{3000};
/// A coefficient of a gauge momentum.
inline constexpr Nodes gauge_solution{300};
/// Normal forces of contacts.
inline constexpr Nodes normal_reactions{600};
/// The function S* of Gibbs and Appell.
inline constexpr Nodes gibbs_function{400};
/// Combinations of multipliers.
inline constexpr Nodes combined_multipliers{60};
/// Products of a multiplier and a row of constraints.
inline constexpr Nodes reaction_forces{60};
/// A rate that is still longer after a search has no short form.
inline constexpr Nodes rates_after_a_search{1000};
/// Parts of the rates.
inline constexpr Nodes parts_of_rates{400};
/// Minors of a metric, in the nodes of its entries.
inline constexpr Nodes minors_of_metrics{150};
/// The frame whose speeds are defined without poles.
inline constexpr Nodes speeds_without_poles{200};
/// The bordered Hessian of vakonomic equations.
inline constexpr Nodes bordered_hessian{150};
/// A rate in the equations for programs.
inline constexpr Nodes rates_for_programs{600};
/// Right-hand sides of Hamel's equations before they are solved.
inline constexpr Nodes hamel_balance{400};
/// Entries of a matrix whose definiteness is asked.
inline constexpr Nodes entries_of_definite_matrices{300};
/// Entries whose common factor is taken out.
inline constexpr Nodes common_factors_of_entries{200};
/// A form that shows a sign.
inline constexpr Nodes sign_revealing_form{200};
/// A formula whose squares of linear forms get names.
inline constexpr Nodes squared_forms{250};
/// From here on the search for a short form gets the smaller budget.
inline constexpr Nodes long_formula{250};
/// A formula that is searched at all.
inline constexpr Nodes longest_formula{2000};
/// A polynomial that is grouped and nested; larger ones are factored and written out.
inline constexpr Terms searched_polynomial{200};
/// All polynomials of one formula that are grouped and nested.
inline constexpr Terms searched_polynomials{4000};
/// A fraction that is taken apart into partial fractions.
inline constexpr Terms partial_fractions{30};
/// A fraction that is written in reciprocals.
inline constexpr Terms fraction_of_reciprocals{30};
/// A polynomial whose factors without zeros are dropped.
inline constexpr Terms essential_factors{2000};
/// A formula of an exported program.
inline constexpr Nodes exported_formula{600};

// Proofs and decisions: the largest formula that is tried.

/// Rows of constraints whose minors are searched for places where the rank drops.
inline constexpr Nodes rank_drop_of_constraints{2000};
/// A constraint whose sign is looked at.
inline constexpr Nodes one_signed_constraint{200};
/// Functions whose sum of squares is tested for positivity.
inline constexpr Nodes sum_of_squares{3000};
/// A formula whose sign is decided at the corners of its domain.
inline constexpr Nodes sign_at_corners{200};
/// A resultant, for points of the variety of position constraints.
inline constexpr Terms eliminated_polynomial{4000};
/// Parts that are compared with each other.
inline constexpr Nodes equal_parts{100};
/// All brackets of fields at a special configuration.
inline constexpr Nodes brackets_at_a_place{3000};
/// Differences of two forms of the equations that are proved to vanish in the exact field.
inline constexpr Nodes differences_of_forms{3000};
/// The formulas of one certificate.
inline constexpr Nodes certified_formulas{20'000};
/// Conditions on parameters that are taken apart by coefficients.
inline constexpr Nodes locus_by_coefficients{1500};
/// A recorded condition of which the special parameters are found.
inline constexpr Nodes recorded_condition{3000};
/// The contradiction that denies a conformal factor.
inline constexpr Nodes bracket_contradiction{5000};
/// Equations of relative equilibria on one slice.
inline constexpr Nodes equations_of_relative_equilibria{6000};
/// Equations of steady motions at one choice of rates.
inline constexpr Nodes equations_of_steady_motions{4000};
/// A bracket that is written in velocities.
inline constexpr Nodes bracket_in_velocities{5000};
/// Entries of a linearisation that are shortened.
inline constexpr Nodes linearisation{4000};
/// Rates whose Jacobian is exported, in operations.
inline constexpr Nodes exported_jacobian{40'000};
/// A Coq theorem, in bytes of its text.
inline constexpr Nodes theorem_for_coq{2'000'000};

// Random points and starts.

/// Real points that decide a zero test: where residues are clear, without exact arithmetic, and with it.
inline constexpr Draws zero_with_clear_residues{2};
inline constexpr Draws zero_without_exactness{8};
inline constexpr Draws zero_before_exactness{24};
/// The same for the quick look.
inline constexpr Draws quick_zero{3};
/// Points modulo p at which a function may have a square root: each that has none decides, one in two.
inline constexpr Draws square_roots_modulo_p{12};
/// Points at which the rank of a matrix is taken.
inline constexpr Draws rank_of_a_matrix{48};
/// States at which an equation may have one sign.
inline constexpr Draws one_sign_of_an_equation{8};
/// Positions at which slopes are dependent, before they are dependent everywhere.
inline constexpr Draws degenerate_positions_found{3};
/// Samples below which the 0-1 test cannot tell cycles from chaos.
inline constexpr Draws samples_of_a_zero_one_test{500};

/// Points at which two signs of a formula are looked for.
inline constexpr Draws signs_of_a_formula{6};
/// Points at which a matrix is looked at before its definiteness is proved.
inline constexpr Draws definiteness{24};
/// Roots modulo p that are followed to one point of a variety.
inline constexpr Draws branches_of_roots{200};
/// Points that are looked at for charts of a variety.
inline constexpr Draws charts_of_a_variety{16};
/// Points at which a function on a variety is looked at.
inline constexpr Draws generic_values{8};
/// Attempts to find one point of a variety modulo p.
inline constexpr Draws point_of_a_variety{64};
/// Free coordinates drawn until the dependent ones exist modulo p.
inline constexpr Draws dependent_coordinates{24};
/// Points tried until all radicands are squares: k independent ones are at one point in 2^k.
inline constexpr Draws points_with_roots{4000};
/// The same where the symbols are then chosen along the roots.
inline constexpr Draws points_with_many_roots{200};
/// Symbols drawn along the roots, all together.
inline constexpr Draws symbols_along_roots{40'000};
/// Real points at which a function of many roots is looked at until one shows that it does not vanish.
inline constexpr Draws real_points_of_roots{16};
/// Points at which the signs of roots are matched.
inline constexpr Draws signs_of_roots{200};
/// Real points drawn for one zero test; some are outside of the domain.
inline constexpr Draws zero_at_real_points{200};
/// The same for the quick look.
inline constexpr Draws quick_zero_at_real_points{60};
/// States drawn until one satisfies the constraints modulo p; half of the lines through a quadric meet it.
inline constexpr Draws admissible_state{200};
/// States at which a function with roots is looked at; each draws the sign of every root.
inline constexpr Draws states_with_roots{40};
/// Choices of fixed parameters in a search for fields.
inline constexpr Draws parameters_of_a_field_search{12};
/// States modulo p at which two forms are compared.
inline constexpr Draws states_of_agreement{3};
/// Choices of rows for an explicit left inverse.
inline constexpr Draws independent_rows{400};
/// Rational points drawn for a refutation.
inline constexpr Draws rational_counterexample{12};
/// Choices of fixed parameters in a search for integrals.
inline constexpr Draws parameters_of_an_integral_search{12};
/// States drawn before the first at which the ansatz is defined.
inline constexpr Draws states_of_an_ansatz{60};
/// Points drawn before the first at which the equations are defined.
inline constexpr Draws points_of_a_combination{60};
/// Choices of fixed parameters for constant combinations.
inline constexpr Draws parameters_of_a_combination{12};
/// States drawn for a certificate that a function is not zero.
inline constexpr Draws state_of_a_refutation{20};
/// States at which the rank of the constraints is compared.
inline constexpr Draws rank_of_constraints{8};
/// States searched where the metric degenerates.
inline constexpr Draws degenerate_metric{12};
/// States at which the sign of a density is looked at.
inline constexpr Draws sign_of_a_density{40};
/// Starts of Newton's method for a zero of a density.
inline constexpr Draws zeros_of_a_density{12};
/// Parameters drawn on a component of a locus.
inline constexpr Draws parameters_on_a_locus{60};
/// States drawn until none is a pole of the conditions.
inline constexpr Draws states_of_a_condition{10};
/// States drawn until one is regular.
inline constexpr Draws trial_state{20};
/// Parameters at which a verdict is asked again.
inline constexpr Draws trial_parameters{2};
/// Motions along which a conserved function is watched.
inline constexpr Draws trial_motions{3};
/// Starts from which branches of a closed loop are looked for.
inline constexpr Draws assembled_branches{48};
/// Starts from which positions are assembled for a rank.
inline constexpr Draws assembled_positions{16};
/// Starts in a search for position constraints whose slopes are dependent everywhere.
inline constexpr Draws degenerate_starts{24};
/// States at which equations in vectors are compared with Lagrange's.
inline constexpr Draws states_of_vectors{20};
/// A state in the domain of the vectors that are fitted.
inline constexpr Draws states_of_a_fit{60};
/// States at which a stated condition fails, for a trial of it.
inline constexpr Draws states_off_a_condition{6};

// Steps of Newton's method and of recursions.

/// Projection on the variety of position constraints, least squares.
inline constexpr Iterations projection_on_a_variety{60};
/// Dependent coordinates in a chart of the variety.
inline constexpr Iterations dependent_coordinates_by_newton{40};
/// Levenberg and Marquardt's method from one random start.
inline constexpr Iterations levenberg_marquardt{80};
/// Gauss and Newton's method towards zeros of position constraints that may be multiple.
inline constexpr Iterations degenerate_positions{150};
/// Projection of a random state on the constraints.
inline constexpr Iterations trial_projection{50};
/// A start in many digits.
inline constexpr Iterations precise_start{12};
/// Assembling a closed loop from a guess.
inline constexpr Iterations assembled_position{100};
/// The nearest position of a closed loop.
inline constexpr Iterations nearest_position{60};
/// One step of an implicit method.
inline constexpr Iterations implicit_step{40};
/// Depth of splitting into triangular sets.
inline constexpr Iterations triangular_splitting{40};
/// Prolongations for an upper bound of gauge momenta.
inline constexpr Iterations prolongations_of_a_bound{3};
/// Derivatives of Helmholtz' algebraic conditions.
inline constexpr Iterations helmholtz_derivatives{8};
/// Depth of rules for an antiderivative.
inline constexpr Iterations antiderivative{8};
/// Halvings of a step of Newton's method in an assembly.
inline constexpr Iterations halved_step{12};
/// Changes of the signs of switching forces in a run, and at one time.
inline constexpr Iterations changes_of_signs{20'000};
inline constexpr Iterations changes_of_signs_at_once{60};
/// Changes of contacts in a run with flight, and at one time.
inline constexpr Iterations changes_of_contacts{300'000};
inline constexpr Iterations changes_of_contacts_at_once{50};
/// Steps over the normal impulse of one impact.
inline constexpr Iterations impulse_of_an_impact{1'000'000};
/// Steps after which a motion that has not got on is given up.
inline constexpr Iterations steps_without_progress{100'000};
/// Steps between two frames of a cloud of motions.
inline constexpr Iterations steps_between_frames{100'000};
/// Derivatives along the motion of the argument of a switching force.
inline constexpr Iterations derivatives_of_a_switch{3};
/// Steps of a run beside which neighbours are computed for a phase portrait.
inline constexpr Iterations run_with_neighbours{4000};
/// Steps of a run whose neighbours take no time that is noticed.
inline constexpr Iterations run_with_free_neighbours{250};
/// Steps between two points of a section.
inline constexpr Iterations steps_to_a_section{200'000};

// Choices that are tried one by one.

/// Terms of a nested sum, or factors of a nested product, that are merged into the outer one. Longer ones stay nested: x_i = x_{i-1} +
/// d_i cos θ_i then costs O(1) for each link.
inline constexpr Choices merged_terms{12};
/// Joints whose turns are multiplied; a longer product becomes one rotation matrix, so that a chain of n joints costs O(n).
inline constexpr Choices joints_of_one_product{8};
/// Symbols that are looked for in formulas one by one.
inline constexpr Choices symbols_looked_for{16};
/// Factors of a product whose pairs are compared with those of other products.
inline constexpr Choices factors_of_shared_products{12};

/// Symbols of a formula that is completed to squares.
inline constexpr Choices symbols_of_a_square{8};
/// Squares that are completed one after another.
inline constexpr Choices completed_squares{3};
/// Corners at which a sign is looked at.
inline constexpr Choices corners{32};
/// Roots modulo p of one polynomial.
inline constexpr Choices roots_of_a_polynomial{8};
/// Charts of a variety.
inline constexpr Choices charts_kept{6};
/// Linear forms that get a name.
inline constexpr Choices squared_forms_of_a_formula{4};
/// Generators that may be exchanged for others in a short form.
inline constexpr Choices generators_exchanged{3};
/// Shapes of a polynomial modulo relations.
inline constexpr Choices shapes_of_a_polynomial{4};
/// Minors that are looked at for one without zeros.
inline constexpr Choices unit_minors{100};
/// Brackets at a special configuration.
inline constexpr Choices brackets_of_fields{2000};
/// One-forms whose integral is looked for.
inline constexpr Choices integrating_forms{40};
/// Factors whose exponents are looked for.
inline constexpr Choices factors_of_an_integral{24};
/// Coordinates of a fibre.
inline constexpr Choices fibres{300};
/// Equations solved for a velocity.
inline constexpr Choices equations_for_velocities{40};
/// Minors of the constraints.
inline constexpr Choices minors_of_constraints{1000};
/// Subgroups that may act simply transitively.
inline constexpr Choices transitive_subgroups{30};
/// Rows by which speeds may be defined.
inline constexpr Choices rows_of_speeds{40};
/// Fields of an ansatz; beyond, products of two angles are left out.
inline constexpr Choices fields_of_an_ansatz{700};
/// Straight coordinates among which two are turned by an angle.
inline constexpr Choices lines_turned{6};
/// Angles by which they are turned.
inline constexpr Choices angles_turned_by{6};
/// Groups of Chaplygin systems for optimal control.
inline constexpr Choices groups_of_optimal_control{6};
/// Groups of Chaplygin systems for the inverse problem.
inline constexpr Choices groups_of_the_inverse_problem{6};
/// Generators of the group of a Chaplygin system.
inline constexpr Choices generators_of_a_bundle{40};
/// Unknowns of a cell of subgroups.
inline constexpr Choices unknowns_of_a_subgroup{4};
/// Fields whose brackets are tried to span.
inline constexpr Choices spanning_brackets{60};
/// Functions of first degree in the velocities from which integrals are combined: what is eliminated within a second.
inline constexpr Choices functions_of_first_degree{250};
/// Eliminations by one position constraint after which another one is tried.
inline constexpr Choices pairs_of_relations{6};
/// Brackets for the places where fewer directions are spanned.
inline constexpr Choices brackets_for_special_places{24};
/// Functions in the ansatz of gauge momenta.
inline constexpr Choices functions_of_gauge_momenta{400};
/// Weights by which the ansatz is multiplied.
inline constexpr Choices weights_of_gauge_momenta{4};
/// Terms of an integral whose coefficients are solved for in the parameters.
inline constexpr Choices terms_with_parameters{40};
/// Groups that act freely.
inline constexpr Choices free_groups{6};
/// Generators of which they are chosen.
inline constexpr Choices generators_of_free_groups{12};
/// Brackets for an upper bound of gauge momenta.
inline constexpr Choices brackets_of_a_bound{24};
/// Functions in the ansatz of integrals.
inline constexpr Choices integral_ansatz{450};
/// Coefficients of conditions on parameters.
inline constexpr Choices coefficients_of_a_locus{400};
/// Components of parameters at which a question is asked again.
inline constexpr Choices special_parameters{24};
/// Scalar invariants of metric and potential.
inline constexpr Choices scalar_invariants{12};
/// Parameters with roots among those drawn on a locus.
inline constexpr Choices samples_with_roots{12};
/// Minors of constraints whose common zeros are special parameters.
inline constexpr Choices minors_with_parameters{200};
/// Angles that are shifted together.
inline constexpr Choices shifted_angles{4};
/// Families of relative equilibria.
inline constexpr Choices families_of_relative_equilibria{12};
/// Components of the solutions of equations.
inline constexpr Choices components_of_solutions{40};
/// Charts of speeds.
inline constexpr Choices speed_charts{20};
/// Families of steady motions.
inline constexpr Choices families_of_steady_motions{12};
/// Positions at which a rank is taken.
inline constexpr Choices positions_for_a_rank{5};
/// Intervals of the mesh of a periodic motion.
inline constexpr Choices intervals_of_a_mesh{400};
/// Frames among which better speeds are sought; those of them whose equations are derived.
inline constexpr Choices suggested_frames{400};
inline constexpr Choices derived_frames{6};
/// Conditions whose products are compared with a determinant.
inline constexpr Choices conditions_of_a_determinant{6};
/// Principal minors stated beside a rank.
inline constexpr Choices minors_beside_a_rank{4};
/// Monomials of the parameters that may be coefficients of a fitted vector; vectors in one combination.
inline constexpr Choices monomials_of_a_fit{3000};
inline constexpr Choices vectors_of_a_fit{3};
/// Primes split off the argument of a logarithm are below this.
inline constexpr Choices prime_in_a_logarithm{1000};

// Dimensions up to which a method is used.

/// Cramer's rule: the minors of four rows are still short.
inline constexpr Dimension cramer{4};
/// Rows below which entries are compared with principal minors.
inline constexpr Dimension principal_minors{6};
/// Velocities of a metric whose definiteness is used.
inline constexpr Dimension definite_metric{24};
/// Rows of a metric of which only the determinant is divided by.
inline constexpr Dimension metric_by_cramer{4};
/// Rows of equations that are solved by Cramer's rule for short rates.
inline constexpr Dimension rates_by_cramer{3};
/// Rows of a Gram matrix of which only the determinant is divided by.
inline constexpr Dimension gram_by_cramer{4};
/// Velocities beyond which constraints are eliminated one by one.
inline constexpr Dimension full_matrices{8};
/// Velocities beyond which frames are not shortened.
inline constexpr Dimension shortened_frames{16};
/// Symmetries whose brackets are added.
inline constexpr Dimension symmetry_algebra{24};
/// Coordinates beyond which Hamel's equations are those for programs.
inline constexpr Dimension printed_hamel{16};
/// Degree of homogeneous constraints.
inline constexpr Dimension degree_of_constraints{4};
/// Coordinates of the ansatz with coefficients of degree two.
inline constexpr Dimension quadratic_ansatz{3};
/// Rows of a metric whose determinant is searched for zeros.
inline constexpr Dimension metric_determinant{4};
/// Coordinates of a system whose symmetries are counted by prolongation.
inline constexpr Dimension prolonged_symmetries{6};
/// Coordinates up to which four orders are prolonged, not three.
inline constexpr Dimension four_prolongations{4};
/// Parameters that are set equal to each other where the proof does not say which of them matter.
inline constexpr Choices equal_parameters{4};
/// Orders up to which the equations of momenta are prolonged.
inline constexpr Dimension prolongations{10};
/// Rows of prolonged equations that are eliminated with symbols for the parameters.
inline constexpr Dimension prolonged_rows_with_parameters{60};
/// Constraints whose dependence is written in minors.
inline constexpr Dimension rank_conditions{6};
/// Rows of a matrix whose determinant is a hint for a density.
inline constexpr Dimension determinants_as_hints{5};
/// Squares of frequencies with conditions in closed form.
inline constexpr Dimension squares_in_closed_form{4};
/// Squares of frequencies with conditions by minors.
inline constexpr Dimension squares_by_minors{7};
/// Degree of the first form of a potential that does not vanish.
inline constexpr Dimension lowest_form{8};
/// Coordinates of a system for which better speeds are sought.
inline constexpr Dimension suggested_speeds{10};
/// Degree in the parameters of a coefficient of a fitted vector.
inline constexpr Dimension degree_of_a_fit{4};
/// n in cos(n a), written as a polynomial in cos a.
inline constexpr Dimension multiple_of_an_angle{256};

/// Unknowns and derivatives of a count of momenta: what is eliminated within a second.
inline constexpr Dimension columns_of_a_momentum_count{700};
/// n in n*x/L, the argument of an exponential or an angle at a rational point.
inline constexpr Dimension multiple_of_an_argument{20'000};
/// n in exp(n*x/L), as an exponent in the exact field.
inline constexpr Dimension exponent_of_a_generator{1U << 20U};
/// The denominator of an angle in turns.
inline constexpr Dimension denominator_of_an_angle{1U << 30U};
/// n and d in (n/d)*x, as arguments of functions that have values modulo p.
inline constexpr Dimension dyadic_multiple{64};
/// Numbers and denominators of a coefficient of a fitted vector.
inline constexpr Dimension number_of_a_fit{99};
inline constexpr Dimension denominator_of_a_fit{12};
/// Points of a step from which states between its ends are interpolated.
inline constexpr Dimension points_of_dense_output{24};

// Seconds that another program may take.

/// coqc compiles the kernel of the theorems.
inline constexpr Seconds coq_kernel{600};
/// coqc checks one theorem.
inline constexpr Seconds coq_theorem{60};

// Results that are remembered; a full table is emptied.

/// Integers of this size have their nodes at hand.
inline constexpr Remembered small_integers{16};
/// Entries of the table of nodes that a thread keeps for its next traversal.
inline constexpr Remembered traversed_nodes{1U << 14U};
/// Codes of observed quantities.
inline constexpr Remembered observed_codes{200};
/// Codes with what was compiled of them.
inline constexpr Remembered native_codes{1000};
/// Varieties of position constraints.
inline constexpr Remembered varieties{64};
/// Points of a variety modulo p.
inline constexpr Remembered modular_points{20'000};
/// Real points of a variety.
inline constexpr Remembered real_points{20'000};
/// Derivatives.
inline constexpr Remembered derivatives{1'000'000};
/// Canonical forms that show signs.
inline constexpr Remembered canonical_forms{20'000};
/// Ways to write an element.
inline constexpr Remembered writings{20'000};
/// Short forms.
inline constexpr Remembered short_forms{20'000};
/// Answers of zero tests.
inline constexpr Remembered zero_tests{20'000};
/// Answers of quick looks at zero.
inline constexpr Remembered quick_zero_tests{200'000};
/// Factors that an elimination has divided by.
inline constexpr Remembered nonzero_factors{4000};

}  // namespace search_limits

}  // namespace rattleback

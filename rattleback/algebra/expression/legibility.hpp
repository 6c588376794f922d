#pragma once
/// How long a formula may be where people read it: the one table of such lengths.
///
/// Units, as types. *Symbols*: operators, names and numbers of the formula as written out (written_size). *Letters*: characters of
/// a printed text. *Items*: rows, names, curves, digits: what is listed one by one. Limits on work stand in arithmetic/work_limits.hpp and arithmetic/search_limits.hpp.

#include <string>

#include <rattleback/algebra/expression/display_order.hpp>

namespace rattleback {

struct Symbols {
  std::size_t count;
};
struct Letters {
  std::size_t count;
};
struct Items {
  std::size_t count;
};

inline bool fits(Expr e, Symbols most) { return written_size(e) <= most.count; }
inline bool fits(std::size_t written, Symbols most) { return written <= most.count; }
inline bool fits(const std::string& text, Letters most) { return text.size() <= most.count; }

namespace legible {

/// The left side of "... = 0" among other equations; a longer one stands on the right, so that the others stay aligned on the left.
inline constexpr Letters left_of_zero{24};
/// One of several formulas in a list within a line.
inline constexpr Symbols in_a_list{25};
/// A formula within a sentence, and a condition beside an equation.
inline constexpr Symbols in_a_sentence{60};
/// "its rate = ..." as a reason of a verdict.
inline constexpr Symbols in_a_reason{100};
/// A formula on a line of its own in a terminal.
inline constexpr Symbols on_a_line{120};
/// A condition of stability or existence, printed.
inline constexpr Letters in_a_condition{160};
/// A characteristic polynomial within the line of a steady motion.
inline constexpr Symbols in_a_spectrum{160};
/// The condition under which vakonomic equations determine the motion.
inline constexpr Symbols in_a_vakonomic_condition{200};
/// A formula in the tables of a report, which set it in LaTeX.
inline constexpr Symbols in_a_report{220};
/// Equations between multipliers that hold along some motions only.
inline constexpr Symbols in_multiplier_equations{300};
/// Beyond this, parts of a formula get names.
inline constexpr Symbols without_named_parts{400};
/// The same in LaTeX: a page is narrower than a terminal.
inline constexpr Symbols without_named_parts_on_paper{150};
/// The same in JSON, which programs read.
inline constexpr Symbols without_named_parts_in_json{10'000};
/// A formula within a paragraph of LaTeX, in units of width; a wider one is displayed.
inline constexpr Letters within_a_paragraph{30};
/// A value in the lists of the studio.
inline constexpr Symbols in_the_studio{160};
/// The law u(t) of an input, as runs take it.
inline constexpr Symbols law_of_an_input{200};
/// A reason of a verdict; of a longer one the beginning is shown.
inline constexpr Letters reason{1200};
inline constexpr Letters cut_reason{400};
/// A form of the equations in a report, as LaTeX; a longer one would make the page slow.
inline constexpr Letters form_in_a_report{60'000};
/// A certificate in a report; a longer one is left to `analyze --format json`.
inline constexpr Letters certificate_in_a_report{40'000};
/// The rate of a coordinate beside equations in vectors.
inline constexpr Letters rate_in_vectors{100};
/// A coordinate of a contact in equations in vectors.
inline constexpr Letters position_in_vectors{24};
/// A constant matrix written out by its entries.
inline constexpr Letters matrix_on_a_line{60};
/// The heading of a column of numbers.
inline constexpr Letters name_of_a_column{48};
/// The generators of the field in which a proof computes.
inline constexpr Letters generators_of_a_field{200};
/// The cost and the rates of a control problem.
inline constexpr Symbols in_a_control_problem{600};
/// A formula in the reason of a refutation; a longer one is named by its size.
inline constexpr Symbols in_a_refutation{600};
/// A page of equations that is read as it stands: no part of it gets a name.
inline constexpr Letters page{250};
/// The same for a bracket.
inline constexpr Letters page_of_a_bracket{400};
/// A part that is tedious twice, and may get a name.
inline constexpr Symbols part_with_a_name{8};
/// Names for parts on one page.
inline constexpr Items names_on_a_page{6};
/// A formula with a larger printed cost is not searched for a short form.
inline constexpr Letters searched_for_a_short_form{1U << 16U};
/// The value of a coordinate at a point, before it is rounded.
inline constexpr Letters value_at_a_point{24};
/// Digits of a tabulated function.
inline constexpr Items digits_in_a_table{12};
/// An expression within a line of exported code; a longer one gets a variable.
inline constexpr Letters within_a_line_of_code{80};
/// A line of Fortran, of which the standard allows 132.
inline constexpr Letters line_of_fortran{120};
/// Equal links from which a chain is written as a recursion; with spherical joints; with wheels.
inline constexpr Items links_of_a_recursion{4};
inline constexpr Items spherical_links_of_a_recursion{3};
inline constexpr Items wheeled_links_of_a_recursion{3};
/// Coordinates of a chain whose components may be shorter than its recursion.
inline constexpr Items chain_in_components{12};
/// Positions of a closed loop in one message.
inline constexpr Items branches_in_a_message{8};
/// Abbreviations that are listed; more are folded.
inline constexpr Items abbreviations_unfolded{12};
/// Rows of one formula, which stands on one page when it is printed.
inline constexpr Items rows_of_a_formula{12};
/// Factors of a space in its drawing.
inline constexpr Items factors_of_a_space{16};
/// Curves in one panel of a run, and in one figure of a film.
inline constexpr Items curves_of_a_panel{5};
inline constexpr Items curves_of_a_figure{6};
/// Columns of a sweep that are drawn unasked.
inline constexpr Items columns_of_a_sweep{6};
/// A formula in JSON beside a verdict.
inline constexpr Symbols in_data{4000};

}  // namespace legible

}  // namespace rattleback

#pragma once
/// How long a formula may be where people read it: the one table of such lengths.
///
/// Two units, as types. *Symbols*: operators, names and numbers of the formula as written out (written_size). *Letters*: characters of
/// a printed text. Limits on work stand in arithmetic/work_limits.hpp and arithmetic/search_limits.hpp.

#include <string>

#include <rattleback/algebra/expression/display_order.hpp>

namespace rattleback {

struct Symbols {
  std::size_t count;
};
struct Letters {
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
/// A formula in JSON beside a verdict.
inline constexpr Symbols in_data{4000};

}  // namespace legible

}  // namespace rattleback

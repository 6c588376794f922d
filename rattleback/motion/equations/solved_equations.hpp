#pragma once
/// Solves the linear equations of motion G ż = b for the rates of the speeds, in short form: the last step of every formalism.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

struct ShortSolution {
  std::vector<Expr> rates;  ///< ż^α
  Assumptions where;
};

/// How the entries of a metric come: what is in its short form is not searched for another.
enum class Metric : bool { as_built, in_short_form };

/// By (H.8) where that applies; otherwise each rate in its short form. Where one has none that could be read, the short forms of G
/// and b are kept instead, and the rates written by Cramer's rule over one common determinant: parts that recur then get names when
/// they are printed. Nothing when G is singular.
std::optional<ShortSolution> short_solution(const Matrix& G, const Matrix& b,
                                            Metric metric = Metric::in_short_form);

/// The equations completed: ż from G ż = b in the frame D of the model's velocities, and the conditions under which G is regular.
/// Throws Error[degenerate-energy] when G is singular.
EquationsOfMotion solved_equations(EquationsOfMotion kinematic, const System& system, const Admissible& D,
                                   const Matrix& G, const Matrix& b, Metric metric = Metric::in_short_form);

/// f' in its short form. That of an entry of a rotation matrix stays as it is: what people read is B' = B Ω̂.
Expr short_rate(Symbol f, Expr rate);

}  // namespace rattleback

#pragma once
/// The rates of the speeds from G ż = b, as a person would write them.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

struct ReadableRates {
  std::vector<Expr> rates;  ///< ż^α
  Assumptions where;
};

/// How the entries of a metric come: what is in its short form is not searched for another.
enum class Metric : bool { as_built, in_short_form };

/// By (H.8) where that applies; otherwise each rate in its short form. Where one has none that could be read, the short forms of G
/// and b are kept instead, and the rates written by Cramer's rule over one common determinant: parts that recur then get names when
/// they are printed. Nothing when G is singular.
std::optional<ReadableRates> readable_rates(const Matrix& G, const Matrix& b,
                                            Metric metric = Metric::in_short_form);

/// f' in its short form. That of an entry of a rotation matrix stays as it is: what people read is B' = B Ω̂.
Expr readable_rate(Symbol f, Expr rate);

}  // namespace rattleback

#pragma once
/// Answers with evidence. A question returns a Verdict; nothing is ever rounded to yes or no.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Something that was taken for granted on the way: the answer holds wherever it is true.
struct Assumption {
  enum class Kind : std::uint8_t { nonzero, positive };
  Expr expression;
  Kind kind = Kind::nonzero;
  std::string why;  ///< e.g. "a pivot of the metric on D"
  bool operator==(const Assumption&) const = default;
};
using Assumptions = std::vector<Assumption>;

/// How an identity was established.
struct Certificate {
  bool exact = true;   ///< proved in an exact field; false: vanishes at random points modulo a prime
  int bits = 0;        ///< when not exact: wrong with probability below 2^-bits
  std::string method;  ///< one line for a person, e.g. "exact in Q(m, a, c, s)/(c² + s² = 1)"
};

/// A point anyone can recompute: values of the symbols, and the value found there.
struct Counterexample {
  std::vector<std::pair<Symbol, std::string>> point;  ///< decimal or rational values
  std::string value;                                  ///< of the expression there, e.g. "0.3127 ± 1e-17"
  std::string note;
};

struct Proved {
  Certificate why;
  Assumptions where;  ///< true wherever these hold
};
struct Refuted {
  Counterexample at;
};
struct Undecided {
  std::string obstacle, next_step;
};

/// No conversion to bool on purpose: `if (verdict)` must not compile.
using Verdict = std::variant<Proved, Refuted, Undecided>;

inline bool proved(const Verdict& v) { return std::holds_alternative<Proved>(v); }
inline bool refuted(const Verdict& v) { return std::holds_alternative<Refuted>(v); }
inline bool undecided(const Verdict& v) { return std::holds_alternative<Undecided>(v); }

/// "proved", "certain to 2^-180", "refuted" or "undecided".
std::string evidence(const Verdict& v);

}  // namespace rattleback

/// Canonical and short forms of accelerations and multipliers of the falling disk and the Chaplygin sphere.
///
/// All contenders get the same expressions, as our elimination leaves them.

#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

#include "ginac.hpp"
#include "question.hpp"

using namespace bench;

namespace {

constexpr double limit = 5;

/// Operations of an expression as a graph: what a compiled program would do.
long operations(Expr e) {
  const auto symbols = static_cast<long>(symbols_of(e).size());
  return static_cast<long>(graph_size(std::span(&e, 1))) - symbols;
}

#ifdef RATTLEBACK_HAVE_GINAC
Result by_ginac(const Question& q, Expr e) {
  GinacMotion motion(q);
  const GiNaC::ex given = motion.in.read(plain(e));
  GiNaC::ex reduced;
  Result r{Result::State::finished, 0, 0, 0, {}};
  r.seconds = seconds_of([&] { reduced = motion.in.reduced(motion.in.with_generators(given)); });
  r.value = motion.in.value(reduced);
  r.length = motion.in.length(reduced);
  return r;
}
#endif

void compare(const std::function<System(int)>& system, bool with_multipliers, std::size_t index,
             const std::string& name) {
  static int run = 800;
  double canonical_time = 1e9, short_time = 1e9;
  Expr given, shortest, canonical_form;
  for (int k = 0; k < 3; ++k) {
    const Answer answer = answer_of(question_of(system(++run)));
    given = (with_multipliers ? answer.multipliers : answer.rates).entries()[index];
    canonical_time = std::min(canonical_time, seconds_of([&] { canonical_form = canonical(given); }));
    short_time = std::min(short_time, seconds_of([&] { shortest = short_form(given); }));
  }
  Numbers at;
  for (const Symbol s : symbols_of(given)) at[s] = test_value(s.name());
  const double value = evaluate(given, at);

  auto by_sympy = sympy("canonical.py", limit, "expression\t" + plain(given) + "\n");
  const Result field = by_sympy["field"], simplify = by_sympy["simplify"];
  Result ginac;
#ifdef RATTLEBACK_HAVE_GINAC
  const Question q = question_of(system(0));
  ginac = in_child(limit, [&] { return by_ginac(q, given); });
#endif
  bool same = std::abs(evaluate(shortest, at) - value) < 1e-9 * (1 + std::abs(value));
  for (const Result& r : {field, simplify, ginac}) {
    same = same &&
           (r.state != Result::State::finished || std::abs(r.value - value) < 1e-8 * (1 + std::abs(value)));
  }
  fmt::print("{:<22}{:>9}{:>7} |{:>9}{:>7}{:>5} |{:>10}{:>8} |{:>10}{:>8} |{:>9}{:>8}{:>7} | {}\n", name,
             duration(canonical_time), text(canonical_form).size(), duration(short_time),
             text(shortest).size(), operations(shortest), field.time(), field.against(canonical_time),
             simplify.time(), simplify.against(short_time), ginac.time(), ginac.against(canonical_time),
             ginac.length, same ? "yes" : "NO");
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print(
      "Canonical form (numerator over denominator, reduced by sin^2 + cos^2 = 1) and short form. CPU time, "
      "ours the fastest of 3, each on new\n"
      "symbols; the others stop after {:.0f} s. SymPy `field` and GiNaC against canonical, SymPy `simplify` "
      "against short; length in characters.\n\n",
      limit);
  fmt::print("{:<22}{:>9}{:>7} |{:>9}{:>7}{:>5} |{:>10}{:>8} |{:>10}{:>8} |{:>9}{:>8}{:>7} | {}\n",
             "expression", "canonical", "length", "short", "length", "ops", "SymPy fld", "ratio", "SymPy smp",
             "ratio", "GiNaC", "ratio", "length", "same");
  for (const std::size_t i : {0U, 1U, 2U})
    compare(falling_disk, false, i, fmt::format("falling disk z{}'", i + 1));
  compare(falling_disk, true, 0, "falling disk lambda1");
  for (const std::size_t i : {0U, 1U, 2U})
    compare(chaplygin_sphere, false, i, fmt::format("Chaplygin sphere z{}'", i + 1));
  compare(chaplygin_sphere, true, 0, "Chaplygin s. lambda1");
}

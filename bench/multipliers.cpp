/// Exact multipliers of the constraints, from the Lagrangian: derivatives, an exact solution, a canonical form.
///
/// Ours by quasi-velocities (question.hpp), the others as one linear system for accelerations and multipliers; all of
/// them reduce the result by sin² + cos² = 1 and remove common factors.

#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

#include "ginac.hpp"
#include "question.hpp"

using namespace bench;

namespace {

constexpr double limit = 10;  // seconds of CPU time for each contender and system

/// Ours, part by part: derivatives, the solution from M, A, b to its canonical form, and that shortened.
struct Ours {
  double derivatives = 0, solution = 0, short_form = 0;  // seconds
  long length = 0;                                       // of the short form
  Result whole;                                          // derivatives and solution
};

Ours ours(const std::function<System(int)>& system) {
  static int run = 0;
  constexpr double forever = std::numeric_limits<double>::infinity();
  Ours r{forever, forever, forever, 0, {Result::State::finished, 0, 0, 0, {}}};
  std::vector<Expr> canonical_forms;
  for (int k = 0; k < 7; ++k) {
    const Question q = question_of(system(++run));
    Derived d;
    canonical_forms.clear();
    r.derivatives = std::min(r.derivatives, seconds_of([&] { d = derived_of(q); }));
    r.solution = std::min(r.solution, seconds_of([&] {
                            for (const Expr e : solution_of(q, d).multipliers.entries())
                              canonical_forms.push_back(canonical(e));
                          }));
    if (k > 2 && r.short_form > 0.2) continue;
    r.short_form = std::min(r.short_form, seconds_of([&] {
                              for (const Expr e : canonical_forms) short_form(e);
                            }));
  }
  r.whole.seconds = r.derivatives + r.solution;
  Numbers at;
  for (const Symbol s : symbols_of(canonical_forms)) at[s] = test_value(s.name());
  for (const Expr e : canonical_forms) {
    r.whole.value += evaluate(e, at);
    r.length += static_cast<long>(text(short_form(e)).size());
  }
  return r;
}

#ifdef RATTLEBACK_HAVE_GINAC
Result by_ginac(const Question& q) {
  GinacMotion motion(q);
  std::vector<GiNaC::ex> answer;
  Result r{Result::State::finished, 0, 0, 0, {}};
  r.seconds = seconds_of([&] { answer = motion.multipliers(); });
  for (const auto& e : answer) {
    r.value += motion.in.value(e);
    r.length += motion.in.length(e);
  }
  return r;
}
#endif

/// Contenders that finished must have found what we found.
std::string agreement(const Result& ours, std::initializer_list<Result> others) {
  int same = 0, finished = 0;
  for (const Result& r : others) {
    if (r.state != Result::State::finished) continue;
    ++finished;
    if (std::abs(ours.value - r.value) < 1e-8 * (1 + std::abs(ours.value))) ++same;
  }
  return fmt::format("{} of {}{}", same, finished, same < finished ? " DIFFERENT" : "");
}

}  // namespace

int main() {
  auto systems = small_systems();
  for (const int n : {1, 2}) systems.push_back([n](int run) { return car_on_group(run, n); });

  fmt::print(
      "Multipliers from the Lagrangian, exact, reduced by sin^2 + cos^2 = 1. CPU time; ours is the fastest "
      "of 7 runs, each on new symbols:\n"
      "derivatives of the Lagrangian, the solution from M, A, b to its canonical form, and that shortened. "
      "The "
      "others run once, derivatives\nand solution, and stop after {:.0f} s; ratios are to our derivatives "
      "and "
      "solution. `length` counts the characters of all multipliers; ours is that\nof the short form.\n\n",
      limit);
  fmt::print("{:<17}{:>10}{:>10}{:>10}{:>7} |{:>11}{:>9} |{:>11}{:>9} |{:>9}{:>8}{:>8} | {}\n", "system",
             "ours: d/dv", "+ solved", "+ short", "length", "SymPy field", "ratio", "SymPy simp.", "ratio",
             "GiNaC", "ratio", "length", "same value");
  for (const auto& system : systems) {
    const Ours us = ours(system);
    const Question q = question_of(system(0));
    auto by_sympy = sympy("multipliers.py", limit, job_of(q));
    const Result field = by_sympy["field"], simplify = by_sympy["simplify"];
    Result ginac;
#ifdef RATTLEBACK_HAVE_GINAC
    ginac = in_child(limit, [&] { return by_ginac(q); });
#endif
    fmt::print("{:<17}{:>10}{:>10}{:>10}{:>7} |{:>11}{:>9} |{:>11}{:>9} |{:>9}{:>8}{:>8} | {}\n",
               q.system.name, duration(us.derivatives), duration(us.solution), duration(us.short_form),
               us.length, field.time(), field.against(us.whole.seconds), simplify.time(),
               simplify.against(us.whole.seconds), ginac.time(), ginac.against(us.whole.seconds),
               ginac.length, agreement(us.whole, {field, simplify, ginac}));
    std::fflush(stdout);
  }
}

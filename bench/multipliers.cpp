/// Exact multipliers of the constraints, from the Lagrangian: derivatives, an exact solution, a canonical form.
///
/// Ours by quasi-velocities (question.hpp), the others as one linear system for accelerations and multipliers; all of
/// them reduce the result by sin² + cos² = 1 and remove common factors.

#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/numbers.hpp>

#include "ginac.hpp"
#include "question.hpp"

using namespace bench;

namespace {

constexpr double limit = 10;  // seconds of CPU time for each contender and system

struct Ours {
  Result canonical, short_form;
};

Ours ours(const std::function<System(int)>& system) {
  static int run = 0;
  constexpr double forever = std::numeric_limits<double>::infinity();
  Ours r{{Result::State::finished, forever, 0, 0, {}}, {Result::State::finished, forever, 0, 0, {}}};
  std::vector<Expr> canonical_forms, short_forms;
  for (int k = 0; k < 7; ++k) {
    const Question q = question_of(system(++run));
    canonical_forms.clear();
    short_forms.clear();
    r.canonical.seconds = std::min(r.canonical.seconds, seconds_of([&] {
                                     for (const Expr e : answer_of(q).multipliers.entries())
                                       canonical_forms.push_back(canonical(e));
                                   }));
    if (k > 2 && r.short_form.seconds > 0.2) continue;
    r.short_form.seconds = std::min(r.short_form.seconds, seconds_of([&] {
                                      for (const Expr e : canonical_forms)
                                        short_forms.push_back(short_form(e));
                                    }));
  }
  Numbers at;
  for (const Symbol s : symbols_of(canonical_forms)) at[s] = test_value(s.name());
  for (const Expr e : canonical_forms) {
    r.canonical.value += evaluate(e, at);
    r.canonical.length += static_cast<long>(text(e).size());
    r.short_form.length += static_cast<long>(text(short_form(e)).size());
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
      "of 7 runs, each on new symbols;\n"
      "the others run once and stop after {:.0f} s. `length` counts the characters of all multipliers; ours "
      "is that of the short form.\n\n",
      limit);
  fmt::print("{:<17}{:>9}{:>10}{:>7} |{:>11}{:>9} |{:>11}{:>9} |{:>9}{:>8}{:>8} | {}\n", "system", "ours",
             "+ short", "length", "SymPy field", "ratio", "SymPy simp.", "ratio", "GiNaC", "ratio", "length",
             "same value");
  for (const auto& system : systems) {
    const auto [us, pretty] = ours(system);
    const Question q = question_of(system(0));
    auto by_sympy = sympy("multipliers.py", limit, job_of(q));
    const Result field = by_sympy["field"], simplify = by_sympy["simplify"];
    Result ginac;
#ifdef RATTLEBACK_HAVE_GINAC
    ginac = in_child(limit, [&] { return by_ginac(q); });
#endif
    fmt::print("{:<17}{:>9}{:>10}{:>7} |{:>11}{:>9} |{:>11}{:>9} |{:>9}{:>8}{:>8} | {}\n", q.system.name,
               us.time(), pretty.time(), pretty.length, field.time(), field.against(us.seconds),
               simplify.time(), simplify.against(us.seconds), ginac.time(), ginac.against(us.seconds),
               ginac.length, agreement(us, {field, simplify, ginac}));
    std::fflush(stdout);
  }
}

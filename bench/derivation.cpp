/// From the Lagrangian to the equations of motion: ours are solved for the accelerations; the others only form the linear
/// system for accelerations and multipliers, which is less.

#include <fmt/ranges.h>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/motion/programs/economical.hpp>
#include <rattleback/native/code.hpp>

#include "ginac.hpp"
#include "maxima.hpp"

using namespace bench;

namespace {

constexpr double limit = 10;  // seconds of CPU time for each contender and system
constexpr int runs_of_small = 300;

double fastest_derivation(const std::function<System(int)>& make, int runs) {
  static int run = 0;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < runs; ++k) {
    const System system = make(++run);  // on new symbols: nothing is remembered
    best = std::min(best, seconds_of([&] { straight_line_equations(system); }));
  }
  return best;
}

/// The system with the admissible velocities as we parametrise them, so that all work in the same variables.
Question question_with(const System& system, const EquationsOfMotion& equations) {
  return {system, {}, {}, {}, equations.velocities};
}

double value_of(const System& system, const EquationsOfMotion& equations) {
  const std::vector<Expr> accelerations = accelerations_along(system, equations);
  Numbers at;
  for (const Symbol s : symbols_of(accelerations)) at[s] = test_value(s.name());
  double total = 0;
  for (const Expr e : accelerations) total += evaluate(e, at);
  return total;
}

std::string agreement(double ours, std::initializer_list<Result> others) {
  int same = 0, finished = 0;
  for (const Result& r : others) {
    if (r.state != Result::State::finished) continue;
    ++finished;
    if (std::abs(ours - r.value) < 1e-6 * (1 + std::abs(ours))) ++same;
  }
  return fmt::format("{} of {}{}", same, finished, same < finished ? " DIFFERENT" : "");
}

void compare(const std::function<System(int)>& make) {
  double ours = fastest_derivation(make, runs_of_small / 2);
  const System system = make(0);
  const EquationsOfMotion equations = straight_line_equations(system);
  const Question q = question_with(system, equations);
  const Result by_sympy = sympy("derivation.py", limit, job_of(q))["form"], maxima = by_maxima(q, limit);
  Result ginac;
#ifdef RATTLEBACK_HAVE_GINAC
  ginac = in_child(limit, [&] {
    const GinacMotion motion(q);
    Result r{Result::State::finished, 0, 0, 0, {}};
    GinacMotion::Linear linear;
    r.seconds = seconds_of([&] { linear = motion.equations(); });
    r.value = motion.value_of(linear);
    return r;
  });
#endif
  // The machine may have been slower before.
  ours = std::min(ours, fastest_derivation(make, runs_of_small / 2));
  fmt::print("{:<17}{:>9} |{:>9}{:>8} |{:>9}{:>8} |{:>9}{:>8} | {}\n", system.name, duration(ours),
             by_sympy.time(), by_sympy.against(ours), ginac.time(), ginac.against(ours), maxima.time(),
             maxima.against(ours), agreement(value_of(system, equations), {by_sympy, ginac, maxima}));
  std::fflush(stdout);
}

void compare_small_systems() {
  fmt::print(
      "\nEquations of motion from the Lagrangian. CPU time, ours the fastest of {} runs, each on new "
      "symbols; "
      "the others run once, and "
      "stop after {:.0f} s.\n\n{:<17}{:>9} |{:>9}{:>8} |{:>9}{:>8} |{:>9}{:>8} | {}\n",
      runs_of_small, limit, "system", "ours", "SymPy", "ratio", "GiNaC", "ratio", "Maxima", "ratio",
      "same value");
  for (const auto& make : small_systems()) compare(make);
  for (const int n : {2, 6}) compare([n](int run) { return train(run, n); });
}

/// Instructions of the straight-line program, which is what runs: prologue and signs that others absorb are free.
std::size_t emitted_operations(const EquationsOfMotion& equations) {
  std::vector<Symbol> inputs = equations.configuration, parameters;
  inputs.insert(inputs.end(), equations.speeds.begin(), equations.speeds.end());
  std::vector<Expr> rates = equations.configuration_rates;
  rates.insert(rates.end(), equations.speed_rates.begin(), equations.speed_rates.end());
  for (const Symbol s : symbols_of(rates)) {
    if (std::find(inputs.begin(), inputs.end(), s) == inputs.end()) parameters.push_back(s);
  }
  return straight_line(inputs, parameters, rates).body.size();
}

/// The fastest of some children, in each of which nothing is remembered.
double fastest_afresh(const std::string& model, const std::function<void(const System&)>& work) {
  constexpr int children = 9;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < children; ++k) {
    const Result r = in_child(limit, [&] {
      const System system = load_model(model);
      return Result{Result::State::finished, seconds_of([&] { work(system); }), 0, 0, {}};
    });
    best = std::min(best, r.seconds);
  }
  return best;
}

void count_operations() {
  struct Row {
    const char* model;
    int by_hand;
  };
  fmt::print(
      "Operations of the right-hand side as a graph and as emitted code, and the time to find its cheapest "
      "shape, the fastest of nine fresh starts:\n");
  fmt::print("{:<24}{:>8}{:>12}{:>9}{:>10}{:>9}{:>8}\n", "model", "built", "economical", "emitted", "time",
             "by hand", "ratio");
  for (const auto& [model, by_hand] : {Row{"chaplygin-sleigh", 8}, Row{"falling-disk", 25},
                                       Row{"snakeboard", 23}, Row{"chaplygin-sphere-euler", 102}}) {
    const double seconds = fastest_afresh(model, [](const System& s) { economical_motion(s); });
    const System system = load_model(model);
    const EquationsOfMotion found = economical_motion(system);
    const std::size_t built = operations_of(straight_line_equations(system)),
                      emitted = emitted_operations(found);
    fmt::print("{:<24}{:>8}{:>12}{:>9}{:>10}{:>9}{:>8}\n", model, built, operations_of(found), emitted,
               duration(seconds), by_hand, ratio(static_cast<double>(emitted), by_hand));
  }
}

void measure_trains() {
  fmt::print("\nA car with n trailers:\n{:>6}{:>10}{:>12}{:>12}{:>10}{:>12}\n", "n", "time", "time/(n+1)",
             "operations", "emitted", "emitted/n");
  for (const int n : {1, 3, 6, 10, 30, 100, 300}) {
    const double seconds = fastest_derivation([n](int run) { return train(run, n); }, n > 50 ? 9 : 30);
    const EquationsOfMotion motion = straight_line_equations(train(0, n));
    const std::size_t emitted = emitted_operations(motion);
    fmt::print("{:>6}{:>10}{:>12}{:>12}{:>10}{:>12.1f}\n", n, duration(seconds), duration(seconds / (n + 1)),
               operations_of(motion), emitted, static_cast<double>(emitted) / n);
  }
}

void measure_bicycle() {
  fmt::print("\nCarvallo-Whipple bicycle, three degrees of freedom: {}\n",
             duration(fastest_afresh("bicycle", [](const System& s) { straight_line_equations(s); })));
  fmt::print("Its small motions about steady rolling at a speed v, with all parameters as letters: {}\n",
             duration(fastest_afresh("bicycle", [](const System& s) {
               state_matrix(linearisation(s, {{"rear_rate", "v/rR"}}));
             })));
}

}  // namespace

int main() {
  // While there is little in memory that children would have to copy.
  count_operations();
  measure_bicycle();
  compare_small_systems();
  measure_trains();
}

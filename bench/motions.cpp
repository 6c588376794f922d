/// One motion: from the model to the first evaluation, the cost of an evaluation, and a trajectory to a given accuracy, beside
/// programs written by hand, CVODE and SciPy.

#include <filesystem>

#include <rattleback/model/load.hpp>
#include <rattleback/motion/reduced_motion.hpp>
#include <rattleback/native/extension.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/trajectory.hpp>

#include "cvode.hpp"
#include "hand.hpp"
#include "simbody.hpp"

using namespace bench;
using namespace rattleback;

namespace {

std::string model(const std::string& name) {
  return std::string(RATTLEBACK_BENCH_DIR) + "/../models/" + name + ".toml";
}

/// In a new process with an empty cache: nothing is remembered, and LLVM is not loaded.
void first_call(const std::string& name) {
  const std::string folder = (std::filesystem::temp_directory_path() / "rattleback-bench-cache").string();
  const auto child = [&] {
    return in_child(20, [&] {
      setenv("XDG_CACHE_HOME", folder.c_str(), 1);
      set_native_mode(NativeMode::on);
      Result r{Result::State::finished, 0, 0, 0, {}};
      const System system = load_model(model(name));
      const double begin = cpu_seconds();
      const Flow flow(system);
      const double derived = cpu_seconds();
      std::vector<double> y(flow.dimension() + 1, 0.3), rate(flow.dimension());
      Evaluator<double> f(flow.rates(), flow.parameter_values<double>());
      f(y.data(), rate.data());
      r.seconds = cpu_seconds() - derived;
      r.value = derived - begin;
      r.length = static_cast<long>(flow.rates().body.size());
      return r;
    });
  };
  std::filesystem::remove_all(folder);
  const Result cold = child(), warm = child();
  std::filesystem::remove_all(folder);
  fmt::print("{:<24} {:>5} | {:>9} | {:>14} | {:>12}\n", name, cold.length, duration(cold.value), cold.time(),
             warm.time());
}

/// Nanoseconds of one evaluation.
template <class F>
double cost(F&& f) {
  constexpr int times = 100'000;
  return fastest_of(7,
                    [&](int) {
                      for (int k = 0; k < times; ++k) f();
                    }) /
         times;
}

template <class System>
void evaluation(const std::string& name, const System& hand, const std::vector<double>& state) {
  const Flow flow(load_model(model(name)));
  const std::vector<double> parameters = flow.parameter_values<double>();
  std::vector<double> y(flow.dimension() + 1, 0.3), rate(flow.dimension());
  std::copy(state.begin(), state.end(), y.begin());
  set_native_mode(NativeMode::off);
  Evaluator<double> slow(flow.rates(), parameters);
  const double interpreted = cost([&] { slow(y.data(), rate.data()); });
  set_native_mode(NativeMode::on);
  Evaluator<double> fast(flow.rates(), parameters);
  const double compiled = cost([&] { fast(y.data(), rate.data()); });
  double in[System::n], out[System::n];
  for (int i = 0; i < System::n; ++i) in[i] = 0.3;
  const double by_hand = cost([&] {
    asm volatile("" : : "r"(in), "r"(out) : "memory");
    hand(in, out);
    asm volatile("" : : "r"(out) : "memory");
  });
  fmt::print("{:<24} | {:>9} | {:>9} {:>6} | {:>11} {:>6}\n", name, duration(compiled), duration(by_hand),
             ratio(compiled, by_hand), duration(interpreted), ratio(interpreted, compiled));
}

void trailers_evaluation() {
  fmt::print("\nThe right-hand side of a car with n trailers:\n{:>6} {:>6} | {:>9} {:>10} | {:>11} | {:>9}\n",
             "n", "ops", "compiled", "per trailer", "interpreted", "compiling");
  for (const int n : {1, 10, 30, 100}) {
    const EquationsOfMotion motion = reduced_motion(train(1, n));
    std::vector<Expr> rates = motion.configuration_rates;
    rates.insert(rates.end(), motion.speed_rates.begin(), motion.speed_rates.end());
    std::vector<Symbol> inputs = motion.configuration;
    inputs.insert(inputs.end(), motion.speeds.begin(), motion.speeds.end());
    std::vector<Symbol> parameters;
    for (const Symbol s : symbols_of(rates))
      if (std::find(inputs.begin(), inputs.end(), s) == inputs.end()) parameters.push_back(s);
    const Code code = straight_line(inputs, parameters, rates);
    std::vector<double> x, values, y(rates.size());
    for (const Symbol s : inputs) x.push_back(test_value(s.name()));
    for (const Symbol s : parameters) values.push_back(test_value(s.name()));
    const auto many = [&](Evaluator<double>& f) {
      const int times = 200'000 / (n + 10);
      return fastest_of(5,
                        [&](int) {
                          for (int k = 0; k < times; ++k) f(x.data(), y.data());
                        }) /
             times;
    };
    set_native_mode(NativeMode::off);
    Evaluator<double> slow(code, values);
    const double interpreted = many(slow);
    set_native_mode(NativeMode::on);
    Evaluator<double> fast(code, values);
    const double compiling = seconds_of([&] { fast(x.data(), y.data()); });
    const double compiled = many(fast);
    fmt::print("{:>6} {:>6} | {:>9} {:>10} | {:>11} | {:>9}\n", n, code.body.size(), duration(compiled),
               duration(compiled / n), duration(interpreted), duration(compiling));
  }
}

/// The least time of a method over tolerances at which the configuration at the end is right to `wanted`.
double ours(const Flow& flow, const std::string& method, const std::vector<double>& y,
            const std::vector<double>& truth, double until, double wanted) {
  for (double rtol = 1e-8; rtol > 1e-15; rtol /= 3) {
    RunOptions options;
    options.until = until;
    options.method = method;
    options.settings = {.rtol = rtol, .atol = rtol / 100};
    options.reactions = false;
    const auto error_of = [&](const Trajectory& run) {
      double error = 0;
      for (std::size_t i = 0; i < 5; ++i) error = std::max(error, std::abs(run.final_state[i] - truth[i]));
      return error;
    };
    if (!(error_of(trajectory(flow, y, options)) <= wanted)) continue;
    const auto stepper = stepper_named(method).make(flow, options.settings);
    return fastest_of(30, [&](int) {
      stepper->start(0, y);
      while (stepper->time() < until) stepper->step(until);
    });
  }
  return NAN;
}

template <class System>
double by_hand(const System& f, const std::array<double, System::n>& start, const std::vector<double>& truth,
               double until, double wanted) {
  for (double rtol = 1e-8; rtol > 1e-15; rtol /= 3) {
    std::array<double, System::n> y = start;
    hand::fly(f, y, until, 1e-2, {rtol, rtol / 100});
    double error = 0;
    for (std::size_t i = 0; i < 5; ++i) error = std::max(error, std::abs(y[i] - truth[i]));
    if (!(error <= wanted)) continue;
    return fastest_of(30, [&](int) {
      y = start;
      hand::fly(f, y, until, 1e-2, {rtol, rtol / 100});
    });
  }
  return NAN;
}

template <class System>
void one_trajectory(const std::string& name, const std::string& python, const System& f, double until,
                    const std::vector<double>& y, const std::array<double, System::n>& start,
                    const std::vector<double>& velocities,
                    const std::function<Result(const std::vector<double>&)>& simbody) {
  constexpr double wanted = 1e-10;
  set_native_mode(NativeMode::on);
  const Flow flow(load_model(model(name)));
  RunOptions exact;
  exact.until = until;
  exact.settings = {.rtol = 1e-16, .atol = 1e-18};
  exact.reactions = false;
  const std::vector<double> truth = trajectory(flow, y, exact).final_state;
  const double dop853 = ours(flow, "dop853", y, truth, until, wanted),
               taylor = ours(flow, "taylor", y, truth, until, wanted), best = std::min(dop853, taylor);
  const double hand = by_hand(f, start, truth, until, wanted);
  const Result cvode = by_cvode(f, start, truth, until, wanted);
  std::string job = fmt::format("{}\t1e-11\t{}", python, until);
  for (std::size_t i = 0; i < velocities.size(); ++i) job += fmt::format("\t{:.17g}", y[i]);
  for (const double v : velocities) job += fmt::format("\t{:.17g}", v);
  const Result scipy = bench::sympy("motions.py", 60, job + "\n")[python];
  const Result engine = simbody(truth);
  fmt::print("{:<18} | {:>9} {:>9} | {:>9} {:>6} | {:>9} {:>6} | {:>9} {:>7} | {:>9} {:>6}\n", name,
             duration(dop853), duration(taylor), duration(hand), ratio(best, hand), cvode.time(),
             cvode.against(best), scipy.time(), scipy.against(best), engine.time(), engine.against(best));
}

}  // namespace

int main() {
  // Nothing that an earlier run compiled.
  const std::filesystem::path kept = std::filesystem::temp_directory_path() / "rattleback-bench-objects";
  std::filesystem::remove_all(kept);
  setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  if (!has_extension("llvm")) {
    fmt::print("LLVM is absent: nothing is compiled here\n");
    return 0;
  }
  fmt::print(
      "From the model to the first evaluation, in a new process. `compile` includes loading LLVM; `again` "
      "finds the code on the "
      "disk.\n\n{:<24} {:>5} | {:>9} | {:>14} | {:>12}\n",
      "model", "ops", "derive", "compile + call", "again");
  for (const char* name : {"chaplygin-sleigh", "vertical-disk", "falling-disk", "snakeboard",
                           "chaplygin-sphere-euler", "chaplygin-sphere", "rattleback"})
    first_call(name);

  const double turn = 0.5, lean = 0.2;
  fmt::print("\nOne evaluation of the rates:\n{:<24} | {:>9} | {:>9} {:>6} | {:>11} {:>6}\n", "model",
             "compiled", "by hand", "ratio", "interpreted", "");
  evaluation("chaplygin-sleigh", hand::Sleigh{}, {0, 0, 0.3, 1, 0.5});
  evaluation("falling-disk", hand::FallingDisk{}, {0, 0, 0.3, 0.3, 0.3, 0.1, 0.5, 3});
  trailers_evaluation();

  fmt::print(
      "\nOne trajectory, configuration right to 1e-10 at T = 20 (`ratio` of our best to DOP853 by hand; the "
      "others in ours):\n"
      "{:<18} | {:>9} {:>9} | {:>9} {:>6} | {:>9} {:>6} | {:>9} {:>7} | {:>9}\n",
      "model", "dop853", "taylor", "by hand", "ratio", "CVODE", "", "SciPy", "", "Simbody");
  one_trajectory("chaplygin-sleigh", "sleigh", hand::Sleigh{}, 20, {0, 0, 0, -1, 0.1}, {0, 0, 0, -1, 0.1},
                 {-1, 0, 0.1}, [](const auto& truth) {
                   return sleigh_by_simbody({0, 0, 0, -1, 0.1}, truth, 20, 1e-10);
                 });
  one_trajectory(
      "falling-disk", "falling-disk", hand::FallingDisk{}, 20, {0, 0, lean, 0, 0, 0, turn, 3},
      {0, 0, lean, 0, 0, 0, 3 + turn * std::sin(lean), turn * std::cos(lean)}, {3, 0, 0, turn, 3},
      [](const auto&) { return Result{}; });  // its rolling contact is wrong for a point that travels
}

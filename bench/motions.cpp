/// One motion: from the model to the first evaluation, the cost of an evaluation, and a trajectory to a given accuracy, beside
/// programs written by hand, CVODE and SciPy.

#include <filesystem>
#include <type_traits>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/extension.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

#include "cvode.hpp"
#include "hand_taylor.hpp"
#include "simbody.hpp"

using namespace bench;
using namespace rattleback;

namespace {

std::string model(const std::string& name) {
  return std::string(RATTLEBACK_BENCH_DIR) + "/../models/" + name + ".toml";
}

template <std::size_t n>
std::array<double, n> first_of(const std::vector<double>& y) {
  std::array<double, n> z{};
  std::copy_n(y.begin(), n, z.begin());
  return z;
}

void first_call_by_llvm(const Flow& flow, const std::vector<double>& y, std::vector<double>& rate) {
  const Code code = fused(flow.rates());
  const auto object = compiled(scalar_module(code, this_processor()));
  const std::vector<double> constants = constants_of<double>(code, flow.parameter_values<double>());
  std::vector<double> registers(code.registers());
  reinterpret_cast<ScalarCode>(object->function("evaluate"))(y.data(), constants.data(), rate.data(),
                                                             registers.data(), library_functions());
}

/// In a new process with an empty cache: nothing is remembered, and LLVM is not loaded.
void first_call(const std::string& name) {
  const std::string folder = (std::filesystem::temp_directory_path() / "rattleback-bench-cache").string();
  enum class By { interpreter, assembler, llvm };
  const auto child = [&](By by) {
    return in_child(20, [&, by] {
      setenv("XDG_CACHE_HOME", folder.c_str(), 1);
      set_native_mode(by == By::interpreter ? NativeMode::off : NativeMode::on);
      Result r{Result::State::finished, 0, 0, 0, {}};
      const System system = load_model(model(name));
      const double begin = cpu_seconds();
      const Flow flow(system);
      const double derived = cpu_seconds();
      std::vector<double> y(flow.dimension() + 1, 0.3), rate(flow.dimension());
      Evaluator<double> f(flow.rates(), flow.parameter_values<double>());
      if (by == By::llvm)
        first_call_by_llvm(flow, y, rate);
      else
        f(y.data(), rate.data());
      r.seconds = cpu_seconds() - derived;
      r.value = derived - begin;
      r.length = static_cast<long>(flow.rates().body.size());
      return r;
    });
  };
  const Result interpreted = child(By::interpreter), assembled = child(By::assembler);
  std::filesystem::remove_all(folder);
  const Result cold = child(By::llvm), warm = child(By::llvm);
  std::filesystem::remove_all(folder);
  fmt::print("{:<24} {:>5} | {:>9} | {:>11} | {:>15} | {:>14} | {:>12}\n", name, cold.length,
             duration(assembled.value), interpreted.time(), assembled.time(), cold.time(), warm.time());
}

/// Nanoseconds of one evaluation.
template <class F>
double cost(F&& f) {
  constexpr int times = 50'000;
  return fastest_of(3,
                    [&](int) {
                      for (int k = 0; k < times; ++k) f();
                    }) /
         times;
}

template <class System>
void evaluation(const std::string& name, const System& hand, const std::vector<double>& state) {
  const Flow flow(load_model(model(name)), Flow::Effort::thorough);
  const std::vector<double> parameters = flow.parameter_values<double>();
  std::vector<double> y(flow.dimension() + 1, 0.3), rate(flow.dimension());
  std::copy(state.begin(), state.end(), y.begin());
  set_native_mode(NativeMode::off);
  Evaluator<double> slow(flow.rates(), parameters);
  const double interpreted = cost([&] { slow(y.data(), rate.data()); });
  set_native_mode(NativeMode::on);
  Evaluator<double> fast(flow.rates(), parameters);
  double in[System::n], out[System::n];
  for (int i = 0; i < System::n; ++i) in[i] = 0.3;
  double compiled = INFINITY, by_hand = INFINITY;
  for (int turn = 0; turn < 9; ++turn) {
    compiled = std::min(compiled, cost([&] { fast(y.data(), rate.data()); }));
    by_hand = std::min(by_hand, cost([&] {
                         asm volatile("" : : "r"(in), "r"(out) : "memory");
                         hand(in, out);
                         asm volatile("" : : "r"(out) : "memory");
                       }));
  }
  fmt::print("{:<24} | {:>9} | {:>9} {:>6} | {:>11} {:>6}\n", name, duration(compiled), duration(by_hand),
             ratio(compiled, by_hand), duration(interpreted), ratio(interpreted, compiled));
}

void trailers_evaluation() {
  fmt::print(
      "\nThe right-hand side of a car with n trailers:\n"
      "{:>6} {:>6} | {:>9} {:>10} | {:>9} | {:>11} | {:>9} {:>9}\n",
      "n", "ops", "in the end", "per trailer", "assembled", "interpreted", "assembling", "per op");
  for (const int n : {1, 10, 30, 100}) {
    const EquationsOfMotion motion = straight_line_equations(train(1, n));
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
    const double assembling = seconds_of([&] { fast(x.data(), y.data()); });
    const double assembled = many(fast);
    for (int k = 0; k < 450'000; ++k) fast(x.data(), y.data());  // as good as it gets
    const double compiled = many(fast);
    fmt::print("{:>6} {:>6} | {:>9} {:>10} | {:>9} | {:>11} | {:>9} {:>9}\n", n, code.body.size(),
               duration(compiled), duration(compiled / n), duration(assembled), duration(interpreted),
               duration(assembling), duration(assembling / static_cast<double>(code.body.size())));
  }
}

/// A motion to be timed; nothing where no tolerance is good enough.
using Motion = std::function<void()>;

/// With the first of the tolerances at which the configuration at the end is right to `wanted`, and after so many steps that the
/// program has compiled as well as it ever does.
Motion ours(const Flow& flow, const std::string& method, const std::vector<double>& y,
            const std::vector<double>& truth, std::size_t configuration, double until, double wanted) {
  for (double rtol = 1e-8; rtol > 1e-15; rtol /= 3) {
    RunOptions options;
    options.until = until;
    options.method = method;
    options.settings = {.rtol = rtol, .atol = rtol / 100};
    options.reactions = false;
    const auto error_of = [&](const Trajectory& run) {
      double error = 0;
      for (std::size_t i = 0; i < configuration; ++i)
        error = std::max(error, std::abs(run.final_state[i] - truth[i]));
      return error;
    };
    if (!(error_of(trajectory(flow, y, options)) <= wanted)) continue;
    const std::shared_ptr<Stepper> stepper = stepper_named(method).make(flow, options.settings);
    const Motion motion = [=] {
      stepper->start(0, y);
      while (stepper->time() < until) stepper->step(until);
    };
    while (stepper->counts().steps < 450'000) motion();
    return motion;
  }
  return {};
}

/// The fastest of many runs of each, by turns, because the machine is never quiet.
std::vector<double> times(const std::vector<Motion>& motions) {
  std::vector<double> best(motions.size(), NAN);
  for (int run = 0; run < 300; ++run)
    for (std::size_t k = 0; k < motions.size(); ++k)
      if (motions[k]) best[k] = std::fmin(best[k], seconds_of(motions[k]));
  return best;
}

template <class System>
double error_of(const std::array<double, System::n>& y, const std::vector<double>& truth) {
  double error = 0;
  for (std::size_t i = 0; i < System::configuration; ++i) error = std::max(error, std::abs(y[i] - truth[i]));
  return error;
}

template <class System>
Motion by_hand(const System& f, const std::array<double, System::n>& start, const std::vector<double>& truth,
               double until, double wanted) {
  for (double rtol = 1e-8; rtol > 1e-15; rtol /= 3) {
    std::array<double, System::n> y = start;
    hand::fly(f, y, until, 1e-2, {rtol, rtol / 100});
    if (!(error_of<System>(y, truth) <= wanted)) continue;
    return [=] {
      std::array<double, System::n> z = start;
      hand::fly(f, z, until, 1e-2, {rtol, rtol / 100});
      asm volatile("" : : "r"(z.data()) : "memory");
    };
  }
  return {};
}

/// Series of the lowest order that is right.
template <int N, class System>
Motion by_hand_series(const System& f, const std::array<double, System::n>& start,
                      const std::vector<double>& truth, double until, double wanted) {
  if constexpr (N > 24) {
    return {};
  } else {
    std::array<double, System::n> y = start;
    hand::fly_by_series<N>(f, y, until);
    if (!(error_of<System>(y, truth) <= wanted)) return by_hand_series<N + 1>(f, start, truth, until, wanted);
    return [=] {
      std::array<double, System::n> z = start;
      hand::fly_by_series<N>(f, z, until);
      asm volatile("" : : "r"(z.data()) : "memory");
    };
  }
}

template <class System>
void one_trajectory(const std::string& name, const std::string& python, const System& f,
                    const std::function<std::array<double, System::n>(const std::vector<double>&)>& theirs,
                    const std::vector<double>& velocities,
                    const std::function<Result(const std::vector<double>&)>& simbody) {
  constexpr double wanted = 1e-10, until = 20;
  set_native_mode(NativeMode::on);
  const Flow flow(load_model(model(name)), Flow::Effort::thorough);
  const std::vector<double> y = initial_state(flow);
  const std::array<double, System::n> start = theirs(y);
  RunOptions exact;
  exact.until = until;
  exact.settings = {.rtol = 1e-16, .atol = 1e-18};
  exact.reactions = false;
  const std::vector<double> truth = trajectory(flow, y, exact).final_state;
  constexpr std::size_t configuration = System::configuration;
  std::vector<Motion> motions{ours(flow, "dop853", y, truth, configuration, until, wanted),
                              ours(flow, "taylor", y, truth, configuration, until, wanted),
                              by_hand(f, start, truth, until, wanted)};
  if constexpr (std::is_same_v<System, hand::Sleigh> || std::is_same_v<System, hand::FallingDisk>)
    motions.push_back(by_hand_series<10>(f, start, truth, until, wanted));
  const std::vector<double> best_of = times(motions);
  const double dop853 = best_of[0], taylor = best_of[1], best = std::fmin(dop853, taylor), hand = best_of[2],
               series = best_of.size() > 3 ? best_of[3] : NAN;
  const Result cvode = by_cvode(f, start, truth, until, wanted);
  Result scipy;
  if (!python.empty()) {
    std::string job = fmt::format("{}\t1e-11\t{}", python, until);
    for (std::size_t i = 0; i < velocities.size(); ++i) job += fmt::format("\t{:.17g}", y[i]);
    for (const double v : velocities) job += fmt::format("\t{:.17g}", v);
    scipy = bench::sympy("motions.py", 60, job + "\n")[python];
  }
  const Result engine = simbody(truth);
  fmt::print("{:<18} | {:>9} {:>9} | {:>9} {:>9} {:>6} | {:>9} {:>6} | {:>9} {:>7} | {:>9} {:>6}\n", name,
             duration(dop853), duration(taylor), duration(hand), std::isnan(series) ? "-" : duration(series),
             ratio(best, std::fmin(hand, series)), cvode.time(), cvode.against(best), scipy.time(),
             scipy.against(best), engine.time(), engine.against(best));
}

/// What should be constant, after a long time.
void drift(const std::string& name) {
  const System system = load_model(model(name));
  const Flow flow(system);
  RunOptions options;
  options.until = 100;
  options.reactions = false;
  options.invariants = known_invariants(system);
  std::vector<Expr> residuals;
  for (const Constraint& c : system.constraints) residuals.push_back(c.expression);
  const Code code = flow.observing(residuals);
  Evaluator<double> constraint(code, flow.parameter_values<double>());
  std::string columns;
  double residual = 0;
  for (const char* method : {"taylor", "dop853"}) {
    options.method = method;
    options.settings = {.rtol = 1e-13, .atol = 1e-15};
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    columns += fmt::format(" {:>9.1e}", run.drift.front().relative());
    std::vector<double> x(run.final_state), out(residuals.size());
    x.push_back(run.end);
    constraint(x.data(), out.data());
    for (const double r : out) residual = std::max(residual, std::abs(r));
  }
  fmt::print("{:<24} |{} | {:>9.1e}\n", name, columns, residual);
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
      "From the model to the first evaluation, in a new process. The first tier interprets, the second is "
      "assembled "
      "here; `compile` includes loading LLVM; `again` finds its code on the disk.\n\n"
      "{:<24} {:>5} | {:>9} | {:>11} | {:>15} | {:>14} | {:>12}\n",
      "model", "ops", "derive", "interpret", "assemble + call", "compile + call", "again");
  for (const char* name : {"chaplygin-sleigh", "vertical-disk", "falling-disk", "snakeboard",
                           "chaplygin-sphere-euler", "chaplygin-sphere", "rattleback"})
    first_call(name);

  constexpr double turn = 0.5;
  fmt::print("\nOne evaluation of the rates:\n{:<24} | {:>9} | {:>9} {:>6} | {:>11} {:>6}\n", "model",
             "compiled", "by hand", "ratio", "interpreted", "");
  evaluation("chaplygin-sleigh", hand::Sleigh{}, {0, 0, 0.3, 1, 0.5});
  evaluation("falling-disk", hand::FallingDisk{}, {0, 0, 0.3, 0.3, 0.3, 0.1, 0.5, 3});
  evaluation("snakeboard", hand::Snakeboard{}, {0, 0, 0.3, 0.3, 0.3, 0.1, 0.5, 3});
  evaluation("chaplygin-sphere", hand::Sphere{}, {0, 0, 0.8, 0.6, 0, 0, 0.1, 0.5, 3});
  trailers_evaluation();

  fmt::print(
      "\nOne trajectory, configuration right to 1e-10 at T = 20 (`ratio` of our best to the best by hand, "
      "DOP853 or Taylor; the others in ours; CVODE on the equations by hand, SciPy on SymPy's matrices):\n"
      "{:<18} | {:>9} {:>9} | {:>9} {:>9} {:>6} | {:>9} {:>6} | {:>9} {:>7} | {:>9}\n",
      "model", "dop853", "taylor", "DOP853", "Taylor", "ratio", "CVODE", "", "SciPy", "", "Simbody");
  const auto absent = [](const std::vector<double>&) { return Result{}; };
  one_trajectory<hand::Sleigh>(
      "chaplygin-sleigh", "sleigh", {}, [](const std::vector<double>& y) { return first_of<5>(y); },
      {-1, 0, 0.1},
      [](const auto& truth) {
        return sleigh_by_simbody({0, 0, 0, -1, 0.1}, truth, 20, 1e-10);
      });
  one_trajectory<hand::FallingDisk>(
      "falling-disk", "falling-disk", {},
      [](const std::vector<double>& y) {
        const double s = std::sin(y[2]), c = std::cos(y[2]);
        return std::array<double, 8>{y[0], y[1], y[2], y[3], y[4], y[5], y[7] + y[6] * s, y[6] * c};
      },
      {3, 0, 0, turn, 3}, absent);  // Simbody's rolling contact is wrong for a point that travels
  one_trajectory<hand::Snakeboard>(
      "snakeboard", "", {}, [](const std::vector<double>& y) { return first_of<8>(y); }, {}, absent);
  one_trajectory<hand::Sphere>(
      "chaplygin-sphere", "", {},
      [](const std::vector<double>& y) {
        std::array<double, 9> z = first_of<9>(y);
        const auto K = hand::Sphere{}.momentum(y.data() + 2, y.data() + 6);
        std::copy(K.begin(), K.end(), z.begin() + 6);
        return z;
      },
      {}, absent);
  fmt::print(
      "heyoka, which compiles Taylor series, is not in Debian and is not measured here; elsewhere it was "
      "found "
      "1.06, 2.6 and 1.4 times as fast\nas DOP853 by hand on the sleigh, the disk and the snakeboard, and "
      "2.8 "
      "times slower on the sphere with quaternions.\n");

  fmt::print(
      "\nDrift at T = 100 with tolerance 1e-13: the energy, relative, and the constraints at the end.\n"
      "{:<24} | {:>9} {:>9} | {:>9}\n",
      "model", "taylor", "dop853", "residual");
  for (const char* name : {"chaplygin-sleigh", "vertical-disk", "falling-disk", "snakeboard",
                           "chaplygin-sphere-euler", "chaplygin-sphere", "rattleback"})
    drift(name);
}

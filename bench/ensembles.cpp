/// Many motions at equal accuracy: sweeps, compiled and interpreted, beside a program written by hand for the one system.

#include <rattleback/model/load.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/sweep/lane_integrator.hpp>

#include "hand.hpp"
#include "timing.hpp"

using namespace bench;
using namespace rattleback;

namespace {

/// The best of several runs, ours and theirs by turns, because the machine is never quiet.
struct Rates {
  double compiled = 0, interpreted = 0, by_hand = 0;
};

Flights flights_from(const Flow& flow, const Columns& states, double until) {
  const std::vector<double> constants = constants_of<double>(flow.rates(), flow.parameter_values<double>());
  Flights flights{.time = 0, .end = until, .state = states, .constants = Columns(constants.size(), 1)};
  flights.constants.numbers = constants;
  return flights;
}

template <class System>
void compare(const std::string& name, const System& hand, double until, std::size_t members, double tolerance,
             const std::function<std::vector<double>(double)>& ours,
             const std::function<std::array<double, System::n>(double)>& theirs) {
  const Flow flow(load_model(std::string(RATTLEBACK_BENCH_DIR) + "/../models/" + name + ".toml"));
  const std::vector<std::uint32_t> none;
  const StepperSettings settings{.rtol = tolerance, .atol = tolerance / 100};
  Columns states(flow.dimension(), members);
  std::vector<double> columns(System::n * members), first(members, 1e-2);
  for (std::size_t m = 0; m < members; ++m) {
    const double part = static_cast<double>(m) / static_cast<double>(members);
    const std::vector<double> y = ours(part);
    for (std::size_t i = 0; i < y.size(); ++i) states[i][m] = y[i];
  }
  Rates best;
  double difference = 0, error = 0, steps = 0;
  const auto count = static_cast<double>(members);
  LaneMethod compiled_method(flow.rates(), none, members), plain_method(flow.rates(), none, members);
  LaneIntegrator fast(compiled_method, settings), plain(plain_method, settings),
      accurate(plain_method, {.rtol = 1e-14, .atol = 1e-16});
  for (int run = 0; run < 5; ++run) {
    set_native_mode(NativeMode::on);
    Flights flights = flights_from(flow, states, until);
    best.compiled = std::max(best.compiled, count / seconds_of([&] { fast.run(flights); }));
    set_native_mode(NativeMode::off);
    Flights again = flights_from(flow, states, until);
    if (run < 2) best.interpreted = std::max(best.interpreted, count / seconds_of([&] { plain.run(again); }));
    for (std::size_t m = 0; m < members; ++m) {
      const auto y = theirs(static_cast<double>(m) / count);
      for (std::size_t i = 0; i < y.size(); ++i) columns[i * members + m] = y[i];
    }
    best.by_hand = std::max(
        best.by_hand,
        count / seconds_of([&] {
          hand::fly_all(hand, columns.data(), first.data(), members, until, {settings.rtol, settings.atol});
        }));
    if (run > 0) continue;
    Flights truth = flights_from(flow, states, until);
    accurate.run(truth);
    for (std::size_t m = 0; m < members; ++m) {
      steps += flights.steps[m] / count;
      for (std::size_t i = 0; i < 5; ++i) {  // the configuration, which both have
        difference = std::max(difference, std::abs(flights.state[i][m] - columns[i * members + m]));
        if (m < 64) error = std::max(error, std::abs(flights.state[i][m] - truth.state[i][m]));
      }
    }
  }
  fmt::print(
      "{:<18} {:>7.0e} {:>6.1f} {:>9.1e} | {:>10.0f} | {:>10.0f} {:>6.2f} | {:>11.0f} {:>5.1f}x | {:.0e}\n",
      name, tolerance, steps, error, best.compiled, best.by_hand, best.compiled / best.by_hand,
      best.interpreted, best.compiled / best.interpreted, difference);
}

}  // namespace

int main() {
  fmt::print(
      "Trajectories per second on one core, T = 20; `by hand` is AVX-512 with a step for each lane and "
      "refill, for this system alone;\n"
      "`error` of the configuration at the end, largest of 64; `differ` from the program by hand.\n\n"
      "{:<18} {:>7} {:>6} {:>9} | {:>10} | {:>10} {:>6} | {:>11} {:>6} | {}\n",
      "system", "rtol", "steps", "error", "compiled", "by hand", "ratio", "interpreted", "", "differ");
  for (const double tolerance : {1e-8, 1e-10}) {
    compare<hand::Sleigh>(
        "chaplygin-sleigh", {}, 20, 50'000, tolerance,
        [](double p) {
          return std::vector<double>{0, 0, 0, -1, 0.1 + 1.9 * p};
        },
        [](double p) {
          return std::array<double, 5>{0, 0, 0, -1, 0.1 + 1.9 * p};
        });
    compare<hand::FallingDisk>(
        "falling-disk", {}, 20, 2'000, tolerance,
        [](double p) { return std::vector<double>{0, 0, 0.2, 0, 0, 0, 0.3 + 0.5 * p, 3}; },
        [](double p) {
          const double turn = 0.3 + 0.5 * p;
          return std::array<double, 8>{0, 0, 0.2, 0, 0, 0, 3 + turn * std::sin(0.2), turn * std::cos(0.2)};
        });
  }
}

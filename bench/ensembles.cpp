/// Many motions at equal accuracy: sweeps, compiled and interpreted, beside a program written by hand for the one system.

#include <rattleback/model/reading/load.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/sweep/lane_march.hpp>

#include "hand.hpp"
#include "peers.hpp"

using namespace bench;
using namespace rattleback;

namespace {

/// The best of several runs, ours and theirs by turns, because the machine is never quiet.
struct Rates {
  double compiled = 0, interpreted = 0, by_hand = 0;
};

std::string model(const std::string& name) {
  return std::string(RATTLEBACK_BENCH_DIR) + "/../models/" + name + ".toml";
}

/// Where both programs have the same state.
template <std::size_t n>
std::array<double, n> as_it_is(const std::vector<double>& y) {
  std::array<double, n> z{};
  std::copy_n(y.begin(), n, z.begin());
  return z;
}

std::array<double, 8> disk_by_hand(const std::vector<double>& y) {
  const double s = std::sin(y[2]), c = std::cos(y[2]);
  return {y[0], y[1], y[2], y[3], y[4], y[5], y[7] + y[6] * s, y[6] * c};
}
std::array<double, 9> sphere_by_hand(const std::vector<double>& y) {
  std::array<double, 9> z = as_it_is<9>(y);
  const auto K = hand::Sphere{}.momentum(y.data() + 2, y.data() + 6);
  std::copy(K.begin(), K.end(), z.begin() + 6);
  return z;
}

Flights flights_from(const Flow& flow, const Columns& states, double until) {
  const std::vector<double> constants = constants_of<double>(flow.rates(), flow.parameter_values<double>());
  Flights flights{.time = 0, .end = until, .state = states, .constants = Columns(constants.size(), 1)};
  flights.constants.numbers = constants;
  return flights;
}

/// Members start at base, with variable `axis` of the state from `least` to `most`; `theirs` turns a state of ours into one of the
/// program by hand.
template <class System>
void compare(const std::string& name, const System& hand, std::size_t members, double tolerance,
             const std::string& axis, double least, double most,
             const std::function<std::array<double, System::n>(const std::vector<double>&)>& theirs) {
  constexpr double until = 20;
  const Flow flow(load_model(model(name)), Flow::Effort::thorough);
  const std::vector<std::uint32_t> quaternions(flow.quaternions().begin(), flow.quaternions().end());
  const StepperSettings settings{.rtol = tolerance, .atol = tolerance / 100};
  Columns states(flow.dimension(), members);
  std::vector<double> start(System::n * members), first(members, 1e-2), y = initial_state(flow);
  const auto varied =
      std::find_if(flow.state().begin(), flow.state().end(), [&](Symbol s) { return s.name() == axis; });
  for (std::size_t m = 0; m < members; ++m) {
    y.at(static_cast<std::size_t>(varied - flow.state().begin())) =
        least + (most - least) * static_cast<double>(m) / static_cast<double>(members);
    const auto other = theirs(y);
    for (std::size_t i = 0; i < y.size(); ++i) states[i][m] = y[i];
    for (std::size_t i = 0; i < other.size(); ++i) start[i * members + m] = other[i];
  }
  Rates best;
  double difference = 0, error = 0, steps = 0;
  const auto count = static_cast<double>(members);
  LaneMethod compiled_method(flow.rates(), quaternions, members),
      plain_method(flow.rates(), quaternions, members);
  LaneIntegrator fast(compiled_method, settings), plain(plain_method, settings),
      accurate(plain_method, {.rtol = 1e-14, .atol = 1e-16});
  for (int run = 0; run < 5; ++run) {
    set_native_mode(NativeMode::on);
    Flights flights = flights_from(flow, states, until);
    best.compiled = std::max(best.compiled, count / seconds_of([&] { fast.run(flights); }));
    set_native_mode(NativeMode::off);
    Flights again = flights_from(flow, states, until);
    if (run < 2) best.interpreted = std::max(best.interpreted, count / seconds_of([&] { plain.run(again); }));
    std::vector<double> columns = start;
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
      for (std::size_t i = 0; i < System::configuration; ++i) {  // which both have
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

/// Kutta's method with constant steps: nanoseconds for one step of one trajectory.
template <class System>
void compare_steps(const std::string& name, const System& hand,
                   const std::function<std::array<double, System::n>(const std::vector<double>&)>& theirs) {
  constexpr std::size_t members = 512;
  constexpr long steps = 2000;
  constexpr double h = 1.0 / 256, until = h * steps;
  const Flow flow(load_model(model(name)), Flow::Effort::thorough);
  const std::vector<double> y = initial_state(flow);
  const std::array<double, System::n> other = theirs(y);
  Columns states(flow.dimension(), members);
  for (std::size_t i = 0; i < y.size(); ++i) std::fill_n(states[i], members, y[i]);
  MarchMethod method(flow.rates(), {flow.quaternions().begin(), flow.quaternions().end()});
  LaneMarch march(method, h);
  set_native_mode(NativeMode::on);
  double ours = INFINITY, by_hand = INFINITY, difference = 0;
  for (int run = 0; run < 9; ++run) {
    Flights flights = flights_from(flow, states, until);
    ours = std::min(ours, seconds_of([&] { march.run(flights); }));
    hand::Pack z[System::n];
    by_hand = std::min(by_hand, seconds_of([&] {
                         for (std::size_t m = 0; m < members; m += hand::lanes) {
                           for (std::size_t i = 0; i < System::n; ++i) z[i] = hand::Pack{} + other[i];
                           asm volatile("" : : "r"(z) : "memory");
                           hand::kutta(hand, z, h, steps);
                           asm volatile("" : : "r"(z) : "memory");
                         }
                       }));
    for (std::size_t i = 0; i < System::configuration; ++i)
      difference = std::max(difference, std::abs(flights.state[i][0] - z[i][0]));
  }
  const double each = 1e9 / (static_cast<double>(members) * steps);
  fmt::print("{:<18} | {:>8.2f} ns | {:>8.2f} ns {:>6.2f} | {:.0e}\n", name, ours * each, by_hand * each,
             by_hand / ours, difference);
}

/// 100 000 sleighs from the model to their ends, in a new process that has compiled nothing before.
void whole_sweep() {
  const std::string folder = (std::filesystem::temp_directory_path() / "rattleback-bench-sweep").string();
  const auto child = [&] {
    return in_child(60, [&] {
      setenv("XDG_CACHE_HOME", folder.c_str(), 1);
      set_native_mode(NativeMode::on);
      Result r{Result::State::finished, 0, 0, 0, {}};
      constexpr std::size_t members = 100'000;
      r.seconds = seconds_of([&] {
        const Flow flow(load_model(model("chaplygin-sleigh")), Flow::Effort::thorough);
        std::vector<double> y = initial_state(flow);
        Columns states(flow.dimension(), members);
        for (std::size_t m = 0; m < members; ++m) {
          y[4] = 0.1 + 1.9 * static_cast<double>(m) / members;
          for (std::size_t i = 0; i < y.size(); ++i) states[i][m] = y[i];
        }
        LaneMethod method(flow.rates(), {}, members);
        LaneIntegrator integrator(method, {.rtol = 1e-10, .atol = 1e-12});
        Flights flights = flights_from(flow, states, 20);
        integrator.run(flights);
      });
      return r;
    });
  };
  Result cold, warm;
  for (int run = 0; run < 5; ++run) {
    std::filesystem::remove_all(folder);
    for (Result* best : {&cold, &warm}) {
      const Result r = child();
      if (best->state != Result::State::finished || r.seconds < best->seconds) *best = r;
    }
  }
  std::filesystem::remove_all(folder);
  fmt::print(
      "\n100 000 sleighs to T = 20 at 1e-10 on one core, from the model file: {} with LLVM, {} with the code "
      "on the disk\n",
      cold.time(), warm.time());
}

}  // namespace

int main() {
  fmt::print(
      "Trajectories per second on one core, T = 20; `by hand` has a step for each lane and refill, {} lanes, "
      "for this system alone;\n"
      "`error` of the configuration at the end, largest of 64; `differ` from the program by hand.\n\n"
      "{:<18} {:>7} {:>6} {:>9} | {:>10} | {:>10} {:>6} | {:>11} {:>6} | {}\n",
      hand::lanes, "system", "rtol", "steps", "error", "compiled", "by hand", "ratio", "interpreted", "",
      "differ");
  for (const double tolerance : {1e-8, 1e-10}) {
    compare<hand::Sleigh>("chaplygin-sleigh", {}, 50'000, tolerance, "omega", 0.1, 2, as_it_is<5>);
    compare<hand::FallingDisk>("falling-disk", {}, 2'000, tolerance, "turn", 0.3, 0.8, disk_by_hand);
    compare<hand::Snakeboard>("snakeboard", {}, 10'000, tolerance, "phi'", 0.05, 0.2, as_it_is<8>);
    compare<hand::Sphere>("chaplygin-sphere", {}, 5'000, tolerance, "Omega1", 0.3, 0.9, sphere_by_hand);
  }
  whole_sweep();

  fmt::print(
      "\nKutta's method with constant steps, for one step of one trajectory:\n{:<18} | {:>11} | {:>11} {:>6} "
      "| {}\n",
      "system", "compiled", "by hand", "ratio", "differ");
  compare_steps<hand::Sleigh>("chaplygin-sleigh", {}, as_it_is<5>);
  compare_steps<hand::FallingDisk>("falling-disk", {}, disk_by_hand);
  compare_steps<hand::Snakeboard>("snakeboard", {}, as_it_is<8>);
  compare_steps<hand::Sphere>("chaplygin-sphere", {}, sphere_by_hand);
}

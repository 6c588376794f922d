/// Chains of n links: from the model file to the rates, and one evaluation of the rates beside articulated-body recursions by hand.

#include <fmt/format.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/programs/economical.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/native/evaluator.hpp>
#include <rattleback/simulate/states/flow.hpp>

#include "hand_chains.hpp"
#include "timing.hpp"

using namespace bench;
using namespace rattleback;

namespace {

enum class Axes { parallel, alternating };
constexpr Rod rod{1, 1, 1.0 / 12, 9.81};

/// As a person writes it; another run has other names, so that nothing is remembered.
std::string chain(int n, Axes axes, int run) {
  std::string text = fmt::format("gravity = \"g\"\n{}[parameters]\ng = 9.81\n",
                                 axes == Axes::parallel ? "down = \"[0, -1, 0]\"\n" : "");
  for (const char* name : {"m", "l"}) text += fmt::format("{} = {{ value = 1, positive = true }}\n", name);
  text += "J = { value = \"1/12\", positive = true }\n";
  for (int i = 1; i <= n; ++i)
    text +=
        fmt::format("[bodies.b{}]\nmass = \"m\"\ninertia = \"[J/100, J, J]\"\ncenter = \"[l/2, 0, 0]\"\n", i);
  for (int i = 1; i <= n; ++i) {
    const std::string parent = i == 1 ? "" : fmt::format("parent = \"b{}\"\nat = \"[l, 0, 0]\"\n", i - 1);
    const char* axis = axes == Axes::parallel || i % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]";
    text += fmt::format(
        "[joints.q{0}]\nkind = \"revolute\"\nchild = \"b{0}\"\n{1}axis = \"{2}\"\ncoordinates = "
        "\"q{0}_{3}\"\n",
        i, parent, axis, run);
  }
  return text;
}

struct Timing {
  double read = 1e9, derived = 1e9;
};

Timing derivation(int n, Axes axes, int runs) {
  static int run = 0;
  Timing best;
  for (int k = 0; k < runs; ++k) {
    const std::string text = chain(n, axes, ++run);
    std::optional<System> system;
    best.read = std::min(best.read, seconds_of([&] { system = read_model(text, "chain.toml"); }));
    best.derived = std::min(best.derived, seconds_of([&] { straight_line_equations(*system); }));
  }
  return best;
}

template <class Rates>
double one_evaluation(Rates& f, const std::vector<double>& y, std::vector<double>& rate) {
  constexpr int evaluations = 2000, runs = 15;
  return fastest_of(runs,
                    [&](int) {
                      for (int k = 0; k < evaluations; ++k) f(y.data(), rate.data());
                    }) /
         evaluations;
}

template <class Hand>
void compare(int n, Axes axes) {
  const Timing time = derivation(n, axes, n > 50 ? 5 : 15);
  const System system = read_model(chain(n, axes, 0), "chain.toml");
  std::optional<Flow> flow;
  const double prepared = seconds_of([&] { flow.emplace(system); });
  std::vector<double> y(flow->dimension() + 1), ours(flow->dimension()), hand(flow->dimension());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(1.0 + static_cast<double>(i));
  Evaluator<double> f(flow->rates(), flow->parameter_values<double>());
  Hand by_hand(n, rod);
  double here = one_evaluation(f, y, ours), there = one_evaluation(by_hand, y, hand);
  here = std::min(here, one_evaluation(f, y, ours));
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    difference = std::max(difference, std::abs(hand[i] - ours[i]));
    largest = std::max(largest, std::abs(hand[i]));
  }
  fmt::print("{:<9}{:>4}{:>10}{:>10}{:>10}{:>12}{:>10}{:>10}{:>7.2f}{:>10.0e}\n",
             axes == Axes::parallel ? "planar" : "spatial", n, duration(time.read), duration(time.derived),
             duration(prepared), operations_of(straight_line_equations(system)), duration(here),
             duration(there), here / there, difference / largest);
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print(
      "Chains of n rods with revolute joints, axes parallel or in turn along e2 and e3. CPU time: the model "
      "file read; the equations "
      "derived; all that a run needs prepared; one evaluation of all rates by emitted code and by a "
      "recursion written by hand.\n\n"
      "{:<9}{:>4}{:>10}{:>10}{:>10}{:>12}{:>10}{:>10}{:>7}{:>10}\n",
      "chain", "n", "read", "derived", "prepared", "operations", "emitted", "by hand", "ratio", "differ");
  for (const int n : {10, 30, 100}) compare<PlanarChain>(n, Axes::parallel);
  for (const int n : {10, 30, 100}) compare<SpatialChain>(n, Axes::alternating);
}

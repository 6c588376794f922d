/// Energy of a car with n trailers along the Lagrange–d'Alembert motion: decided at random states modulo a prime.
///
/// The others need the accelerations as formulas; they solve for them, on the constraint, and reduce dE/dt.

#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/velocities/modular_motion.hpp>

#include "ginac.hpp"
#include "question.hpp"

using namespace bench;

namespace {

constexpr double limit = 10;

/// The whole question as a user asks it, and one random state of it.
struct Ours {
  double whole, state;
  std::size_t nodes;  ///< of the Lagrangian and the constraints
  std::string conserved, wrong;
};

Ours ours(int run, int n) {
  const Energies c = car(run, n);
  Ours r{};
  std::vector<Expr> roots{c.system.lagrangian};
  for (const Constraint& constraint : c.system.constraints) roots.push_back(constraint.expression);
  r.nodes = graph_size(roots);
  r.whole = seconds_of([&] { r.conserved = evidence(conserves_energy(c.system)); });
  r.wrong = evidence(is_conserved(c.system, c.kinetic - c.potential));

  const ModularMotion motion(c.system);
  const ModularProgram E(energy(c.system));
  constexpr int states = 5;
  int zeros = 0;
  r.state = fastest_of(3,
                       [&](int k) {
                         for (int i = 0; i < states; ++i) {
                           const auto state =
                               motion.state(std::uint64_t{1000} * static_cast<unsigned>(states * k + i));
                           zeros += motion.rate(E, *state)->is_zero() ? 1 : 0;
                         }
                       }) /
            states;
  if (zeros != 3 * states) r.conserved += " BUT NOT AT EVERY STATE";
  return r;
}

void ours_and_growth() {
  fmt::print("{:>4}{:>8}{:>14}{:>12}{:>12}   {:<24}{}\n", "n", "nodes", "nodes/(n+1)", "per state",
             "3 states", "T + V", "T - V");
  for (const int n : {1, 2, 5, 10, 20, 50, 100, 200}) {
    const Ours r = ours(n, n);
    fmt::print("{:>4}{:>8}{:>14.1f}{:>12}{:>12}   {:<24}{}\n", n, r.nodes,
               static_cast<double>(r.nodes) / (n + 1), duration(r.state), duration(r.whole), r.conserved,
               r.wrong);
    std::fflush(stdout);
  }
}

#ifdef RATTLEBACK_HAVE_GINAC
Result by_ginac(const Question& q, Expr E) {
  GinacMotion motion(q);
  const GiNaC::ex e = motion.in.read(plain(E));
  GiNaC::ex rate;
  Result r{Result::State::finished, 0, 0, 0, {}};
  r.seconds = seconds_of([&] { rate = motion.rate_of(e); });
  if (!rate.is_zero()) r.state = Result::State::failed;
  return r;
}
#endif

void others() {
  fmt::print("\n{:>4}{:>12} |{:>12}{:>10} |{:>12}{:>10}\n", "n", "3 states", "SymPy field", "ratio", "GiNaC",
             "ratio");
  for (const int n : {0, 1}) {
    const Energies c = car(300 + n, n);
    const double us = fastest_of(5, [n](int k) { (void)conserves_energy(car(400 + 10 * n + k, n).system); });
    const Question q = question_of(c.system);
    const Expr E = c.kinetic + c.potential;
    auto by_sympy = sympy("energy_trailers.py", limit, job_of(q) + "energy\t" + plain(E) + "\n");
    const Result field = by_sympy["field"];
    Result ginac;
#ifdef RATTLEBACK_HAVE_GINAC
    ginac = in_child(limit, [&] { return by_ginac(q, E); });
#endif
    fmt::print("{:>4}{:>12} |{:>12}{:>10} |{:>12}{:>10}\n", n, duration(us), field.time(), field.against(us),
               ginac.time(), ginac.against(us));
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  fmt::print(
      "Is T + V conserved along the motion of a car with n trailers, and is T - V rejected? CPU time. `3 "
      "states` is the whole question,\n"
      "from the Lagrangian to the verdict; `per state` is each further random state. The others stop after "
      "{:.0f} s.\n\n",
      limit);
  ours_and_growth();
  others();
}

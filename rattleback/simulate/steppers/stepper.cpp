#include <rattleback/simulate/steppers/stepper.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {

const std::vector<StepperRow>& all_steppers() {
  static const std::vector<StepperRow> rows{
      {"dop853", "Dormand–Prince 8(5,3)", 8, true, 1e-13, "", dop853_stepper},
      {"taylor", "Taylor series of automatic order", 0, true, 1e-15, "", taylor_stepper},
      {"radau5", "Radau IIA, for stiff motions", 5, true, 1e-10, "", radau5},
      {"rk4", "Kutta's classical method", 4, false, 0, "", runge_kutta4},
      {"munthe-kaas", "Runge–Kutta–Munthe-Kaas", 4, false, 0, "rotations, by exponentials", munthe_kaas4},
      {"gauss4", "Gauss–Legendre, two stages", 4, false, 0, "quadratic invariants, reversibility", gauss4},
      {"gauss6", "Gauss–Legendre, three stages", 6, false, 0, "quadratic invariants, reversibility", gauss6},
      {"dla", "discrete Lagrange–d'Alembert", 1, false, 0,
       "the principle of d'Alembert, momenta of horizontal symmetries", discrete_dalembert},
      {"dla-midpoint", "discrete Lagrange–d'Alembert at the midpoint", 2, false, 0,
       "the principle of d'Alembert, momenta of horizontal symmetries, reversibility",
       discrete_dalembert_midpoint},
      {"dla-reversible", "discrete Lagrange–d'Alembert with its adjoint", 2, false, 0,
       "the principle of d'Alembert, momenta of horizontal symmetries, reversibility",
       discrete_dalembert_reversible},
      {"gni", "geometric nonholonomic integrator, like RATTLE", 2, false, 0,
       "momenta of horizontal symmetries, reversibility", geometric_integrator},
      {"hamel", "Hamel's equations at the midpoint", 2, false, 0, "reversibility", hamel_midpoint},
      {"discrete-gradient", "discrete gradient on the constrained bracket", 2, false, 0,
       "the energy, reversibility", discrete_gradient},
      {"hamiltonized", "variational midpoint, composed, in the time of Chaplygin's multiplier", 4, false, 0,
       "the symplectic form after the change of time, momenta that are divided out", hamiltonized},
      {"cvode", "BDF of SUNDIALS, for stiff motions, where it is installed", 5, true, 1e-10, "", cvode_bdf},
      {"cvode-adams", "Adams methods of SUNDIALS, where it is installed", 12, true, 1e-12, "", cvode_adams},
  };
  return rows;
}

bool needs_independent_speeds(const std::string& method) {
  return method == "hamel" || method == "discrete-gradient";
}

const StepperRow& stepper_named(const std::string& name) {
  std::vector<std::string> names;
  for (const StepperRow& row : all_steppers()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  const auto close = nearest(name, names);
  throw Error("unknown-method", fmt::format("`{}` is not a method of integration", name), "",
              close.empty() ? fmt::format("choose from {}", fmt::join(names, ", "))
                            : fmt::format("did you mean `{}`?", close[0]));
}

}  // namespace rattleback

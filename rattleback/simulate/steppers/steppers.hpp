#pragma once
/// Factory functions of the steppers, one per file, for the table all_steppers() in stepper.cpp.

#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

std::unique_ptr<Stepper> dop853_stepper(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> taylor_stepper(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> runge_kutta4(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> gauss4(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> gauss6(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> radau5(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> munthe_kaas4(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> discrete_dalembert(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> discrete_dalembert_midpoint(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> discrete_dalembert_reversible(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> geometric_integrator(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> hamel_midpoint(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> discrete_gradient(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> hamiltonized(const Flow& flow, const StepperSettings& settings);
/// Part of `hamiltonized`: where the Hamiltonisation is that of a Lie algebra. Throws Inapplicable.
std::unique_ptr<Stepper> lie_poisson(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> cvode_bdf(const Flow& flow, const StepperSettings& settings);
std::unique_ptr<Stepper> cvode_adams(const Flow& flow, const StepperSettings& settings);

}  // namespace rattleback

#pragma once
/// The boundary to SUNDIALS' CVODE: a multistep solver behind a virtual interface, made by the extension `cvode`.

#include <cstddef>
#include <span>

namespace rattleback {

/// The methods of CVODE, with its own numbers.
enum class CvodeFamily : int { adams = 1, bdf = 2 };

/// Writes y' to `rates`; false where they are not finite, and a shorter step may help.
using CvodeRates = bool (*)(void* system, double t, const double* y, double* rates);

struct CvodeProblem {
  CvodeFamily family;
  CvodeRates rates;
  void* system;  ///< given to `rates`
  double rtol, atol;
};

/// Numbers that are returned are CVODE's codes: negative ones are failures.
class CvodeSolver {
 public:
  CvodeSolver() = default;
  CvodeSolver(const CvodeSolver&) = delete;
  CvodeSolver& operator=(const CvodeSolver&) = delete;
  virtual ~CvodeSolver() = default;
  /// One step of the solver's choice, not beyond `end`.
  virtual int step(double end, double& t, std::span<double> y) = 0;
  /// The state within the last step.
  virtual int at(double t, std::span<double> y) const = 0;
  virtual std::size_t rejected() const = 0;
};

/// The function `rattleback_cvode_solver` of the extension; nothing when CVODE refuses the problem.
using MakeCvodeSolver = CvodeSolver*(const CvodeProblem& problem, double t, std::span<const double> y);

}  // namespace rattleback

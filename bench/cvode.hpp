#pragma once
/// SUNDIALS' CVODE on equations written by hand, where it is installed: the better of Adams and BDF.

#include "peers.hpp"

#ifdef RATTLEBACK_HAVE_CVODE
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#endif

namespace bench {

#ifdef RATTLEBACK_HAVE_CVODE
template <class System>
double cvode_seconds(const System& f, int kind, std::array<double, System::n>& y, double until, double rtol) {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector state = N_VNew_Serial(System::n, context);
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(state));
  void* solver = CVodeCreate(kind, context);
  CVodeInit(
      solver,
      [](double, N_Vector at, N_Vector rate, void* system) {
        (*static_cast<const System*>(system))(N_VGetArrayPointer(at), N_VGetArrayPointer(rate));
        return 0;
      },
      0, state);
  CVodeSetUserData(solver, const_cast<System*>(&f));
  CVodeSStolerances(solver, rtol, rtol / 100);
  CVodeSetMaxNumSteps(solver, 10'000'000);
  SUNMatrix matrix = SUNDenseMatrix(System::n, System::n, context);
  SUNLinearSolver linear = SUNLinSol_Dense(state, matrix, context);
  CVodeSetLinearSolver(solver, linear, matrix);
  CVodeSetStopTime(solver, until);
  double t = 0;
  const double seconds = seconds_of([&] { CVode(solver, until, state, &t, CV_NORMAL); });
  std::copy_n(N_VGetArrayPointer(state), System::n, y.begin());
  CVodeFree(&solver);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(state);
  SUNContext_Free(&context);
  return seconds;
}
#endif

/// The fastest run whose error in the configuration is within `wanted` of the truth.
template <class System>
Result by_cvode([[maybe_unused]] const System& f, [[maybe_unused]] const std::array<double, System::n>& start,
                [[maybe_unused]] const std::vector<double>& truth, [[maybe_unused]] double until,
                [[maybe_unused]] double wanted) {
  Result best;
#ifdef RATTLEBACK_HAVE_CVODE
  best.state = Result::State::failed;
  for (const int kind : {CV_ADAMS, CV_BDF}) {
    for (double rtol = 1e-9; rtol > 1e-15; rtol /= 3) {
      std::array<double, System::n> y = start;
      const double seconds = cvode_seconds(f, kind, y, until, rtol);
      double error = 0;
      for (std::size_t i = 0; i < 5; ++i) error = std::max(error, std::abs(y[i] - truth[i]));
      if (!(error <= wanted)) continue;
      if (best.state == Result::State::failed || seconds < best.seconds)
        best = {Result::State::finished, seconds, y[0], 0, {}};
      break;
    }
  }
#endif
  return best;
}

}  // namespace bench

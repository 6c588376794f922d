/// CVODE of SUNDIALS [Hindmarsh et al. 2005] as an extension: variable-order BDF and Adams methods with dense linear algebra.
#include <rattleback/simulate/steppers/cvode_solver.hpp>

#include <algorithm>
#include <memory>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace rattleback {
namespace {

static_assert(static_cast<int>(CvodeFamily::adams) == CV_ADAMS &&
              static_cast<int>(CvodeFamily::bdf) == CV_BDF);

class Solver final : public CvodeSolver {
 public:
  Solver(const CvodeProblem& problem, double t, std::span<const double> y) : problem_(problem) {
    const auto n = static_cast<sunindextype>(y.size());
    SUNContext_Create(nullptr, &context_);
    state_ = N_VNew_Serial(n, context_);
    between_ = N_VNew_Serial(n, context_);
    matrix_ = SUNDenseMatrix(n, n, context_);
    linear_ = SUNLinSol_Dense(state_, matrix_, context_);
    memory_ = CVodeCreate(static_cast<int>(problem.family), context_);
    std::copy(y.begin(), y.end(), N_VGetArrayPointer(state_));
    CVodeSetErrFile(memory_, nullptr);  // the caller reports failures
    is_ready_ = CVodeInit(memory_, rates, t, state_) >= 0 &&
                CVodeSStolerances(memory_, problem.rtol, problem.atol) >= 0 &&
                CVodeSetUserData(memory_, this) >= 0 &&
                CVodeSetLinearSolver(memory_, linear_, matrix_) >= 0 && CVodeSetMaxNumSteps(memory_, -1) >= 0;
  }
  ~Solver() override {
    CVodeFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(between_);
    N_VDestroy(state_);
    SUNContext_Free(&context_);
  }
  bool is_ready() const { return is_ready_; }

  int step(double end, double& t, std::span<double> y) override {
    if (const int flag = CVodeSetStopTime(memory_, end); flag < 0) return flag;
    const int flag = CVode(memory_, end, state_, &t, CV_ONE_STEP);
    std::copy_n(N_VGetArrayPointer(state_), y.size(), y.begin());
    return flag;
  }
  int at(double t, std::span<double> y) const override {
    const int flag = CVodeGetDky(memory_, t, 0, between_);
    std::copy_n(N_VGetArrayPointer(between_), y.size(), y.begin());
    return flag;
  }
  std::size_t rejected() const override {
    long failed = 0;
    CVodeGetNumErrTestFails(memory_, &failed);
    return static_cast<std::size_t>(failed);
  }

 private:
  static int rates(double t, N_Vector y, N_Vector rate, void* self) {
    const CvodeProblem& problem = static_cast<Solver*>(self)->problem_;
    return problem.rates(problem.system, t, N_VGetArrayPointer(y), N_VGetArrayPointer(rate)) ? 0 : 1;
  }

  CvodeProblem problem_;
  SUNContext context_ = nullptr;
  N_Vector state_ = nullptr, between_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
  bool is_ready_ = false;
};

}  // namespace
}  // namespace rattleback

extern "C" rattleback::CvodeSolver* rattleback_cvode_solver(const rattleback::CvodeProblem& problem, double t,
                                                            std::span<const double> y) {
  auto made = std::make_unique<rattleback::Solver>(problem, t, y);
  return made->is_ready() ? made.release() : nullptr;
}

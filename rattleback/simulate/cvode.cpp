// Declared in simulate/steppers.hpp. CVODE of SUNDIALS [Hindmarsh et al. 2005], where it is installed: multistep methods of variable order, BDF for stiff motions
/// and Adams for the others. The shared library is opened when the method is first asked for; nothing is needed to build.
///
/// Declared here as in SUNDIALS 6, whose library is libsundials_cvode.so.6 on Linux: real numbers are double, indices have 64 bits.
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/manifold.hpp>
#include <rattleback/simulate/steppers.hpp>

namespace rattleback {
namespace {

using Handle = void*;
using RightHandSide = int (*)(double, Handle, Handle, void*);

/// The functions that are used, by their names.
struct Sundials {
  int (*SUNContext_Create)(void*, Handle*);
  int (*SUNContext_Free)(Handle*);
  Handle (*N_VNew_Serial)(std::int64_t, Handle);
  double* (*N_VGetArrayPointer)(Handle);
  void (*N_VDestroy)(Handle);
  Handle (*SUNDenseMatrix)(std::int64_t, std::int64_t, Handle);
  void (*SUNMatDestroy)(Handle);
  Handle (*SUNLinSol_Dense)(Handle, Handle, Handle);
  int (*SUNLinSolFree)(Handle);
  Handle (*CVodeCreate)(int, Handle);
  void (*CVodeFree)(Handle*);
  int (*CVodeInit)(Handle, RightHandSide, double, Handle);
  int (*CVodeSStolerances)(Handle, double, double);
  int (*CVodeSetUserData)(Handle, void*);
  int (*CVodeSetErrFile)(Handle, std::FILE*);
  int (*CVodeSetLinearSolver)(Handle, Handle, Handle);
  int (*CVodeSetStopTime)(Handle, double);
  int (*CVodeSetMaxNumSteps)(Handle, long);
  int (*CVode)(Handle, double, Handle, double*, int);
  int (*CVodeGetDky)(Handle, double, int, Handle);
  int (*CVodeGetNumErrTestFails)(Handle, long*);
};

template <class F>
void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr)
    throw Unavailable("missing-extension", "the installed SUNDIALS is not the one that is known", dlerror(),
                      "install version 6 (on Debian libsundials-cvode6), or use --method radau5");
}

const Sundials& sundials() {
  static const Sundials all = [] {
    void* library = dlopen("libsundials_cvode.so.6", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      throw Unavailable("missing-extension", "this installation cannot use SUNDIALS", dlerror(),
                        "install it (on Debian libsundials-cvode6), or use --method radau5 or dop853");
    Sundials s{};
#define RATTLEBACK_FIND(name) find(library, #name, s.name);
    RATTLEBACK_FIND(SUNContext_Create)
    RATTLEBACK_FIND(SUNContext_Free)
    RATTLEBACK_FIND(N_VNew_Serial)
    RATTLEBACK_FIND(N_VGetArrayPointer)
    RATTLEBACK_FIND(N_VDestroy)
    RATTLEBACK_FIND(SUNDenseMatrix)
    RATTLEBACK_FIND(SUNMatDestroy)
    RATTLEBACK_FIND(SUNLinSol_Dense)
    RATTLEBACK_FIND(SUNLinSolFree)
    RATTLEBACK_FIND(CVodeCreate)
    RATTLEBACK_FIND(CVodeFree)
    RATTLEBACK_FIND(CVodeInit)
    RATTLEBACK_FIND(CVodeSStolerances)
    RATTLEBACK_FIND(CVodeSetUserData)
    RATTLEBACK_FIND(CVodeSetErrFile)
    RATTLEBACK_FIND(CVodeSetLinearSolver)
    RATTLEBACK_FIND(CVodeSetStopTime)
    RATTLEBACK_FIND(CVodeSetMaxNumSteps)
    RATTLEBACK_FIND(CVode)
    RATTLEBACK_FIND(CVodeGetDky)
    RATTLEBACK_FIND(CVodeGetNumErrTestFails)
#undef RATTLEBACK_FIND
    return s;
  }();
  return all;
}

enum Family : int { adams = 1, bdf = 2 };

class Cvode final : public Stepper {
 public:
  Cvode(const Flow& flow, const StepperSettings& settings, Family family)
      : f_(flow), manifold_(flow), settings_(settings), family_(family), lib_(sundials()) {}
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;
  ~Cvode() override { close(); }

  void start(double t, std::span<const double> y) override {
    close();
    t_ = t_old_ = t;
    y_.assign(y.begin(), y.end());
    y_old_ = y_;
    const auto n = static_cast<std::int64_t>(y.size());
    lib_.SUNContext_Create(nullptr, &context_);
    vector_ = lib_.N_VNew_Serial(n, context_);
    between_ = lib_.N_VNew_Serial(n, context_);
    std::copy(y.begin(), y.end(), lib_.N_VGetArrayPointer(vector_));
    memory_ = lib_.CVodeCreate(family_, context_);
    matrix_ = lib_.SUNDenseMatrix(n, n, context_);
    solver_ = lib_.SUNLinSol_Dense(vector_, matrix_, context_);
    lib_.CVodeSetErrFile(memory_, nullptr);  // failures are reported by us
    require(lib_.CVodeInit(memory_, rates, t, vector_));
    require(lib_.CVodeSStolerances(memory_, settings_.rtol, settings_.atol));
    require(lib_.CVodeSetUserData(memory_, this));
    require(lib_.CVodeSetLinearSolver(memory_, solver_, matrix_));
    require(lib_.CVodeSetMaxNumSteps(memory_, -1));
  }

  void step(double end) override {
    constexpr int one_step = 2;
    t_old_ = t_;
    y_old_ = y_;
    require(lib_.CVodeSetStopTime(memory_, end));
    double t = t_;
    require(lib_.CVode(memory_, end, vector_, &t, one_step));
    t_ = t;
    const double* y = lib_.N_VGetArrayPointer(vector_);
    y_.assign(y, y + y_.size());
    manifold_(t_, y_.data());
    ++counts_.steps;
    long failed = 0;
    lib_.CVodeGetNumErrTestFails(memory_, &failed);
    counts_.rejected = static_cast<std::size_t>(failed);
  }

  void at(double t, std::span<double> y) const override {
    if (lib_.CVodeGetDky(memory_, t, 0, between_) < 0)
      throw StepFailure(t, "CVODE does not interpolate there");
    const double* values = lib_.N_VGetArrayPointer(between_);
    std::copy(values, values + y.size(), y.begin());
    manifold_(t, y.data());
  }
  std::size_t evaluations() const override { return f_.count(); }

 private:
  static int rates(double t, Handle y, Handle dy, void* self) {
    auto* stepper = static_cast<Cvode*>(self);
    double* out = stepper->lib_.N_VGetArrayPointer(dy);
    stepper->f_(t, stepper->lib_.N_VGetArrayPointer(y), out);
    for (std::size_t i = 0; i < stepper->y_.size(); ++i)
      if (!std::isfinite(out[i])) return 1;  // a shorter step may help
    return 0;
  }
  void require(int flag) const {
    if (flag < 0)
      throw StepFailure(t_, "CVODE gives up (code " + std::to_string(flag) +
                                "): the steps became too short, or the motion meets a singularity here");
  }
  void close() {
    if (memory_ == nullptr) return;
    lib_.CVodeFree(&memory_);
    lib_.SUNLinSolFree(solver_);
    lib_.SUNMatDestroy(matrix_);
    lib_.N_VDestroy(vector_);
    lib_.N_VDestroy(between_);
    lib_.SUNContext_Free(&context_);
    memory_ = nullptr;
  }

  Rates f_;
  mutable Manifold<double> manifold_;
  StepperSettings settings_;
  Family family_;
  const Sundials& lib_;
  Handle context_ = nullptr, memory_ = nullptr, vector_ = nullptr, between_ = nullptr, matrix_ = nullptr,
         solver_ = nullptr;
};

}  // namespace

std::unique_ptr<Stepper> cvode_bdf(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Cvode>(flow, settings, bdf);
}

std::unique_ptr<Stepper> cvode_adams(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Cvode>(flow, settings, adams);
}

}  // namespace rattleback

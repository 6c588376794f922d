#pragma once
/// Motion and variational equations together: y' = f(t, y), δ_j' = ∂f/∂y δ_j, by Dormand and Prince's method of order 8.

#include <new>

#include <Eigen/Core>

#include <rattleback/native/object_code.hpp>
#include <rattleback/native/variational_module.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/steppers/stage_sum.hpp>
#include <rattleback/simulate/steppers/step_control.hpp>

namespace rattleback {

/// Rows that begin where cache lines do.
template <class T>
struct LineAllocator {
  using value_type = T;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: conversions are what allocators are asked for
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};
using Row = std::vector<double, LineAllocator<double>>;

/// Directions δ_1 … δ_k stand side by side in the lanes of vector registers, `lanes` of them in a group: entry i of direction j
/// is at ((j / lanes)·n + i)·lanes + j mod lanes. Each thread needs its own.
class VariationalRates {
 public:
  VariationalRates(const Flow& flow, std::size_t directions, bool with_divergence = false);

  std::size_t lanes() const { return lanes_; }
  std::size_t groups() const { return groups_; }
  /// Whether the rates give it: not where the directions are several groups or the code would be too long.
  bool has_divergence() const { return code_.has_divergence(); }
  /// f and all ∂f/∂y δ_j, and the divergence where it is asked for. `y` has room for the time behind it.
  void operator()(double t, double* y, const double* directions, double* rates, double* slopes,
                  double* divergence = nullptr);

 private:
  /// void variations(δ, c, slopes) for one group.
  using Linear = void (*)(const double* directions, const double* coefficients, double* slopes);
  void consider();
  void interpret(const double* directions, double* slopes);

  std::size_t n_, directions_, lanes_, groups_;
  VariationalCode code_, fused_;
  Evaluator<double> coefficients_, linear_;
  std::shared_ptr<const ObjectCode> object_;
  Variations whole_ = nullptr;  ///< of one group
  Linear compiled_ = nullptr;   ///< of each of several
  const void* functions_ = library_functions();
  std::size_t count_ = 0;
  std::vector<double> values_, x_, result_, constants_;
};

/// Σ ∂f_i/∂y_i of a flow, made once: see Flow::derived.
struct DivergenceOfFlow : Code {
  explicit DivergenceOfFlow(const Flow& flow) : Code(divergence_code(flow.rates(), flow.dimension())) {}
};

/// Steps are chosen for the motion and for the directions: errors are relative to a size of one or to their own, whichever is larger.
/// Backwards where the end lies before the start. Each thread needs its own.
class VariationalMotion {
 public:
  /// `with_divergence`: ∫ Σ ∂f_i/∂y_i dt is computed besides, with the weights of the method.
  VariationalMotion(const Flow& flow, std::size_t directions, const StepperSettings& settings,
                    bool with_divergence = false);

  void start(double t, std::span<const double> y, const Eigen::MatrixXd& directions);
  /// One step towards `end`, never past it. Throws StepFailure.
  void step(double end);

  double time() const { return t_; }
  std::span<const double> state() const { return {y_.data(), n_}; }
  std::size_t steps() const { return steps_; }
  /// One direction in each column.
  Eigen::MatrixXd directions() const;
  void set_directions(const Eigen::MatrixXd& directions);
  double divergence_integral() const { return divergence_; }

 private:
  double attempt(double h);
  void evaluate(double t, double* y, const double* directions, int stage);
  std::size_t at(std::size_t i, std::size_t j) const {
    return ((j / rates_.lanes()) * n_ + i) * rates_.lanes() + j % rates_.lanes();
  }

  std::size_t n_, k_;
  VariationalRates rates_;
  Manifold<double> manifold_;
  StepControl control_;
  bool has_divergence_ = false;
  std::optional<Evaluator<double>> divergence_of_;  ///< where the rates do not give it
  const stage_rows::Functions& rows_ = stage_rows::functions();
  std::size_t y_stride_, d_stride_;  ///< of rows: the numbers, and zeros
  Row y_, d_, y_at_, d_at_, y_rates_, d_rates_;
  std::vector<double> divergences_;  ///< at the stages
  double t_ = 0, h_ = 0, divergence_ = 0;
  std::size_t steps_ = 0;
  bool fresh_ = true;  ///< the rates at the beginning of the step are not known
};

}  // namespace rattleback

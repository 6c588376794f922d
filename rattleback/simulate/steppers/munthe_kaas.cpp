// Declared in simulate/steppers/steppers.hpp. Runge–Kutta–Munthe-Kaas of order 4: rotations move by exponentials and never leave the group.
#include <rattleback/simulate/states/quaternion.hpp>
#include <rattleback/simulate/states/rotation_vector.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

class MuntheKaas final : public FixedStepper {
 public:
  using FixedStepper::FixedStepper;

 protected:
  /// Kutta's method in the chart θ of each rotation about its value at the beginning of the step; the scalar parts of
  /// quaternions carry nothing there.
  void advance(double h) override {
    const std::size_t n = y_.size();
    for (auto* k : {&k1_, &k2_, &k3_, &k4_, &local_, &stage_}) k->assign(n, 0);
    rate(t_old_, k1_, 0, k1_);
    rate(t_old_ + h / 2, k1_, h / 2, k2_);
    rate(t_old_ + h / 2, k2_, h / 2, k3_);
    rate(t_old_ + h, k3_, h, k4_);
    for (std::size_t i = 0; i < n; ++i) local_[i] = h / 6 * (k1_[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
    moved(y_);
  }

 private:
  /// The point with local coordinates local_.
  void moved(std::vector<double>& y) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = y_old_[i] + local_[i];
    for (const std::size_t q : f_.flow().quaternions()) {
      const Quaternion base{y_old_[q], y_old_[q + 1], y_old_[q + 2], y_old_[q + 3]};
      const Quaternion turned = base * exponential({local_[q + 1], local_[q + 2], local_[q + 3]});
      std::copy(turned.begin(), turned.end(), y.begin() + static_cast<std::ptrdiff_t>(q));
    }
  }
  void rate(double t, const std::vector<double>& k, double by, std::vector<double>& out) {
    for (std::size_t i = 0; i < k.size(); ++i) local_[i] = by * k[i];
    moved(stage_);
    f_(t, stage_.data(), out.data());
    for (const std::size_t q : f_.flow().quaternions()) {
      // Ω = 2 q⁻¹ q'.
      const Quaternion inverse{stage_[q], -stage_[q + 1], -stage_[q + 2], -stage_[q + 3]};
      const Quaternion spin = inverse * Quaternion{out[q], out[q + 1], out[q + 2], out[q + 3]};
      const Vector3 theta{local_[q + 1], local_[q + 2], local_[q + 3]};
      const Vector3 turn = rotation_vector_rate(theta, {2 * spin[1], 2 * spin[2], 2 * spin[3]});
      out[q] = 0;
      std::copy(turn.begin(), turn.end(), out.begin() + static_cast<std::ptrdiff_t>(q + 1));
    }
  }

  std::vector<double> k1_, k2_, k3_, k4_, local_, stage_;
};

}  // namespace

std::unique_ptr<Stepper> munthe_kaas4(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<MuntheKaas>(flow, settings);
}

}  // namespace rattleback

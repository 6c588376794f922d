// Declared in simulate/steppers/steppers.hpp. DOP853: the adaptive Runge–Kutta method of order 8 of Dormand and Prince, with dense output.
#include <algorithm>
#include <array>
#include <cmath>

#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/steppers/dop853_tableau.hpp>
#include <rattleback/simulate/steppers/step_control.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

using dop853::Weight;

/// Of a stage at the end of a step and in its errors: the method of order 3 is compared with that of order 8.
const std::vector<stage_rows::EndWeight>& end_weights() {
  static const std::vector<stage_rows::EndWeight> weights = [] {
    std::array<stage_rows::EndWeight, dop853::stages> all{};
    for (const Weight& w : dop853::a12) all[static_cast<std::size_t>(w.stage)].value = w.value;
    for (const Weight& w : dop853::a12) all[static_cast<std::size_t>(w.stage)].third = w.value;
    for (const Weight& w : dop853::e3) all[static_cast<std::size_t>(w.stage)].third -= w.value;
    for (const Weight& w : dop853::e5) all[static_cast<std::size_t>(w.stage)].fifth = w.value;
    std::vector<stage_rows::EndWeight> used;
    for (std::size_t s = 0; s < all.size(); ++s) {
      all[s].stage = static_cast<int>(s);
      if (all[s].value != 0 || all[s].fifth != 0 || all[s].third != 0) used.push_back(all[s]);
    }
    return used;
  }();
  return weights;
}

class Dop853 final : public Stepper {
 public:
  Dop853(const Flow& flow, const StepperSettings& settings)
      : f_(flow.rates(), flow.parameter_values<double>()), manifold_(flow), control_(settings, 8) {}

  void start(double t, std::span<const double> y) override {
    const std::size_t n = y.size();
    t_ = t_old_ = t;
    y_.assign(y.begin(), y.end());
    y_old_ = y_;
    stride_ = (n + rows_.width - 1) / rows_.width * rows_.width;
    k_.assign(dop853::extended_stages * stride_, 0.0);
    base_.assign(stride_, 1.0);  // not 0, of which an error may be infinitely large a part
    x_.assign(stride_ + 1, 0.0);
    std::copy(y.begin(), y.end(), base_.begin());
    rate(t_, y_, k(0));
    h_ = 0;
    has_dense_ = accepted_ = false;
  }

  void step(double end) override {
    if (h_ == 0)
      h_ = control_.first_step(
          [&](double t, const double* y, double* dy) {
            rate(t, {y, y_.size()}, dy);
          },
          t_, y_, {k(0), y_.size()}, end - t_);
    if (accepted_) std::copy_n(k(12), stride_, k(0));  // first same as last
    accepted_ = false;
    for (bool rejected = false;; rejected = true) {
      const double left = end - t_;
      const bool last = h_ * (1 + 1e-10) >= left;
      const double h = last ? left : h_;
      control_.require_progress(t_, h);
      const double error = attempt(h);
      h_ = control_.next(h, error, rejected);
      if (error <= 1) {
        accept(last ? end : t_ + h);
        if (last) h_ = std::max(h_, control_.previous());
        control_.accepted(h);
        return;
      }
      ++counts_.rejected;
    }
  }

  void at(double t, std::span<double> y) const override {
    if (!has_dense_) make_dense();
    const double s = (t - t_old_) / (t_ - t_old_), r = 1 - s;
    for (std::size_t i = 0; i < y.size(); ++i) {
      double value = 0;
      for (int k = 6; k >= 0; --k)
        value = (value + dense_[static_cast<std::size_t>(k)][i]) * (k % 2 == 0 ? s : r);
      y[i] = y_old_[i] + value;
    }
  }
  std::size_t evaluations() const override { return evaluations_; }

 private:
  double* k(int stage) const { return k_.data() + static_cast<std::size_t>(stage) * stride_; }

  /// The rates at a time and a state.
  void rate(double t, std::span<const double> y, double* to) const {
    std::copy(y.begin(), y.end(), x_.begin());
    rate_here(t, to);
  }
  /// At the state that stands in x_.
  void rate_here(double t, double* to) const {
    x_[y_.size()] = t;
    f_(x_.data(), to);
    ++evaluations_;
  }
  /// k_s at t + c h, y + h Σ a_j k_j.
  void stage(int s, double t, const std::vector<double>& y, double h) const {
    const auto row = static_cast<std::size_t>(s);
    rows_.sum(k_.data(), stride_, dop853::a[row].data(), dop853::a[row].size(), y.data(), h, x_.data());
    rate_here(t + dop853::c[row] * h, k(s));
  }

  /// The weighted error of a step; more than 1 rejects it.
  double attempt(double h) {
    for (int s = 1; s < dop853::stages; ++s) stage(s, t_, base_, h);
    const auto [fifth, third] = rows_.end(k_.data(), stride_, end_weights().data(), end_weights().size(),
                                          base_.data(), h, control_.rtol(), control_.atol(), x_.data());
    const double both = fifth + 0.01 * third;
    if (both == 0) return 0;
    return std::abs(h) * fifth / std::sqrt(both * static_cast<double>(y_.size()));
  }

  void accept(double t) {
    t_old_ = t_;
    std::swap(y_, y_old_);
    t_ = t;
    std::copy_n(x_.begin(), y_.size(), y_.begin());
    manifold_(t_, y_.data());
    std::copy(y_.begin(), y_.end(), base_.begin());
    rate(t_, y_, k(12));
    ++counts_.steps;
    accepted_ = true;
    has_dense_ = false;
  }

  void make_dense() const {
    const double h = t_ - t_old_;
    const std::size_t n = y_.size();
    std::vector<double> from(stride_);
    std::copy(y_old_.begin(), y_old_.end(), from.begin());
    for (int s = 13; s < dop853::extended_stages; ++s) stage(s, t_old_, from, h);
    dense_.assign(7, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const double rise = y_[i] - y_old_[i];
      dense_[0][i] = rise;
      dense_[1][i] = h * k(0)[i] - rise;
      dense_[2][i] = 2 * rise - h * (k(12)[i] + k(0)[i]);
      for (std::size_t row = 0; row < 4; ++row)
        for (const Weight& w : dop853::d[row]) dense_[3 + row][i] += h * w.value * k(w.stage)[i];
    }
    has_dense_ = true;
  }

  mutable Evaluator<double> f_;
  mutable std::size_t evaluations_ = 0;
  Manifold<double> manifold_;
  StepControl control_;
  double h_ = 0;
  bool accepted_ = false;
  mutable bool has_dense_ = false;
  const stage_rows::Functions& rows_ = stage_rows::functions();
  std::size_t stride_ = 0;         ///< of a row: the variables, and zeros
  mutable std::vector<double> k_;  ///< rates at the stages, row by row
  mutable std::vector<double> x_;  ///< a state and its time
  std::vector<double> base_;       ///< y_ as a row
  mutable std::vector<std::vector<double>> dense_;
};

}  // namespace

std::unique_ptr<Stepper> dop853_stepper(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Dop853>(flow, settings);
}

}  // namespace rattleback

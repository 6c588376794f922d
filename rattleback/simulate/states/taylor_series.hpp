#pragma once
/// The Taylor polynomial of a motion at a state, for any number type: by the recurrences of jets.hpp, or, in double and where it is
/// not too long, by straight-line code of all recurrences (jet_code.hpp).

#include <map>
#include <memory>
#include <mutex>

#include <rattleback/native/jets.hpp>
#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Each thread needs its own.
template <class T>
class TaylorSeries {
 public:
  TaylorSeries(const Flow& flow, std::size_t order)
      : n_(flow.dimension()), jets_(flow.rates(), flow.parameter_values<T>(), order) {}

  std::size_t order() const { return jets_.order(); }
  /// The polynomial of the motion through (y, t).
  void operator()(const T* y, const T& t) { jets_(y, t); }
  /// Its value after h.
  void value(const T& h, T* y) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const std::span<const T> c = jets_.coefficients(i);
      T total = c[order()];
      for (std::size_t k = order(); k-- > 0;) total = total * h + c[k];
      y[i] = total;
    }
  }
  /// The rate of the i-th variable after h, by the polynomial.
  T slope(const T& h, std::size_t i) const {
    const std::span<const T> c = jets_.coefficients(i);
    T total(0);
    for (std::size_t k = order(); k > 0; --k) total = total * h + T(static_cast<double>(k)) * c[k];
    return total;
  }
  /// The largest of the coefficients of order k; not a number where one is not.
  T largest(std::size_t k) const {
    using std::abs;
    T most(0);
    for (std::size_t i = 0; i < n_; ++i) {
      const T size = abs(jets_.coefficients(i)[k]);
      if (!(size < most)) most = size;
      if (!(most == most)) return most;
    }
    return most;
  }

 private:
  std::size_t n_;
  Jets<T> jets_;
};

/// The code of each order that was asked for, shared by copies of a flow.
class JetCodes {
 public:
  explicit JetCodes(const Flow& flow) : rates_(flow.rates()) {}
  /// Null where the code would be too long.
  std::shared_ptr<const Code> operator()(std::size_t order) const;

 private:
  Code rates_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, std::shared_ptr<const Code>> codes_;
};

template <>
class TaylorSeries<double> {
 public:
  TaylorSeries(const Flow& flow, std::size_t order);

  std::size_t order() const { return order_; }
  void operator()(const double* y, double t);
  void value(double h, double* y) const;
  double slope(double h, std::size_t i) const;
  double largest(std::size_t k) const;

 private:
  double coefficient(std::size_t i, std::size_t k) const {
    return jets_ ? jets_->coefficients(i)[k] : rows_[k * n_ + i];
  }

  std::size_t n_, order_;
  std::shared_ptr<const Code> code_;
  std::optional<Evaluator<double>> evaluate_;
  std::optional<Jets<double>> jets_;  ///< where there is no code
  std::vector<double> x_, rows_;      ///< y and t; coefficients, those of one order after the other
};

}  // namespace rattleback

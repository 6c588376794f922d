#include <rattleback/simulate/states/taylor_series.hpp>

#include <cmath>

#include <rattleback/native/jet_code.hpp>
#include <rattleback/native/remembered_code.hpp>
#include <rattleback/native/series.hpp>

namespace rattleback {

std::shared_ptr<const Code> JetCodes::operator()(std::size_t order) const {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = codes_.try_emplace(order);
  if (is_new) {
    if (std::optional<Code> code = jet_code(rates_, order)) {
      found->second = std::make_shared<const Code>(std::move(*code));
      remember_code(found->second);
    }
  }
  return found->second;
}

TaylorSeries<double>::TaylorSeries(const Flow& flow, std::size_t order)
    : n_(flow.dimension()), order_(order), code_((*flow.derived<JetCodes>())(order)) {
  const std::vector<double> parameters = flow.parameter_values<double>();
  if (code_) {
    evaluate_.emplace(*code_, parameters);
    x_.resize(n_ + 1);
    rows_.resize((order + 1) * n_ + series::margin);
  } else {
    jets_.emplace(flow.rates(), parameters, order);
  }
}

void TaylorSeries<double>::operator()(const double* y, double t) {
  if (jets_) return (*jets_)(y, t);
  std::copy(y, y + n_, x_.begin());
  std::copy(y, y + n_, rows_.begin());
  x_.back() = t;
  (*evaluate_)(x_.data(), rows_.data() + n_);
}

void TaylorSeries<double>::value(double h, double* y) const {
  if (!jets_) return series::functions().values(rows_.data(), n_, order_, h, y);
  for (std::size_t i = 0; i < n_; ++i) y[i] = coefficient(i, order_);
  for (std::size_t k = order_; k-- > 0;)
    for (std::size_t i = 0; i < n_; ++i) y[i] = y[i] * h + coefficient(i, k);
}

double TaylorSeries<double>::slope(double h, std::size_t i) const {
  double total = 0;
  for (std::size_t k = order_; k > 0; --k) total = total * h + static_cast<double>(k) * coefficient(i, k);
  return total;
}

double TaylorSeries<double>::largest(std::size_t k) const {
  double most = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double size = std::abs(coefficient(i, k));
    if (std::isnan(size)) return size;
    most = std::max(most, size);
  }
  return most;
}

}  // namespace rattleback

#include <rattleback/native/dual.hpp>

namespace rattleback {

Jacobian::Jacobian(const Code& code, std::span<const double> parameters, std::size_t columns)
    : columns_(columns),
      f_(code, std::vector<Tangent<double>>(parameters.begin(), parameters.end())),
      x_(code.inputs),
      y_(code.outputs.size()) {}

void Jacobian::operator()(const double* x, double* y, double* j) {
  std::copy(x, x + x_.size(), x_.begin());
  for (std::size_t column = 0; column < columns_; ++column) {
    x_[column].slope = 1;
    f_(x_.data(), y_.data());
    x_[column].slope = 0;
    for (const Tangent<double>& value : y_) *j++ = value.slope;
  }
  if (columns_ == 0) f_(x_.data(), y_.data());
  for (const Tangent<double>& value : y_) *y++ = value.value;
}

}  // namespace rattleback

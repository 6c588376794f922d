#include <rattleback/native/dual.hpp>

#include <rattleback/native/tangent_code.hpp>

namespace rattleback {

Jacobian::Jacobian(const Code& code, std::span<const double> parameters, std::size_t columns)
    : columns_(columns),
      f_(code, std::vector<Tangent<double>>(parameters.begin(), parameters.end())),
      x_(code.inputs),
      y_(code.outputs.size()) {
  auto tangents = tangent_code(code, columns);
  if (!tangents) return;
  tangents_ = std::make_unique<const Code>(*std::move(tangents));
  both_.emplace(*tangents_, parameters);
  values_.resize(tangents_->outputs.size());
}

void Jacobian::operator()(const double* x, double* y, double* j) {
  if (!both_) return by_duals(x, y, j);
  (*both_)(x, values_.data());
  const auto end_of_y = values_.begin() + static_cast<std::ptrdiff_t>(y_.size());
  std::copy(values_.begin(), end_of_y, y);
  std::copy(end_of_y, values_.end(), j);
}

void Jacobian::by_duals(const double* x, double* y, double* j) {
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

#pragma once
/// Functions of a few inputs with their slopes, as compiled code.

#include <Eigen/Core>

#include <rattleback/native/evaluator.hpp>
#include <rattleback/native/variational_code.hpp>

namespace rattleback {

/// Values and matrices of slopes of expressions without parameters. Each thread needs its own.
class SlopedFunctions {
 public:
  SlopedFunctions(std::span<const Symbol> inputs, std::span<const Expr> functions)
      : code_(straight_line(inputs, {}, functions)),
        jacobian_(jacobian_code(code_, inputs.size())),
        value_(code_, {}),
        slope_(jacobian_, {}) {}
  SlopedFunctions(const SlopedFunctions&) = delete;
  SlopedFunctions& operator=(const SlopedFunctions&) = delete;

  Eigen::Index size() const { return static_cast<Eigen::Index>(code_.outputs.size()); }
  Eigen::VectorXd value(const Eigen::VectorXd& x) {
    Eigen::VectorXd v(size());
    value_(x.data(), v.data());
    return v;
  }
  /// One row for each function, one column for each input.
  Eigen::MatrixXd slope(const Eigen::VectorXd& x) {
    Eigen::MatrixXd m(size(), x.size());
    slope_(x.data(), m.data());
    return m;
  }

 private:
  Code code_, jacobian_;
  Evaluator<double> value_, slope_;
};

}  // namespace rattleback

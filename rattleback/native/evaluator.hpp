#pragma once
/// Interpreter of straight-line code at given parameter values, for any number type: double, long double, SIMD lanes, duals, big floats.

#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <rattleback/native/native_code.hpp>

namespace rattleback {

/// How a kind of number is made from the numbers of a model; specialised for those that are not floating point types.
template <class T>
struct Numeral {
  static T of(const Rational& r) {
    if (const double x = r.to_double(); !std::isfinite(x) || Rational::from_double(x) == r) return T(x);
    return T(r.numerator().to_double()) / T(r.denominator().to_double());
  }
  static T pi() { return std::numbers::pi_v<T>; }
};
template <class T>
T numeral(const Literal& c) {
  return c.is_pi ? Numeral<T>::pi() : Numeral<T>::of(c.value);
}

/// One instruction in any kind of number that has the operators and, by name, the functions.
template <class T>
T applied(Op op, const T& a, const T& b) {
  using std::sqrt, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::exp, std::log,
      std::sinh, std::cosh, std::tanh, std::asinh, std::acosh, std::atanh, std::abs;
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::neg: return -a;
    case Op::sqrt: return sqrt(a);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::asinh: return asinh(a);
    case Op::acosh: return acosh(a);
    case Op::atanh: return atanh(a);
    case Op::abs: return abs(a);
    case Op::mul_add:
    case Op::mul_sub:
    case Op::sub_mul: break;  // not in code that is evaluated in any kind of number
  }
  return a;
}

/// The constants of the body at these parameter values.
template <class T>
std::vector<T> constants_of(const Code& code, std::span<const T> parameters) {
  std::vector<T> r(parameters.begin(), parameters.end());
  r.reserve(code.prologue_registers());
  for (const Literal& c : code.literals) r.push_back(numeral<T>(c));
  for (const Instruction& i : code.prologue) r.push_back(applied(i.op, r[i.a], r[i.b]));
  std::vector<T> constants;
  for (const std::uint32_t c : code.constants) constants.push_back(r[c]);
  return constants;
}

/// The first tier: an interpreter. Each thread needs its own.
template <class T>
class Evaluator {
 public:
  Evaluator(const Code& code, std::span<const T> parameters) : code_(&code), r_(code.registers()) {
    const std::vector<T> constants = constants_of<T>(code, parameters);
    std::copy(constants.begin(), constants.end(), r_.begin() + code.inputs);
  }

  /// y = outputs at the inputs x.
  void operator()(const T* x, T* y) {
    std::copy(x, x + code_->inputs, r_.begin());
    T* r = r_.data();
    T* result = r + code_->first_result();
    for (const Instruction& i : code_->body) *result++ = applied(i.op, r[i.a], r[i.b]);
    for (const std::uint32_t out : code_->outputs) *y++ = r[out];
  }
  const Code& code() const { return *code_; }

 private:
  const Code* code_;
  std::vector<T> r_;
};

/// In double: interpreted at first, assembled and compiled when that pays, with products fused into sums (fused.hpp). Angles go through the same
/// polynomials either way (angle.hpp), so that the bits are the same. Each thread needs its own.
template <>
class Evaluator<double> {
 public:
  Evaluator(const Code& code, std::span<const double> parameters);

  void operator()(const double* x, double* y) {
    if (++count_ > calls_before_compiling_) consider(x, y);
    if (function_ != nullptr && function_(x, r_.data() + inputs_, y, r_.data(), functions_) == 0) return;
    interpret(x, y);
  }
  const Code& code() const { return *code_; }

 private:
  void interpret(const double* x, double* y);
  /// Reports the evaluations done to the shared NativeCode and takes over faster code when there is some.
  void consider(const double* x, double* y);

  const Code* code_;
  std::shared_ptr<NativeCode> native_;
  std::size_t inputs_;
  std::vector<double> r_;
  ScalarCode function_;
  const void* functions_;
  std::size_t count_ = 0, calls_before_compiling_;
};

}  // namespace rattleback

#include <rattleback/native/evaluator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rattleback/native/angle.hpp>
#include <rattleback/native/compiler.hpp>

namespace rattleback {
namespace {

/// What compiled code does, to the last bit.
double interpreted(Op op, double a, double b, double c) {
  static const bool once = rounds_once(this_processor());
  const auto multiply_add = [](double x, double y, double z) { return once ? std::fma(x, y, z) : x * y + z; };
  switch (op) {
    case Op::sin: return sine(a);
    case Op::cos: return cosine(a);
    case Op::tan: return tangent(a);
    case Op::mul_add: return multiply_add(a, b, c);
    case Op::mul_sub: return multiply_add(a, b, -c);
    case Op::sub_mul: return multiply_add(-a, b, c);
    default: return applied(op, a, b);
  }
}

}  // namespace

Evaluator<double>::Evaluator(const Code& code, std::span<const double> parameters)
    : code_(&code),
      native_(NativeCode::of(code)),
      inputs_(code.inputs),
      r_(native_->code().registers()),
      function_(native_mode() == NativeMode::off ? nullptr : native_->function()),
      functions_(library_functions()),
      calls_before_compiling_(native_mode() == NativeMode::on ? 0 : 30) {
  const std::vector<double> constants = constants_of<double>(code, parameters);
  std::copy(constants.begin(), constants.end(), r_.begin() + code.inputs);
}

void Evaluator<double>::interpret(const double* x, double* y) {
  const Code& code = native_->code();
  std::copy(x, x + inputs_, r_.begin());
  double* r = r_.data();
  double* result = r + code.first_result();
  for (const Instruction& i : code.body) *result++ = interpreted(i.op, r[i.a], r[i.b], r[i.c]);
  for (const std::uint32_t out : code.outputs) *y++ = r[out];
}

void Evaluator<double>::consider(const double* x, double* y) {
  function_ = native_->after(count_, {x, r_.data() + inputs_, y, r_.data(), functions_});
  count_ = 0;
  calls_before_compiling_ = native_->is_final()    ? std::numeric_limits<std::size_t>::max()
                            : function_ != nullptr ? 10'000
                                                   : 1'000;
}

}  // namespace rattleback

#include <rattleback/native/evaluator.hpp>

#include <algorithm>

#include <rattleback/native/angle.hpp>

namespace rattleback {
namespace {

/// What compiled code does, to the last bit.
double interpreted(Op op, double a, double b) {
  switch (op) {
    case Op::sin: return sine(a);
    case Op::cos: return cosine(a);
    case Op::tan: return tangent(a);
    default: return applied(op, a, b);
  }
}

}  // namespace

Evaluator<double>::Evaluator(const Code& code, std::span<const double> parameters)
    : code_(&code),
      r_(code.registers()),
      native_(NativeCode::of(code)),
      function_(native_mode() == NativeMode::off ? nullptr : native_->function()),
      functions_(library_functions()),
      patience_(native_mode() == NativeMode::on ? 0 : 200'000 / (code.body.size() + 10)) {
  const std::vector<double> constants = constants_of<double>(code, parameters);
  std::copy(constants.begin(), constants.end(), r_.begin() + code.inputs);
}

void Evaluator<double>::interpret(const double* x, double* y) {
  std::copy(x, x + code_->inputs, r_.begin());
  double* r = r_.data();
  double* result = r + code_->first_result();
  for (const Instruction& i : code_->body) *result++ = interpreted(i.op, r[i.a], r[i.b]);
  for (const std::uint32_t out : code_->outputs) *y++ = r[out];
}

void Evaluator<double>::consider() {
  function_ = native_->interpreted(count_, *code_);
  count_ = 0;
}

}  // namespace rattleback

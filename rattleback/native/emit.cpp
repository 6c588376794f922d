#include <rattleback/native/emit.hpp>

#include <array>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include <rattleback/native/angle.hpp>

namespace rattleback {
namespace {

/// Instructions one by one; sine and cosine of an angle are made together.
class Emitter {
 public:
  explicit Emitter(ir::Writer& to) : to_(to) {}

  ir::Value apply(Op op, const ir::Value& a, const ir::Value& b) {
    switch (op) {
      case Op::add: return a + b;
      case Op::sub: return a - b;
      case Op::mul: return a * b;
      case Op::div: return a / b;
      case Op::neg: return -a;
      case Op::abs: return absolute(a);
      case Op::sqrt: return square_root(a);
      case Op::sin: return angle(a).sine;
      case Op::cos: return angle(a).cosine;
      case Op::tan: return angle(a).sine / angle(a).cosine;
      default: return to_.call(static_cast<std::size_t>(op), a);
    }
  }
  const ir::Mask& wild() const { return wild_; }

 private:
  const SineCosine<ir::Value>& angle(const ir::Value& x) {
    const auto [found, is_new] = angles_.try_emplace(x.name);
    if (is_new) {
      found->second = sine_cosine(x, to_.once());
      const ir::Mask tame = absolute(x) <= constant(x, angle_reduction(to_.once()).largest);
      wild_ = wild_ | !tame;
    }
    return found->second;
  }

  ir::Writer& to_;
  std::unordered_map<std::string, SineCosine<ir::Value>> angles_;
  ir::Mask wild_;
};

/// Code cut into functions; what one leaves for later ones passes through the array of registers.
class Pieces {
 public:
  Pieces(ir::Writer& to, const Code& code) : to_(to), code_(code), last_use_(code.registers(), 0) {
    for (std::size_t i = 0; i < code.body.size(); ++i)
      last_use_[code.body[i].a] = last_use_[code.body[i].b] = i;
    for (const std::uint32_t out : code.outputs) last_use_[out] = code.body.size();
  }

  static constexpr const char* parameters =
      "(ptr noalias %x, ptr noalias %c, ptr noalias %y, ptr noalias %r, ptr noalias %functions)";

  /// Returns how many there are.
  std::size_t write() {
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < code_.body.size(); begin += longest_function, ++count)
      piece(count, begin, std::min(begin + longest_function, code_.body.size()));
    return count;
  }

  ir::Value operand(std::uint32_t r) {
    const auto [found, is_new] = values_.try_emplace(r);
    if (is_new) {
      const bool input = r < code_.inputs, constant = !input && r < code_.first_result();
      found->second = to_.load(input ? "%x" : constant ? "%c" : "%r", constant ? r - code_.inputs : r, 1);
    }
    return found->second;
  }
  void forget() { values_.clear(); }

 private:
  void piece(std::size_t number, std::size_t begin, std::size_t end) {
    to_.begin(fmt::format("i32 @piece{}{}", number, parameters), true);
    Emitter emitter(to_);
    const std::size_t first = code_.first_result();
    for (std::size_t i = begin; i < end; ++i) {
      const Instruction& in = code_.body[i];
      const ir::Value a = operand(in.a), b = operand(in.b);
      values_[static_cast<std::uint32_t>(first + i)] = emitter.apply(in.op, a, b);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const auto r = static_cast<std::uint32_t>(first + i);
      if (last_use_[r] >= end) to_.store(values_.at(r), "%r", r, 1);
    }
    to_.line("ret i32 " + to_.lanes_of(emitter.wild()));
    to_.end();
    forget();
  }

  ir::Writer& to_;
  const Code& code_;
  std::vector<std::size_t> last_use_;
  std::unordered_map<std::uint32_t, ir::Value> values_;
};

std::string in_pieces(ir::Writer& to, const Code& code) {
  Pieces pieces(to, code);
  const std::size_t count = pieces.write();
  to.begin(fmt::format("i32 @evaluate{}", Pieces::parameters));
  std::string wild = "0";
  for (std::size_t k = 0; k < count; ++k) {
    const std::string one =
        to.assign(fmt::format("call i32 @piece{}(ptr %x, ptr %c, ptr %y, ptr %r, ptr %functions)", k));
    wild = to.assign(fmt::format("or i32 {}, {}", wild, one));
  }
  for (std::size_t i = 0; i < code.outputs.size(); ++i) to.store(pieces.operand(code.outputs[i]), "%y", i, 1);
  to.line("ret i32 " + wild);
  to.end();
  return to.text();
}

}  // namespace

Emitted emit(ir::Writer& to, const Code& code, std::span<const ir::Value> inputs,
             std::span<const ir::Value> constants) {
  std::vector<ir::Value> values(inputs.begin(), inputs.end());
  values.insert(values.end(), constants.begin(), constants.end());
  values.reserve(code.registers());
  Emitter emitter(to);
  for (const Instruction& i : code.body) values.push_back(emitter.apply(i.op, values[i.a], values[i.b]));
  Emitted result{{}, emitter.wild()};
  for (const std::uint32_t out : code.outputs) result.outputs.push_back(values[out]);
  return result;
}

std::string scalar_module(const Code& code, Processor processor) {
  ir::Writer to(processor, 1);
  if (code.body.size() > longest_function) return in_pieces(to, code);
  to.begin(fmt::format("i32 @evaluate{}", Pieces::parameters));
  std::vector<ir::Value> inputs, constants;
  for (std::size_t i = 0; i < code.inputs; ++i) inputs.push_back(to.load("%x", i, 1));
  for (std::size_t i = 0; i < code.constants.size(); ++i) constants.push_back(to.load("%c", i, 1));
  const Emitted result = emit(to, code, inputs, constants);
  for (std::size_t i = 0; i < result.outputs.size(); ++i) to.store(result.outputs[i], "%y", i, 1);
  to.line("ret i32 " + to.lanes_of(result.wild));
  to.end();
  return to.text();
}

const void* library_functions() {
  using F = double (*)(double);
  enum : std::size_t {
#define OPERATION(name, arity) index_of_##name,
#include <rattleback/native/operations.def>
#undef OPERATION
    operations
  };
  static const std::array<F, operations> table = [] {
    std::array<F, operations> f{};
    const auto set = [&](Op op, F function) { f[static_cast<std::size_t>(op)] = function; };
    set(Op::asin, [](double x) { return std::asin(x); });
    set(Op::acos, [](double x) { return std::acos(x); });
    set(Op::atan, [](double x) { return std::atan(x); });
    set(Op::exp, [](double x) { return std::exp(x); });
    set(Op::log, [](double x) { return std::log(x); });
    set(Op::sinh, [](double x) { return std::sinh(x); });
    set(Op::cosh, [](double x) { return std::cosh(x); });
    set(Op::tanh, [](double x) { return std::tanh(x); });
    set(Op::asinh, [](double x) { return std::asinh(x); });
    set(Op::acosh, [](double x) { return std::acosh(x); });
    set(Op::atanh, [](double x) { return std::atanh(x); });
    return f;
  }();
  return table.data();
}

}  // namespace rattleback

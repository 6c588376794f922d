#include <rattleback/native/emit.hpp>

#include <array>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/emitter.hpp>
#include <rattleback/native/schedule.hpp>

namespace rattleback {
namespace {

/// Sines and cosines of angles that are known early, a register full at a time: int angles(angles, sines, cosines, count),
/// returning whether one is too large. `count` is a multiple of what a register holds.
class Angles {
 public:
  explicit Angles(Processor processor) : to_(processor, 2 << static_cast<int>(processor)) {}

  std::size_t lanes() const { return static_cast<std::size_t>(to_.lanes()); }
  std::string function() {
    to_.begin("i32 @angles(ptr noalias %x, ptr noalias %s, ptr noalias %c, i64 %count)", true);
    to_.line("entry:\nbr label %loop\nloop:");
    to_.line("%i = phi i64 [ 0, %entry ], [ %i.next, %loop ]");
    to_.line("%wild = phi i32 [ 0, %entry ], [ %wild.next, %loop ]");
    const auto at = [&](const char* rows) {
      return to_.assign(fmt::format("getelementptr inbounds double, ptr {}, i64 %i", rows));
    };
    const ir::Value x = to_.load(at("%x"), 0, 1);
    Emitter emitter(to_);
    to_.store(emitter.apply(Op::sin, x, x), at("%s"), 0, 1);
    to_.store(emitter.apply(Op::cos, x, x), at("%c"), 0, 1);
    to_.line("%wild.next = or i32 %wild, " + to_.lanes_of(emitter.wild()));
    to_.line(fmt::format("%i.next = add i64 %i, {}", to_.lanes()));
    to_.line("%more = icmp ult i64 %i.next, %count");
    to_.line("br i1 %more, label %loop, label %out\nout:\nret i32 %wild.next");
    to_.end();
    return to_.functions();
  }

 private:
  ir::Writer to_;
};

/// Code cut into functions; what one leaves for later ones passes through the array of registers.
class Pieces {
 public:
  Pieces(ir::Writer& to, const Code& code)
      : to_(to), code_(code), parts_(schedule(code)), last_use_(code.registers(), 0) {
    order_ = parts_.before;
    order_.insert(order_.end(), parts_.after.begin(), parts_.after.end());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Instruction& in = code.body[order_[k]];
      for (const std::uint32_t r : operands(in)) last_use_[r] = k;
    }
    for (const std::uint32_t r : parts_.angles) last_use_[r] = order_.size();
    for (const std::uint32_t out : code.outputs) last_use_[out] = order_.size();
    for (std::size_t k = 0; k < parts_.angles.size(); ++k) angles_.emplace(parts_.angles[k], k);
  }

  static constexpr const char* parameters =
      "(ptr noalias %x, ptr noalias %c, ptr noalias %y, ptr noalias %r, ptr noalias %functions)";

  std::string module() {
    Angles angles(to_.processor());
    to_.line(angles.function());
    const std::size_t split = write(0, parts_.before.size(), 0),
                      count = write(parts_.before.size(), order_.size(), split);
    to_.begin(fmt::format("i32 @evaluate{}", parameters));
    const std::size_t padded = (parts_.angles.size() + angles.lanes() - 1) / angles.lanes() * angles.lanes();
    for (const char* rows : {"%angles", "%s", "%k"})
      to_.line(fmt::format("{} = alloca [{} x double], align 64", rows, padded));
    wild_ = "0";
    for (std::size_t k = 0; k < split; ++k) call(k);
    for (std::size_t k = 0; k < padded; ++k)
      to_.store(k < parts_.angles.size() ? operand(parts_.angles[k]) : ir::Value{}, "%angles", k, 1);
    if (padded > 0) add_wild(fmt::format("call i32 @angles(ptr %angles, ptr %s, ptr %k, i64 {})", padded));
    forget();
    for (std::size_t k = split; k < count; ++k) call(k);
    for (std::size_t i = 0; i < code_.outputs.size(); ++i) to_.store(operand(code_.outputs[i]), "%y", i, 1);
    to_.line("ret i32 " + wild_);
    to_.end();
    return to_.text();
  }

 private:
  static constexpr const char* with_angles =
      "(ptr noalias %x, ptr noalias %c, ptr noalias %s, ptr noalias %k, ptr noalias %r, ptr noalias "
      "%functions)";

  void add_wild(const std::string& one) {
    wild_ = to_.assign(fmt::format("or i32 {}, {}", wild_, to_.assign(one)));
  }
  void call(std::size_t k) {
    add_wild(fmt::format("call i32 @piece{}(ptr %x, ptr %c, ptr %s, ptr %k, ptr %r, ptr %functions)", k));
  }

  /// Pieces from a number on; returns the next number.
  std::size_t write(std::size_t begin, std::size_t end, std::size_t number) {
    for (; begin < end; begin += code_sizes::function.count, ++number)
      piece(number, begin, std::min(begin + code_sizes::function.count, end));
    return number;
  }

  void piece(std::size_t number, std::size_t begin, std::size_t end) {
    to_.begin(fmt::format("i32 @piece{}{}", number, with_angles), true);
    Emitter emitter(to_);
    const auto first = static_cast<std::uint32_t>(code_.first_result());
    for (std::size_t k = begin; k < end; ++k) {
      const Instruction& in = code_.body[order_[k]];
      const ir::Value a = operand(in.a), b = operand(in.b), c = operand(in.c);
      values_[first + order_[k]] = emitter.apply(in.op, a, b, c);
    }
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t r = first + order_[k];
      if (last_use_[r] >= end) to_.store(values_.at(r), "%r", r, 1);
    }
    to_.line("ret i32 " + to_.lanes_of(emitter.wild()));
    to_.end();
    forget();
  }

  ir::Value operand(std::uint32_t r) {
    const auto [found, is_new] = values_.try_emplace(r);
    if (is_new) found->second = loaded(r);
    return found->second;
  }
  ir::Value loaded(std::uint32_t r) {
    if (r < code_.inputs) return to_.load("%x", r, 1);
    if (r < code_.first_result()) return to_.load("%c", r - code_.inputs, 1);
    const Instruction& in = code_.body[r - code_.first_result()];
    const auto angle = in.op == Op::sin || in.op == Op::cos ? angles_.find(in.a) : angles_.end();
    if (angle == angles_.end()) return to_.load("%r", r, 1);
    return to_.load(in.op == Op::sin ? "%s" : "%k", angle->second, 1);
  }
  void forget() { values_.clear(); }

  ir::Writer& to_;
  const Code& code_;
  Schedule parts_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> last_use_;                      ///< places in the order
  std::unordered_map<std::uint32_t, std::size_t> angles_;  ///< where the angle of a register stands
  std::unordered_map<std::uint32_t, ir::Value> values_;
  std::string wild_;
};

}  // namespace

std::string wild_lanes(ir::Writer& to, const std::optional<ir::Bits>& quadrants) {
  return to.lanes_of(quadrants ? !is_tame(*quadrants, to.once()) : ir::Mask{});
}

Emitted emit(ir::Writer& to, const Code& code, std::span<const ir::Value> inputs,
             std::span<const ir::Value> constants) {
  std::vector<ir::Value> values(inputs.begin(), inputs.end());
  values.insert(values.end(), constants.begin(), constants.end());
  values.reserve(code.registers());
  Emitter emitter(to);
  for (const Instruction& i : code.body)
    values.push_back(emitter.apply(i.op, values[i.a], values[i.b], values[i.c]));
  Emitted result{{}, emitter.quadrants()};
  for (const std::uint32_t out : code.outputs) result.outputs.push_back(values[out]);
  return result;
}

std::string scalar_module(const Code& code, Processor processor) {
  ir::Writer to(processor, 1);
  if (code.body.size() > code_sizes::function.count) return Pieces(to, code).module();
  to.begin(fmt::format("i32 @evaluate{}", Pieces::parameters));
  std::vector<ir::Value> inputs, constants;
  for (std::size_t i = 0; i < code.inputs; ++i) inputs.push_back(to.load("%x", i, 1));
  for (std::size_t i = 0; i < code.constants.size(); ++i) constants.push_back(to.load("%c", i, 1));
  const Emitted result = emit(to, code, inputs, constants);
  for (std::size_t i = 0; i < result.outputs.size(); ++i) to.store(result.outputs[i], "%y", i, 1);
  to.line("ret i32 " + wild_lanes(to, result.quadrants));
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

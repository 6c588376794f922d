#pragma once
/// Code generation, instruction by instruction, for any writer whose values have the operators; sine and cosine of an angle share their work.

#include <map>
#include <optional>
#include <type_traits>

#include <rattleback/native/angle.hpp>
#include <rattleback/native/code.hpp>

namespace rattleback {

template <class Writer>
class Emitter {
 public:
  using Value = typename Writer::Number;
  using Mask = typename Writer::Truth;
  using Bits = decltype(bits(std::declval<Value>()));

  explicit Emitter(Writer& to) : to_(to) {}

  Value apply(Op op, const Value& a, const Value& b, const Value& c = {}) {
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
      case Op::mul_add: return multiply_add(a, b, c);
      case Op::mul_sub: return multiply_add(a, b, -c);
      case Op::sub_mul: return multiply_add(-a, b, c);
      default: return to_.call(static_cast<std::size_t>(op), a);
    }
  }
  /// Sine and cosine of a value that were made elsewhere, and quadrants of such.
  void knows(const Value& x, const SineCosine<Value>& both) { angles_.emplace(key(x), both); }
  void joins(const Bits& quadrants) { quadrants_ = quadrants_ ? *quadrants_ | quadrants : quadrants; }
  /// The quadrants of all angles, joined; none without angles.
  const std::optional<Bits>& quadrants() const { return quadrants_; }
  /// Where an angle is too large for sine_cosine: there the results are wrong.
  Mask wild() const { return quadrants_ ? !is_tame(*quadrants_, to_.once()) : Mask{}; }

 private:
  const SineCosine<Value>& angle(const Value& x) {
    const auto [found, is_new] = angles_.try_emplace(key(x));
    if (is_new) {
      const Value in = quadrant(x, to_.once());
      found->second = sine_cosine(x, in, to_.once());
      joins(bits(in));
    }
    return found->second;
  }

  Writer& to_;
  std::map<std::decay_t<decltype(key(std::declval<Value>()))>, SineCosine<Value>> angles_;
  std::optional<Bits> quadrants_;
};

}  // namespace rattleback

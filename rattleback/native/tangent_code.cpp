#include <rattleback/native/tangent_code.hpp>

#include <map>
#include <tuple>

namespace rattleback {
namespace {

/// Nonzero derivatives of a register: column and where its value stands.
using Slopes = std::map<std::size_t, std::uint32_t>;

class TangentWriter {
 public:
  explicit TangentWriter(const Code& code) : from_(code), to_(with_empty_body(code)) {
    const std::size_t known = code.first_result();
    for (std::uint32_t r = 0; r < known; ++r) place_.push_back(r);
    one_ = constant_register(to_, 1);
    slopes_.resize(code.registers());
  }

  std::optional<Code> run(std::size_t columns, std::size_t longest) {
    for (std::uint32_t j = 0; j < columns; ++j) slopes_[j] = {{j, one_}};
    for (std::size_t i = 0; i < from_.body.size(); ++i) {
      const Instruction& in = from_.body[i];
      place_.push_back(add(in.op, place_[in.a], place_[in.b]));
      if (!differentiate(in, from_.first_result() + i) || to_.body.size() > longest) return std::nullopt;
    }
    to_.outputs.clear();
    for (const std::uint32_t out : from_.outputs) to_.outputs.push_back(place_[out]);
    for (std::size_t j = 0; j < columns; ++j) {
      for (const std::uint32_t out : from_.outputs) {
        const auto slope = slopes_[out].find(j);
        to_.outputs.push_back(slope == slopes_[out].end() ? zero() : slope->second);
      }
    }
    return std::move(to_);
  }

 private:
  std::uint32_t add(Op op, std::uint32_t a, std::uint32_t b) {
    const auto [found, is_new] =
        made_.try_emplace({op, a, b}, static_cast<std::uint32_t>(to_.first_result() + to_.body.size()));
    if (is_new) to_.body.push_back({op, a, b});
    return found->second;
  }
  std::uint32_t add(Op op, std::uint32_t a) { return add(op, a, a); }
  std::uint32_t zero() { return add(Op::sub, one_, one_); }
  std::uint32_t times(std::uint32_t a, std::uint32_t b) {
    return a == one_ ? b : b == one_ ? a : add(Op::mul, a, b);
  }

  static Slopes merged(const Slopes& a, const Slopes& b, const auto& both, const auto& only_b) {
    Slopes result = a;
    for (const auto& [column, slope] : b) {
      const auto [found, is_new] = result.try_emplace(column, slope);
      found->second = is_new ? only_b(slope) : both(found->second, slope);
    }
    return result;
  }
  Slopes scaled(const Slopes& a, std::uint32_t by) {
    Slopes result;
    for (const auto& [column, slope] : a) result.emplace(column, times(by, slope));
    return result;
  }
  Slopes sum(const Slopes& a, const Slopes& b) {
    return merged(
        a, b, [&](auto x, auto y) { return add(Op::add, x, y); }, [](auto y) { return y; });
  }
  Slopes difference(const Slopes& a, const Slopes& b) {
    return merged(
        a, b, [&](auto x, auto y) { return add(Op::sub, x, y); }, [&](auto y) { return add(Op::neg, y); });
  }

  /// The slopes of the result of an instruction; false where they may be infinite or jump.
  bool differentiate(const Instruction& in, std::size_t result) {
    const Slopes &a = slopes_[in.a], &b = slopes_[in.b];
    const std::uint32_t x = place_[in.a], y = place_[in.b], f = place_[result];
    const auto chain = [&](std::uint32_t slope) { return scaled(a, slope); };
    const auto over = [&](std::uint32_t below) {
      Slopes divided;
      for (const auto& [column, slope] : a) divided.emplace(column, add(Op::div, slope, below));
      return divided;
    };
    Slopes& s = slopes_[result];
    const bool constant = a.empty() && b.empty();
    switch (in.op) {
      case Op::add: s = sum(a, b); return true;
      case Op::sub: s = difference(a, b); return true;
      case Op::neg: s = difference({}, a); return true;
      case Op::mul: s = sum(scaled(a, y), scaled(b, x)); return true;
      case Op::div:
        for (const auto& [column, slope] : difference(a, scaled(b, f)))
          s.emplace(column, add(Op::div, slope, y));
        return true;
      case Op::sin:
        if (!constant) s = chain(add(Op::cos, x));
        return true;
      case Op::cos:
        if (!constant) s = chain(add(Op::neg, add(Op::sin, x)));
        return true;
      case Op::tan:
        if (!constant) s = chain(add(Op::add, one_, add(Op::mul, f, f)));
        return true;
      case Op::tanh:
        if (!constant) s = chain(add(Op::sub, one_, add(Op::mul, f, f)));
        return true;
      case Op::sinh:
        if (!constant) s = chain(add(Op::cosh, x));
        return true;
      case Op::cosh:
        if (!constant) s = chain(add(Op::sinh, x));
        return true;
      case Op::exp: s = chain(f); return true;
      case Op::log:
        if (!constant) s = over(x);
        return true;
      case Op::atan:
        if (!constant) s = over(add(Op::add, one_, add(Op::mul, x, x)));
        return true;
      default: return constant;
    }
  }

  const Code& from_;
  Code to_;
  std::uint32_t one_ = 0;
  std::vector<std::uint32_t> place_;  ///< of a register of the code, in the new one
  std::vector<Slopes> slopes_;
  std::map<std::tuple<Op, std::uint32_t, std::uint32_t>, std::uint32_t> made_;
};

}  // namespace

std::optional<Code> tangent_code(const Code& code, std::size_t columns, std::size_t longest) {
  return TangentWriter(code).run(columns, longest);
}

}  // namespace rattleback

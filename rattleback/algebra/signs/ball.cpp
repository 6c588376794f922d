#include <rattleback/algebra/signs/ball.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/charts.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/variety.hpp>

namespace rattleback {
namespace {

/// The expression is not real or not finite at the point; not certain when more bits might tell otherwise.
struct OutsideDomain {
  bool certain = false;
};

/// The interpretation in balls. Values are pointers into a store, so that sharing a value does not copy it.
class Balls {
 public:
  using Value = const arb_struct*;
  Balls(const BallPoint& at, long bits) : at_(at), bits_(bits) {}

  Value constant(const Rational& c) {
    arb_struct* x = fresh();
    arb_set_fmpq(x, c.raw(), bits_);
    return x;
  }
  Value symbol(Symbol s) {
    if (Expr(s) == pi()) {
      arb_struct* x = fresh();
      arb_const_pi(x, bits_);
      return x;
    }
    if (!at_.is_enclosed(s)) return constant(at_.value(s));
    if (s.role() == Role::rotation || s.role() == Role::direction)
      return interpret(on_free_symbols(Expr(s)), *this);
    arb_struct* x = fresh();
    if (!at_.enclosure(s, bits_, x)) throw OutsideDomain{true};
    return x;
  }
  Value sum(std::span<const Value> xs) {
    arb_struct* total = fresh();
    for (const Value x : xs) arb_add(total, total, x, bits_);
    return total;
  }
  Value product(std::span<const Value> xs) {
    arb_struct* total = fresh();
    arb_one(total);
    for (const Value x : xs) arb_mul(total, total, x, bits_);
    return checked(total);
  }
  Value power(Value x, int n) {
    if (n < 0 && arb_contains_zero(x) != 0) throw OutsideDomain{};
    arb_struct* y = fresh();
    arb_pow_ui(y, x, static_cast<ulong>(std::abs(static_cast<long>(n))), bits_);
    if (n < 0) arb_inv(y, y, bits_);
    return checked(y);
  }
  Value call(Function f, std::span<const Value> xs);

 private:
  arb_struct* fresh() { return store_.emplace_back().raw(); }
  static Value checked(const arb_struct* x) {
    if (arb_is_finite(x) == 0) throw OutsideDomain{};
    return x;
  }
  Value abstract(Function f, std::span<const Value> xs);

  const BallPoint& at_;
  long bits_;
  std::deque<Ball> store_;
};

Balls::Value Balls::call(Function f, std::span<const Value> xs) {
  if (f.is_abstract()) return abstract(f, xs);
  const arb_struct* x = xs[0];
  arb_struct* y = fresh();
  const bool positive = arb_is_positive(x) != 0, negative = arb_is_negative(x) != 0;
  switch (f.kind()) {
    case Builtin::sin: arb_sin(y, x, bits_); break;
    case Builtin::cos: arb_cos(y, x, bits_); break;
    case Builtin::tan: arb_tan(y, x, bits_); break;
    case Builtin::cot: arb_cot(y, x, bits_); break;
    case Builtin::sec: arb_sec(y, x, bits_); break;
    case Builtin::csc: arb_csc(y, x, bits_); break;
    case Builtin::asin: arb_asin(y, x, bits_); break;
    case Builtin::acos: arb_acos(y, x, bits_); break;
    case Builtin::atan: arb_atan(y, x, bits_); break;
    case Builtin::exp: arb_exp(y, x, bits_); break;
    case Builtin::log:
      if (!positive) throw OutsideDomain{negative};
      arb_log(y, x, bits_);
      break;
    case Builtin::sqrt:
      if (arb_is_nonnegative(x) == 0) throw OutsideDomain{negative};
      arb_sqrt(y, x, bits_);
      break;
    case Builtin::sinh: arb_sinh(y, x, bits_); break;
    case Builtin::cosh: arb_cosh(y, x, bits_); break;
    case Builtin::tanh: arb_tanh(y, x, bits_); break;
    case Builtin::asinh: arb_asinh(y, x, bits_); break;
    case Builtin::acosh: arb_acosh(y, x, bits_); break;
    case Builtin::atanh: arb_atanh(y, x, bits_); break;
    case Builtin::abs:
      if (negative) {
        arb_neg(y, x);
      } else {
        arb_abs(y, x);
      }
      break;
    case Builtin::abstract: throw Bug("an abstract function among the builtins");
  }
  return checked(y);
}

/// A(x) = Σ_k b_k exp(Σ_i a_ki x_i), so ∂^n A = Σ_k b_k Π_i a_ki^n_i exp(Σ_i a_ki x_i).
Balls::Value Balls::abstract(Function f, std::span<const Value> xs) {
  constexpr std::uint64_t terms = 3;
  const std::uint64_t name = f.primitive().hash();
  arb_struct *total = fresh(), *exponent = fresh(), *term = fresh();
  for (std::uint64_t k = 0; k < terms; ++k) {
    Rational scale = at_.decimal(mix(name, k), false);
    arb_zero(exponent);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const Rational a = at_.decimal(mix(mix(name, k), i + 1), false) / Rational(10);
      scale = scale * rattleback::power(a, f.orders()[i]);
      arb_addmul(exponent, xs[i], constant(a), bits_);
    }
    arb_exp(term, exponent, bits_);
    arb_addmul(total, term, constant(scale), bits_);
  }
  return checked(total);
}

struct FreeText {
  void operator()(char* text) const { flint_free(text); }
};

}  // namespace

std::string Ball::text() const {
  constexpr long digits = 12;
  const std::unique_ptr<char, FreeText> shown(arb_get_str(value_, digits, ARB_STR_NO_RADIUS));
  const std::unique_ptr<char, FreeText> error(mag_is_zero(arb_radref(value_)) != 0 ? nullptr : [&] {
    arb_t radius;
    arb_init(radius);
    arb_get_rad_arb(radius, value_);
    char* text = arb_get_str(radius, 1, ARB_STR_NO_RADIUS);
    arb_clear(radius);
    return text;
  }());
  return error ? std::string(shown.get()) + " ± " + error.get() : shown.get();
}

/// Tenths up to 4; from the fourth seed on also smaller and larger numbers, for domains that need them.
Rational BallPoint::decimal(std::uint64_t key, bool positive) const {
  constexpr std::array<std::pair<long, long>, 4> ranges{{{39, 10}, {39, 10}, {97, 100}, {30, 2}}};
  const auto [most, denominator] = ranges[seed_ % ranges.size()];
  const std::uint64_t h = mix(mix(seed_, 0xA24BAED4963EE407U), key);
  const long magnitude = 1 + static_cast<long>((h >> 8U) % static_cast<std::uint64_t>(most));
  return Rational(positive || (h & 1U) == 0 ? magnitude : -magnitude, denominator);
}

namespace {

/// Entry (i, j) of the rotation matrix of the quaternion w + v, see ModularPoint.
Rational rotation_entry(const Rational& w, const std::array<Rational, 3>& v, int i, int j) {
  const Rational v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const auto at = [&](int k) { return v[static_cast<std::size_t>(k)]; };
  Rational b = Rational(2) * at(i) * at(j);
  if (i == j) {
    b = b + w * w - v2;
  } else {
    const Rational twist = Rational(2) * w * at(3 - i - j);
    b = (j - i + 3) % 3 == 1 ? b - twist : b + twist;
  }
  return b / (w * w + v2);
}

}  // namespace

struct BallPoint::Solved {
  std::optional<RealVarietyPoint> point;
  std::map<long, std::optional<std::vector<Ball>>> enclosures;  ///< by bits
};

BallPoint::BallPoint(std::uint64_t seed) : seed_(seed), variety_(Variety::current()) {}

void BallPoint::set(Symbol s, const Rational& value) {
  given_[s] = value;
  if (!variety_) return;
  solved_ = nullptr;
  if (variety_->concerns(s)) variety_ = nullptr;
}

BallPoint BallPoint::in_ambient_space() const {
  BallPoint point = *this;
  point.variety_ = nullptr;
  point.solved_ = nullptr;
  return point;
}

const RealVarietyPoint* BallPoint::on_variety() const {
  if (!variety_) return nullptr;
  if (!solved_) {
    solved_ = std::make_shared<Solved>();
    solved_->point = variety_->real_point(*this);
  }
  return solved_->point ? &*solved_->point : nullptr;
}

bool BallPoint::is_lost() const { return variety_ && on_variety() == nullptr; }

bool BallPoint::is_enclosed(Symbol s) const {
  if (enclosures_.contains(s)) return true;
  return variety_ && variety_->concerns(s);
}

bool BallPoint::enclosure(Symbol s, long bits, arb_struct* into) const {
  if (const auto found = enclosures_.find(s); found != enclosures_.end()) {
    arb_set(into, found->second.raw());
    return true;
  }
  const RealVarietyPoint* point = on_variety();
  const auto index = variety_ ? variety_->index_of(s) : std::nullopt;
  if (point == nullptr || !index) return false;
  const auto& dependent = point->chart.dependent;
  const auto at = std::ranges::find(dependent, *index);
  if (at == dependent.end()) {
    arb_set_fmpq(into, point->at[*index].raw(), bits);
    return true;
  }
  auto known = solved_->enclosures.find(bits);
  if (known == solved_->enclosures.end())
    known = solved_->enclosures.emplace(bits, variety_->enclosed(*point, *this, bits)).first;
  if (!known->second) return false;
  arb_set(into, (*known->second)[static_cast<std::size_t>(at - dependent.begin())].raw());
  return true;
}

Rational BallPoint::value(Symbol s) const {
  if (variety_ && variety_->concerns(s)) {
    const RealVarietyPoint* point = on_variety();
    if (point == nullptr) return drawn(s);
    if (const auto index = variety_->index_of(s)) return point->at[*index];
    BallPoint here = in_ambient_space();
    for (std::size_t i = 0; i < point->at.size(); ++i) here.set(variety_->unknowns()[i], point->at[i]);
    return here.drawn(s);
  }
  return drawn(s);
}

Rational BallPoint::drawn(Symbol s) const {
  if (const auto found = given_.find(s); found != given_.end()) return found->second;
  const Symbol::Attributes& a = s.attributes();
  const auto parameter = [&](std::uint64_t k) {
    if (!given_.empty()) {
      const auto found = given_.find(chart_symbol(a.family, static_cast<int>(k)));
      if (found != given_.end()) return found->second;
    }
    const std::uint64_t h = mix(mix(seed_, hash_text(a.family)), k);
    const auto n = static_cast<long>((h >> 8U) % 5);
    return Rational((h & 1U) != 0 ? n + 1 : -n - 1);
  };
  if (a.role == Role::rotation) {
    return rotation_entry(parameter(0), {parameter(1), parameter(2), parameter(3)}, a.entry / 3, a.entry % 3);
  }
  if (a.role == Role::plain && !a.family.empty()) return parameter(static_cast<std::uint64_t>(a.entry));
  if (a.role == Role::direction) {
    const Rational u = parameter(4), v = parameter(5), u2 = u * u, v2 = v * v, one(1);
    const Rational component = a.entry == 0   ? Rational(2) * u
                               : a.entry == 1 ? Rational(2) * v
                                              : one - u2 - v2;
    return component / (one + u2 + v2);
  }
  return decimal(s.hash(), s.is_positive());
}

namespace {

/// Throws OutsideDomain.
std::vector<Ball> balls_at(std::span<const Expr> es, const BallPoint& at, long bits) {
  return_flint_memory_at_thread_end();
  Budget::check();
  Balls in(at, bits);
  const auto values = interpret(es, in);
  std::vector<Ball> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) arb_set(out[i].raw(), values[i]);
  return out;
}

}  // namespace

std::optional<std::vector<Ball>> evaluate_ball(std::span<const Expr> es, const BallPoint& at, long bits) {
  try {
    return balls_at(es, at, bits);
  } catch (const OutsideDomain&) {
    return std::nullopt;
  }
}

std::optional<Ball> evaluate_ball(Expr e, const BallPoint& at, long bits) {
  auto values = evaluate_ball(std::span<const Expr>(&e, 1), at, bits);
  if (!values) return std::nullopt;
  return std::move(values->front());
}

std::optional<Ball> evaluate_until_nonzero(Expr e, const BallPoint& at, long most) {
  std::optional<Ball> value;
  for (long bits = 64; bits <= most; bits *= 2) {
    try {
      value = std::move(balls_at(std::span<const Expr>(&e, 1), at, bits).front());
      if (!value->contains_zero()) break;
    } catch (const OutsideDomain& outside) {
      if (outside.certain) return std::nullopt;
    }
  }
  return value;
}

}  // namespace rattleback

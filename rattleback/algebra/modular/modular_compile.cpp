// Declared in algebra/modular/modular_code.hpp. From expressions to ModularCode: which nodes are needed as angles and exponents, how logarithms and arctangents
/// leave them, and whether the generators that remain are independent.
#include <rattleback/algebra/modular/modular_code.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/modular/modular_arguments.hpp>

namespace rattleback {
namespace {

using Op = ModularCode::Op;
using Space = ModularCode::Space;

bool is_call(Expr e, Builtin which) { return e.is(Kind::call) && e.function().kind() == which; }
bool is_angle_function(Expr e) { return is_call(e, Builtin::sin) || is_call(e, Builtin::cos); }

bool is_primitive(const Tape& tape) {
  for (std::size_t i = 0; i < tape.size(); ++i) {
    if (in_primitives(tape.node(i)) != tape.node(i)) return false;
  }
  return true;
}

class Compiler {
 public:
  Compiler(std::span<const Expr> roots, Tape tape) : tape_(with_arguments(roots, std::move(tape))) {
    mark();
    place_constants();
    emitted_.assign(tape_.size(), false);
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) emit(static_cast<std::uint32_t>(slot));
    judge_logarithms();
    if (visible_arctangents_ > 1) code_.faithful = false;
    live_on(variety_);
  }
  ModularCode code() && { return std::move(code_); }

 private:
  /// Splits the arguments of sin, cos and exp; what is left of them joins the tape.
  Tape with_arguments(std::span<const Expr> given, Tape tape) {
    outputs_ = given.size();
    std::vector<Expr> roots(given.begin(), given.end());
    const LinearSplit logs(tape, Builtin::log), arctangents(tape, Builtin::atan);
    for (std::size_t i = 0; i < tape.size(); ++i) {
      const Expr e = tape.node(i);
      if (is_call(e, Builtin::exp)) split(e.args()[0], logs, exponents_, roots);
      if (is_angle_function(e)) split(e.args()[0], arctangents, angles_, roots);
    }
    return roots.size() == outputs_ ? std::move(tape) : Tape(roots);
  }

  void split(Expr u, const LinearSplit& by, std::unordered_map<Expr, LinearParts>& known,
             std::vector<Expr>& roots) {
    if (known.contains(u)) return;
    LinearParts s = by(u);
    if (&known == &angles_) {
      std::erase_if(s.parts, [&](const LinearParts::Part& part) {
        if (dyadic(part.coefficient)) return false;
        s.rest += part.coefficient * atan(part.inner);
        return true;
      });
    }
    if (&known == &angles_) split_bound_angles(u, s);
    if (s.rest != u) roots.push_back(s.rest);
    for (const auto& part : s.parts) {
      roots.push_back(part.coefficient);
      roots.push_back(part.inner);
    }
    known.emplace(u, std::move(s));
  }

  /// Angles that the variety binds leave the argument: their cos and sin are solved for, not drawn.
  void split_bound_angles(Expr u, LinearParts& s) {
    if (!variety_) return;
    for (const Symbol q : symbols_of(s.rest)) {
      if (!variety_->is_angle(q)) continue;
      const Expr slope = derivative(s.rest, q);
      const auto n = dyadic(slope);
      if (!n) continue;
      s.rest = substitute(s.rest, SymbolMap{{q, Expr(0)}});
      bound_angles_[u].push_back({q, n->first, n->second});
    }
  }

  /// A point on the variety may lie on a component, or over complex points, that real ones do not see.
  void live_on(const std::shared_ptr<const Variety>& variety) {
    if (!variety || std::ranges::none_of(code_.symbols, [&](Symbol s) { return variety->concerns(s); }))
      return;
    code_.variety = variety;
    code_.faithful = false;
  }

  /// Which values are needed, and as what. A number is visible when an output depends on its value other than through angles and
  /// exponents; only visible generators must be independent.
  void mark() {
    const std::size_t n = tape_.size();
    in_angles_.assign(n, false);
    in_exponents_.assign(n, false);
    visible_.assign(n, false);
    for (std::size_t i = 0; i < outputs_; ++i) visible_[tape_.outputs()[i]] = true;
    // What is left of an argument may have been built after the call, and then needs another pass.
    for (bool again = true; again;) {
      again = false;
      for (std::size_t slot = n; slot-- > 0;) {
        const auto need = [&](std::vector<bool>& where, std::uint32_t at) {
          if (at > slot && !where[at]) again = true;
          where[at] = true;
        };
        mark_arguments(static_cast<std::uint32_t>(slot), need);
      }
    }
  }

  template <class Need>
  void mark_arguments(std::uint32_t slot, Need need) {
    const Expr e = tape_.node(slot);
    const auto args = tape_.args(slot);
    const bool is_keyed = e.is(Kind::call) && !is_call(e, Builtin::sqrt);
    if (is_keyed && (in_angles_[slot] || in_exponents_[slot])) visible_[slot] = true;
    if (is_angle_function(e)) {
      const LinearParts& u = angles_.at(e.args()[0]);
      need(in_angles_, slot_of(u.rest));
      for (const auto& part : u.parts) need(visible_, slot_of(part.inner));
    } else if (is_call(e, Builtin::exp)) {
      const LinearParts& u = exponents_.at(e.args()[0]);
      need(in_exponents_, slot_of(u.rest));
      for (const auto& part : u.parts) need(in_exponents_, slot_of(part.coefficient));
      for (const auto& part : u.parts) need(visible_, slot_of(part.inner));
    } else if (visible_[slot]) {
      for (const std::uint32_t a : args) need(visible_, a);
    }
    if (is_keyed) return;
    for (const std::uint32_t a : args) {
      if (in_angles_[slot]) need(in_angles_, a);
      if (in_exponents_[slot]) need(in_exponents_, a);
    }
  }

  std::uint32_t slot_of(Expr e) const {
    const auto slot = tape_.slot_of(e);
    if (!slot) throw Bug("an argument is missing from the tape");
    return *slot;
  }

  template <class R>
  void place(std::vector<R>& values, const std::vector<bool>& needed) {
    values.assign(tape_.size(), R());
    for (std::size_t slot = 0; slot < tape_.size(); ++slot) {
      if (!tape_.node(slot).is(Kind::constant) || (!needed.empty() && !needed[slot])) continue;
      const auto value = R::from(tape_.node(slot).value());
      if (!value) code_.impossible = true;
      values[slot] = value.value_or(R());
    }
  }

  void place_constants() {
    place(code_.numbers, {});
    if (!angles_.empty()) place(code_.angles, in_angles_);
    if (!exponents_.empty()) place(code_.exponents, in_exponents_);
    for (std::size_t i = 0; i < outputs_; ++i) code_.outputs.push_back(tape_.outputs()[i]);
  }

  void step(Op op, Space space, std::uint32_t slot, std::span<const std::uint32_t> args,
            std::uint32_t detail = 0, int exponent = 0) {
    code_.steps.push_back({op, space, exponent, slot, static_cast<std::uint32_t>(code_.operands.size()),
                           static_cast<std::uint32_t>(args.size()), detail});
    code_.operands.insert(code_.operands.end(), args.begin(), args.end());
  }

  /// The steps of a node, after those of its arguments.
  void emit(std::uint32_t slot) {
    allow_recursion();
    if (emitted_[slot]) return;
    emitted_[slot] = true;
    const Expr e = tape_.node(slot);
    for (const std::uint32_t a : tape_.args(slot)) emit(a);
    if (e.is(Kind::constant)) return;
    if (e.is(Kind::symbol)) {
      code_.symbols.push_back(e.symbol());
      code_.symbol_slots.push_back({e.symbol(), slot, in_angles_[slot], in_exponents_[slot]});
      return;
    }
    if (e.is(Kind::call) && !is_call(e, Builtin::sqrt)) {
      emit_call(slot, e);
      const std::uint32_t key[] = {slot};
      if (in_angles_[slot]) step(Op::keyed, Space::angles, slot, key);
      if (in_exponents_[slot]) step(Op::keyed, Space::exponents, slot, key);
      // Only a generator that depends on nothing else is still free when it is drawn again.
      if ((in_angles_[slot] || in_exponents_[slot]) && !e.function().is_abstract()) code_.faithful = false;
      return;
    }
    const Op op = e.is(Kind::sum)       ? Op::sum
                  : e.is(Kind::product) ? Op::product
                  : e.is(Kind::power)   ? Op::power
                                        : Op::root;
    const int exponent = op == Op::power ? e.exponent() : 0;
    if (op == Op::root) emit_root(e);
    step(op, Space::numbers, slot, tape_.args(slot), 0, exponent);
    if (in_angles_[slot]) step(op, Space::angles, slot, tape_.args(slot), 0, exponent);
    if (in_exponents_[slot]) step(op, Space::exponents, slot, tape_.args(slot), 0, exponent);
  }

  void emit_root(Expr e) {
    ++code_.roots;
    code_.restricted = true;
    const Expr radicand = e.args()[0];
    if (!radicand.is(Kind::constant)) return;
    const auto value = ModP::from(radicand.value());
    if (!value || !root(*value)) code_.impossible = true;
  }

  void emit_call(std::uint32_t slot, Expr e) {
    const auto args = tape_.args(slot);
    const auto next = [](const auto& table) { return static_cast<std::uint32_t>(table.size()); };
    if (e.function().is_abstract()) {
      step(Op::abstract, Space::numbers, slot, args, next(code_.functions));
      code_.functions.push_back(e.function());
      return;
    }
    switch (e.function().kind()) {
      case Builtin::sin: step(Op::sine, Space::numbers, slot, args, circle_of(e.args()[0])); break;
      case Builtin::cos: step(Op::cosine, Space::numbers, slot, args, circle_of(e.args()[0])); break;
      case Builtin::exp:
        code_.exponentials.push_back(exponential_of(e.args()[0]));
        step(Op::exponential, Space::numbers, slot, args, next(code_.exponentials) - 1);
        break;
      case Builtin::log: {
        code_.restricted = true;
        ModularCode::Logarithm log;
        collect_logarithm(e.args()[0], ModP(1), log, visible_[slot]);
        step(Op::logarithm, Space::numbers, slot, args, next(code_.logarithms));
        code_.logarithms.push_back(std::move(log));
        break;
      }
      case Builtin::atan:
        step(Op::arctangent, Space::numbers, slot, args);
        if (visible_[slot]) ++visible_arctangents_;
        if (visible_[slot] && !is_algebraic(e.args()[0])) code_.faithful = false;
        break;
      default: throw Bug("modular value of the function " + e.function().name());
    }
  }

  std::uint32_t circle_of(Expr u) {
    if (const auto found = circle_index_.find(u); found != circle_index_.end()) return found->second;
    const LinearParts& s = angles_.at(u);
    emit(slot_of(s.rest));
    for (const auto& part : s.parts) emit(slot_of(part.inner));
    ModularCode::Circle circle{slot_of(s.rest), 0, 0, {}, {}};
    if (const auto found = bound_angles_.find(u); found != bound_angles_.end()) circle.bound = found->second;
    for (const auto& part : circle.bound) code_.roots += part.halvings > 0 ? 1 : 0;
    if (s.rest.may_contain(pi().symbol())) set_multiple_of_pi(s.rest, circle);
    for (const auto& part : s.parts) {
      const auto [n, h] = *dyadic(part.coefficient);
      circle.arctangents.push_back({slot_of(part.inner), n, h});
      ++code_.roots;
    }
    const auto index = static_cast<std::uint32_t>(code_.circles.size());
    code_.circles.push_back(std::move(circle));
    step(Op::circle, Space::numbers, index, {});
    return circle_index_[u] = index;
  }

  /// Multiples of half a degree are points of finite order; others leave π a free angle, which it is not.
  void set_multiple_of_pi(Expr u, ModularCode::Circle& circle) {
    constexpr long none = 1L << 60U;
    const auto k = coefficient_of_pi(u);
    const Rational half_degrees = k.value_or(0) * Rational(static_cast<long>(half_degrees_of_a_turn) / 2);
    if (!k || !half_degrees.is_integer() || half_degrees.to_long(none) == none) {
      code_.faithful = false;
      return;
    }
    circle.half_degrees = half_degrees.to_long(none);
    circle.pi_coefficient = ModAngle::from(*k).value_or(ModAngle());
  }

  ModularCode::Exponential exponential_of(Expr u) {
    const LinearParts& s = exponents_.at(u);
    emit(slot_of(s.rest));
    ModularCode::Exponential e{slot_of(s.rest), {}};
    for (const auto& part : s.parts) {
      emit(slot_of(part.inner));
      emit(slot_of(part.coefficient));
      e.powers.push_back({slot_of(part.inner), slot_of(part.coefficient)});
      if (part.coefficient.is(Kind::constant)) ++code_.roots;
      code_.restricted = true;
    }
    return e;
  }

  /// log(k Π f^n) = Σ primes of k + Σ n log f; √ and exp are opened too.
  void collect_logarithm(Expr a, ModP scale, ModularCode::Logarithm& log, bool visible) {
    allow_recursion();
    using Of = ModularCode::Logarithm::Of;
    if (a.is(Kind::constant)) {
      collect_primes(a.value().numerator(), scale, log);
      collect_primes(a.value().denominator(), -scale, log);
    } else if (a.is(Kind::product)) {
      for (const Expr f : a.args()) collect_logarithm(f, scale, log, visible);
    } else if (a.is(Kind::power)) {
      collect_logarithm(a.args()[0], scale * ModP(a.exponent()), log, visible);
    } else if (is_call(a, Builtin::sqrt)) {
      collect_logarithm(a.args()[0], scale / 2, log, visible);
    } else if (is_call(a, Builtin::exp)) {
      log.terms.push_back({scale, Of::exponential, slot_of(a.args()[0])});
    } else {
      log.terms.push_back({scale, Of::factor, slot_of(a)});
      if (visible) (a.is(Kind::symbol) ? plain_logarithms_ : other_logarithms_).insert(a.id());
      if (visible && !is_algebraic(a)) code_.faithful = false;
    }
  }

  /// Is e a rational function, not a number, of symbols and abstract functions? Then atan e and log e are new.
  static bool is_algebraic(Expr e) {
    const Tape below(std::span<const Expr>(&e, 1));
    bool symbols = false;
    for (std::size_t i = 0; i < below.size(); ++i) {
      const Expr node = below.node(i);
      if (node.is(Kind::call) && !node.function().is_abstract()) return false;
      symbols = symbols || node.is(Kind::symbol);
    }
    return symbols;
  }

  /// |n| = Π prime^e; what trial division leaves counts as one prime.
  void collect_primes(const Rational& n, ModP scale, ModularCode::Logarithm& log) {
    using Of = ModularCode::Logarithm::Of;
    constexpr long large = 1L << 40;
    long rest = std::abs(n.to_long(0));
    if (rest == 0 || rest > large) {
      log.terms.push_back({scale, Of::prime, n.hash()});
      code_.faithful = false;
      return;
    }
    for (long d = 2; d * d <= rest; ++d) {
      for (; rest % d == 0; rest /= d) log.terms.push_back({scale, Of::prime, static_cast<std::uint64_t>(d)});
    }
    if (rest > 1) log.terms.push_back({scale, Of::prime, static_cast<std::uint64_t>(rest)});
  }

  /// Logarithms of symbols and primes are independent; of sums we only know it when there is no other.
  void judge_logarithms() {
    if (!other_logarithms_.empty() && other_logarithms_.size() + plain_logarithms_.size() > 1)
      code_.faithful = false;
  }

  std::size_t outputs_ = 0;
  std::shared_ptr<const Variety> variety_ = Variety::current();
  std::unordered_map<Expr, std::vector<ModularCode::Circle::Bound>> bound_angles_;
  std::unordered_map<Expr, LinearParts> angles_, exponents_;
  Tape tape_;
  std::vector<bool> in_angles_, in_exponents_, visible_, emitted_;
  std::unordered_map<Expr, std::uint32_t> circle_index_;
  std::unordered_set<std::uint32_t> plain_logarithms_, other_logarithms_;
  int visible_arctangents_ = 0;
  ModularCode code_;
};

}  // namespace

namespace {

/// Code for expressions that are defined nowhere.
ModularCode impossible_code(std::size_t outputs) {
  ModularCode code;
  code.numbers.resize(1);
  code.outputs.assign(outputs, 0);
  code.faithful = false;
  code.impossible = true;
  return code;
}

}  // namespace

ModularCode compile(std::span<const Expr> roots) {
  std::vector<Expr> primitive(roots.begin(), roots.end());
  Tape tape(primitive);
  try {
    // Again, because building may move a sign out of a call, tan(-u) = -tan(u), and so out of sight.
    while (!is_primitive(tape)) {
      primitive = rebuild(primitive, in_primitives);
      tape = Tape(primitive);
    }
  } catch (const NoValue&) {
    return impossible_code(roots.size());  // tan(π/2) = 1/0
  }
  return Compiler(primitive, std::move(tape)).code();
}

}  // namespace rattleback

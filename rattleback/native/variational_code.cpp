#include <rattleback/native/variational_code.hpp>

#include <map>
#include <optional>
#include <tuple>

namespace rattleback {
namespace {

/// Where an operand of the linear part stands, before it is known how many coefficients there are.
struct Operand {
  enum Kind : std::uint8_t { direction, coefficient, result } kind;
  std::uint32_t index;
  friend auto operator<=>(const Operand&, const Operand&) = default;
};
using Slope = std::optional<Operand>;  ///< none: zero
/// Nonzero derivatives of a register: column, and the scalar register of its value.
using Row = std::map<std::uint32_t, std::uint32_t>;

struct LinearStep {
  Op op;  ///< add, sub, neg, or mul by a coefficient, which is `a`
  Operand a, b;
};

/// Follows the chain rule through a code, and writes both parts.
class VariationalWriter {
 public:
  VariationalWriter(const Code& code, std::size_t columns) : from_(code), to_(with_empty_body(code)) {
    const auto known = static_cast<std::uint32_t>(code.first_result());
    for (std::uint32_t r = 0; r < known; ++r) place_.push_back(r);
    one_ = constant_register(to_, 1);
    half_ = constant_register(to_, Rational(1, 2));
    slopes_.resize(code.registers());
    for (std::uint32_t j = 0; j < columns; ++j) slopes_[j] = Operand{Operand::direction, j};
    for (std::size_t i = 0; i < code.body.size(); ++i) {
      const Instruction& in = code.body[i];
      place_.push_back(scalar(in.op, place_[in.a], place_[in.b]));
      slopes_[code.first_result() + i] = slope_of(in, place_.back());
    }
  }

  /// The linear part as it follows from the chain rule.
  VariationalCode by_chain(std::size_t columns) const {
    VariationalCode made{to_, {}};
    made.coefficients.outputs = values();
    const auto m = static_cast<std::uint32_t>(coefficients_.size());
    made.coefficients.outputs.insert(made.coefficients.outputs.end(), coefficients_.begin(),
                                     coefficients_.end());
    const auto n = static_cast<std::uint32_t>(columns);
    made.linear.inputs = n + m;
    const auto place = [&](const Operand& x) {
      return x.kind == Operand::direction     ? x.index
             : x.kind == Operand::coefficient ? n + x.index
                                              : n + m + x.index;
    };
    for (const LinearStep& step : linear_)
      made.linear.body.push_back({step.op, place(step.a), place(step.b)});
    for (const std::uint32_t out : from_.outputs) {
      if (const Slope& s = slopes_[out]) {
        made.linear.outputs.push_back(place(*s));
        continue;
      }
      made.linear.body.push_back({Op::sub, 0, 0});
      made.linear.outputs.push_back(static_cast<std::uint32_t>(made.linear.registers() - 1));
    }
    return made;
  }

  /// ∂f_i/∂y_j as scalar registers, sparse.
  std::vector<Row> matrix() {
    std::vector<Row> rows(linear_.size());
    const auto row = [&](const Operand& x) -> Row {
      return x.kind == Operand::direction ? Row{{x.index, one_}} : rows[x.index];
    };
    for (std::size_t i = 0; i < linear_.size(); ++i) {
      const LinearStep& step = linear_[i];
      switch (step.op) {
        case Op::mul: rows[i] = scaled(row(step.b), coefficients_[step.a.index]); break;
        case Op::neg: rows[i] = sum({}, row(step.a), Op::sub); break;
        default: rows[i] = sum(row(step.a), row(step.b), step.op);
      }
    }
    std::vector<Row> result;
    for (const std::uint32_t out : from_.outputs) result.push_back(slopes_[out] ? row(*slopes_[out]) : Row{});
    return result;
  }

  /// The linear part as a product by the matrix.
  VariationalCode by_matrix(std::size_t columns) {
    const std::vector<Row> rows = matrix();
    VariationalCode made{to_, {}};
    made.coefficients.outputs = values();
    std::map<std::uint32_t, std::uint32_t> entry;  // scalar register, which coefficient
    for (const Row& row : rows)
      for (const auto& [column, value] : row)
        if (entry.try_emplace(value, static_cast<std::uint32_t>(entry.size())).second)
          made.coefficients.outputs.push_back(value);
    Code& linear = made.linear;
    linear.inputs = static_cast<std::uint32_t>(columns + entry.size());
    const auto add = [&](Op op, std::uint32_t a, std::uint32_t b) {
      linear.body.push_back({op, a, b});
      return static_cast<std::uint32_t>(linear.registers() - 1);
    };
    for (const Row& row : rows) {
      std::optional<std::uint32_t> total;
      for (const auto& [column, value] : row) {
        const std::uint32_t term =
            value == one_ ? column
                          : add(Op::mul, static_cast<std::uint32_t>(columns) + entry.at(value), column);
        total = total ? add(Op::add, *total, term) : term;
      }
      linear.outputs.push_back(total ? *total : add(Op::sub, 0, 0));
    }
    return made;
  }

  /// Σ ∂f_i/∂y_i as a scalar register.
  std::uint32_t trace() {
    const std::vector<Row> rows = matrix();
    std::optional<std::uint32_t> total;
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      if (const auto found = rows[i].find(i); found != rows[i].end())
        total = total ? scalar(Op::add, *total, found->second) : found->second;
    return total ? *total : scalar(Op::sub, one_, one_);
  }

  Code divergence() {
    const std::uint32_t total = trace();
    Code made = to_;
    made.outputs = {total};
    return made;
  }

  Code jacobian(std::size_t columns) {
    const std::vector<Row> rows = matrix();
    const std::uint32_t zero = scalar(Op::sub, one_, one_);
    Code made = to_;
    made.outputs.clear();
    for (std::uint32_t j = 0; j < columns; ++j)
      for (const Row& row : rows) made.outputs.push_back(row.contains(j) ? row.at(j) : zero);
    return made;
  }

 private:
  std::vector<std::uint32_t> values() const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t out : from_.outputs) all.push_back(place_[out]);
    return all;
  }

  std::uint32_t scalar(Op op, std::uint32_t a, std::uint32_t b) {
    const auto [found, is_new] =
        made_.try_emplace({op, a, b}, static_cast<std::uint32_t>(to_.first_result() + to_.body.size()));
    if (is_new) to_.body.push_back({op, a, b});
    return found->second;
  }
  std::uint32_t scalar(Op op, std::uint32_t a) { return scalar(op, a, a); }
  std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    return a == one_ ? b : b == one_ ? a : scalar(Op::mul, a, b);
  }
  std::uint32_t inverse(std::uint32_t a) { return scalar(Op::div, one_, a); }
  std::uint32_t square(std::uint32_t a) { return scalar(Op::mul, a, a); }

  Row scaled(const Row& row, std::uint32_t by) {
    Row result;
    for (const auto& [column, value] : row) result.emplace(column, product(by, value));
    return result;
  }
  Row sum(const Row& a, const Row& b, Op op) {
    Row result = a;
    for (const auto& [column, value] : b) {
      const auto found = result.find(column);
      if (found != result.end()) {
        found->second = scalar(op, found->second, value);
      } else {
        result.emplace(column, op == Op::sub ? scalar(Op::neg, value) : value);
      }
    }
    return result;
  }

  Operand linear(Op op, const Operand& a, const Operand& b) {
    const auto [found, is_new] = steps_.try_emplace({op, a, b}, static_cast<std::uint32_t>(linear_.size()));
    if (is_new) linear_.push_back({op, a, b});
    return {Operand::result, found->second};
  }
  Slope times(std::uint32_t number, const Slope& s) {
    if (!s || number == one_) return s;
    const auto [found, is_new] = known_.try_emplace(number, static_cast<std::uint32_t>(coefficients_.size()));
    if (is_new) coefficients_.push_back(number);
    return linear(Op::mul, {Operand::coefficient, found->second}, *s);
  }
  Slope plus(const Slope& a, const Slope& b) { return a && b ? linear(Op::add, *a, *b) : a ? a : b; }
  Slope minus(const Slope& a, const Slope& b) {
    return a && b ? linear(Op::sub, *a, *b) : b ? linear(Op::neg, *b, *b) : a;
  }

  /// Of the result f of an instruction.
  Slope slope_of(const Instruction& in, std::uint32_t f) {
    const Slope &a = slopes_[in.a], b = arity_of(in.op) > 1 ? slopes_[in.b] : Slope{};
    if (!a && !b) return {};
    const std::uint32_t x = place_[in.a], y = place_[in.b];
    switch (in.op) {
      case Op::add: return plus(a, b);
      case Op::sub: return minus(a, b);
      case Op::neg: return minus({}, a);
      case Op::mul: return x == y ? times(scalar(Op::add, x, x), a) : plus(times(y, a), times(x, b));
      case Op::div: {
        const std::uint32_t r = inverse(y);
        return plus(times(r, a), b ? times(scalar(Op::neg, product(f, r)), b) : Slope{});
      }
      default: return times(derivative(in.op, x, f), a);
    }
  }
  /// Of a function of one argument x whose value is f.
  std::uint32_t derivative(Op op, std::uint32_t x, std::uint32_t f) {
    switch (op) {
      case Op::sqrt: return scalar(Op::mul, half_, inverse(f));
      case Op::sin: return scalar(Op::cos, x);
      case Op::cos: return scalar(Op::neg, scalar(Op::sin, x));
      case Op::tan: return scalar(Op::add, one_, square(f));
      case Op::asin: return inverse(scalar(Op::sqrt, scalar(Op::sub, one_, square(x))));
      case Op::acos: return scalar(Op::neg, inverse(scalar(Op::sqrt, scalar(Op::sub, one_, square(x)))));
      case Op::atan: return inverse(scalar(Op::add, one_, square(x)));
      case Op::exp: return f;
      case Op::log: return inverse(x);
      case Op::sinh: return scalar(Op::cosh, x);
      case Op::cosh: return scalar(Op::sinh, x);
      case Op::tanh: return scalar(Op::sub, one_, square(f));
      case Op::asinh: return inverse(scalar(Op::sqrt, scalar(Op::add, one_, square(x))));
      case Op::acosh: return inverse(scalar(Op::sqrt, scalar(Op::sub, square(x), one_)));
      case Op::atanh: return inverse(scalar(Op::sub, one_, square(x)));
      default: return scalar(Op::div, x, f);  // |x|
    }
  }

  const Code& from_;
  Code to_;
  std::uint32_t one_ = 0, half_ = 0;
  std::vector<std::uint32_t> place_;  ///< of a register of the code, in the scalar part
  std::vector<Slope> slopes_;
  std::vector<std::uint32_t> coefficients_;  ///< scalar registers
  std::vector<LinearStep> linear_;
  std::map<std::uint32_t, std::uint32_t> known_;
  std::map<std::tuple<Op, std::uint32_t, std::uint32_t>, std::uint32_t> made_;
  std::map<std::tuple<Op, Operand, Operand>, std::uint32_t> steps_;
};

}  // namespace

VariationalCode variational_code(const Code& code, std::size_t columns, std::size_t groups,
                                 bool with_divergence) {
  VariationalWriter writer(code, columns);
  const std::uint32_t trace = with_divergence ? writer.trace() : 0;
  VariationalCode chain = writer.by_chain(columns), matrix = writer.by_matrix(columns);
  for (VariationalCode* made : {&chain, &matrix}) {
    if (with_divergence) made->coefficients.outputs.push_back(trace);
    made->coefficients = pruned(std::move(made->coefficients));
    made->linear = pruned(std::move(made->linear));
  }
  const auto cost = [&](const VariationalCode& made) {
    return made.coefficients.body.size() + groups * made.linear.body.size();
  };
  return cost(chain) <= cost(matrix) ? chain : matrix;
}

Code directional_code(const Code& code, std::size_t columns) {
  const VariationalCode both = variational_code(code, columns);
  Code joined = both.coefficients;
  const auto n = static_cast<std::uint32_t>(columns);
  // Directions stand behind the first inputs; what follows moves.
  const auto moved = [&](std::uint32_t r) { return r < n ? r : r + n; };
  joined.inputs += n;
  for (Instruction& in : joined.body) in = {in.op, moved(in.a), moved(in.b), moved(in.c)};
  std::vector<std::uint32_t> outputs;
  for (const std::uint32_t out : both.coefficients.outputs) outputs.push_back(moved(out));
  const std::size_t values = code.outputs.size();
  const auto first = static_cast<std::uint32_t>(joined.registers());
  const auto place = [&](std::uint32_t r) -> std::uint32_t {
    if (r < n) return n + r;
    if (r < both.linear.inputs) return outputs[values + r - n];
    return first + (r - both.linear.inputs);
  };
  for (const Instruction& in : both.linear.body)
    joined.body.push_back({in.op, place(in.a), place(in.b), place(in.c)});
  joined.outputs.assign(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(values));
  for (const std::uint32_t out : both.linear.outputs) joined.outputs.push_back(place(out));
  return joined;
}

Code divergence_code(const Code& code, std::size_t columns) {
  return pruned(VariationalWriter(code, columns).divergence());
}

Code jacobian_code(const Code& code, std::size_t columns) {
  return pruned(VariationalWriter(code, columns).jacobian(columns));
}

}  // namespace rattleback

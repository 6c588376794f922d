// Declared in algebra/expression/parse.hpp. Evaluation of the syntax tree to scalars, vectors and matrices, with names resolved in a scope.
#include <rattleback/algebra/expression/parse.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/algebra/expression/value_arithmetic.hpp>
#include <rattleback/algebra/expression/vector_functions.hpp>

namespace rattleback {
namespace {

class Evaluator {
 public:
  explicit Evaluator(const Scope& scope) : scope_(scope) {}

  Value value(const Syntax& s) {
    using Kind = Syntax::Kind;
    switch (s.kind) {
      case Kind::number: return Expr(s.number);
      case Kind::name: return name(s);
      case Kind::call: return called(s);
      case Kind::index: return entry(s, matrix(s.children[0], "a vector or matrix"));
      case Kind::vector: return vector_of(s, values());
      case Kind::sum: return sum_of(s, values());
      case Kind::product: return product_of(s, values());
      case Kind::power: return raised(s);
      case Kind::negative: return negated(value(s.children[0]));
      case Kind::reciprocal: return inverted(s);
    }
    throw Bug("a kind of syntax without meaning");
  }

  Expr scalar(const Syntax& s, const char* where = "here") {
    const Value v = value(s);
    if (const Expr* e = std::get_if<Expr>(&v)) return *e;
    fail_at_syntax("shape-mismatch", fmt::format("{} where a scalar is needed", shape_text(v)), s,
                   fmt::format("a scalar is needed {}", where), "take a component v[1], or dot(u, v)");
  }

 private:
  /// The value of a child, for what is made of them one by one.
  ValueOf values() {
    return [this](const Syntax& child) { return value(child); };
  }

  Matrix matrix(const Syntax& s, const std::string& what) {
    Value v = value(s);
    if (Matrix* m = std::get_if<Matrix>(&v)) return std::move(*m);
    fail_at_syntax("shape-mismatch", fmt::format("a scalar where {} is needed", what), s, "",
                   "write a vector as [a, b, c]");
  }

  Matrix column(const Syntax& s) {
    Matrix m = matrix(s, "a vector");
    if (!m.is_column())
      fail_at_syntax("shape-mismatch", fmt::format("{} where a vector is needed", shape_text(m)), s, "",
                     "multiply the matrix by a vector first");
    return m;
  }

  Value name(const Syntax& s) {
    if (const Value* found = scope_.find(s.text)) return *found;
    if (s.text == "pi") return pi();
    for (int axis = 0; axis < 3; ++axis) {
      if (s.text == fmt::format("e{}", axis + 1)) return unit_vector(axis);
    }
    const auto [base, primes] = split_primes(s.text);
    if (primes > 0 && scope_.time_derivative()) {
      if (const Value* defined = scope_.find(std::string(base)); defined != nullptr && primes == 1) {
        const Expr* e = std::get_if<Expr>(defined);
        if (e != nullptr && e->is(rattleback::Kind::symbol) && e->symbol().role() == Role::parameter)
          fail_at_syntax("unknown-symbol", fmt::format("`{}` would be the rate of a parameter", s.text), s,
                         "parameters are constant, so their rates vanish",
                         fmt::format("leave the term out, or declare `{}` in [space] if it changes", base));
        return time_derivative(*defined, s);
      }
    }
    if (scope_.unknown() == Scope::Unknown::becomes_a_symbol) return symbol(s.text);
    unknown_name(s);
  }

  [[noreturn]] void unknown_name(const Syntax& s) {
    const auto [base, primes] = split_primes(s.text);
    std::string fix;
    if (primes > 1) {
      fail_at_syntax(
          "acceleration", fmt::format("`{}` is an acceleration", s.text), s,
          "models are stated with positions and velocities only",
          "a constraint on accelerations is not admissible; forces and constraints may use velocities");
    }
    std::string lowered(base);
    for (const std::string suffix : {"dot", "_dot", "d"}) {
      if (lowered.ends_with(suffix) &&
          scope_.find(lowered.substr(0, lowered.size() - suffix.size()) + "'") != nullptr) {
        fix = fmt::format("the velocity of a coordinate is written with a prime; use `{}'`",
                          lowered.substr(0, lowered.size() - suffix.size()));
      }
    }
    if (fix.empty()) fix = component_fix(s.text);
    if (fix.empty()) {
      const auto close = nearest(s.text, scope_.names());
      fix = close.empty() ? fmt::format("declare it in [parameters], [space] or [define]")
                          : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"));
    }
    if (scope_.find_function(s.text) != nullptr || Function::find_builtin(s.text)) {
      fail_at_syntax("unknown-symbol", fmt::format("`{}` is a function and needs its argument", s.text), s,
                     "", fmt::format("write {}(...)", s.text));
    }
    throw rattleback::located(
        UnknownSymbol(s.text,
                      fmt::format("`{}` is not a coordinate, velocity or parameter of this model", s.text),
                      fix),
        place_of(s));
  }

  /// `w2` where `w` is a vector with a second component.
  std::string component_fix(const std::string& name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    const std::string base = name.substr(0, digits), number = name.substr(digits);
    if (base.empty() || number.empty() || number.size() > 2) return {};
    const Value* vector = scope_.find(base);
    const Matrix* m = vector == nullptr ? nullptr : std::get_if<Matrix>(vector);
    const int k = std::stoi(number);
    if (m == nullptr || !m->is_column() || k < 1 || k > m->rows()) return {};
    return fmt::format("the components of the vector `{0}` are `{0}[1]` to `{0}[{1}]`; write `{0}[{2}]`",
                       base, m->rows(), k);
  }

  Value time_derivative(const Value& v, const Syntax& at) {
    const auto& ddt = scope_.time_derivative();
    if (!ddt)
      fail_at_syntax("unknown-function", "there is no time derivative here", at,
                     "ddt acts on functions of the configuration of a model", "write the velocities out");
    const auto rate = [&](Expr e) { return located(at, [&] { return ddt(e); }); };
    if (const Expr* e = std::get_if<Expr>(&v)) return rate(*e);
    Matrix m = std::get<Matrix>(v);
    for (Expr& e : m.entries()) e = rate(e);
    return m;
  }

  Value called(const Syntax& s) {
    const auto [base, primes] = split_primes(s.text);
    if (const int* arity = scope_.find_function(std::string(base)))
      return abstract_call(s, std::string(base), primes, *arity);
    if (primes == 0 && s.orders.empty()) {
      if (const auto builtin = Function::find_builtin(base)) {
        require_arguments(s, 1, std::string(base) + "(x)");
        return call(*builtin, {scalar(s.children[0], fmt::format("in {}(…)", base).c_str())});
      }
      if (const VectorFunction* f = find_vector_function(base)) return vector_call(s, *f);
      if (base == "<" || base == ">") {
        fail_at_syntax("syntax", fmt::format("a comparison with `{}`", base), s,
                       "comparisons stand in piecewise(...), in [forces] and [inputs]",
                       "write piecewise(x > 0, a, b): a where x > 0, b elsewhere");
      }
      if (is_switching_function(base)) {
        if (scope_.find_function(std::string(switches_allowed)) != nullptr) return switching_call(s);
        fail_at_syntax(
            "unknown-function", fmt::format("`{}` is not available here", base), s,
            "Lagrangian, constraints, definitions and velocities are analytic, so that proofs are possible",
            "use it in [forces] or in the law of an input; elsewhere rewrite it with the functions of the "
            "reference");
      }
      if (base == "atan2") {
        fail_at_syntax("unknown-function", fmt::format("`{}` is not available", base), s,
                       "the functions of a model are analytic, so that proofs are possible",
                       "rewrite it with the functions of the reference");
      }
    }
    if (const Value* found = scope_.find(s.text); found != nullptr) {
      fail_at_syntax("unknown-function",
                     fmt::format("`{}` is {}, not a function", s.text, shape_text(*found)), s,
                     "multiplication is always written", fmt::format("write {}*(...)", s.text));
    }
    if (scope_.unknown() == Scope::Unknown::becomes_a_symbol)
      return abstract_call(s, std::string(base), primes, static_cast<int>(s.children.size()));
    unknown_function(s, std::string(base));
  }

  // ---- functions that switch, all written with sign(x)

  Expr argument(const Syntax& s, std::size_t k) {
    return scalar(s.children[k], fmt::format("in {}(…)", s.text).c_str());
  }

  /// Its value is the first whose condition holds, or the last.
  Expr piecewise(const Syntax& s) {
    const std::size_t n = s.children.size();
    if (n < 3 || n % 2 == 0)
      fail_at_syntax("wrong-arguments", fmt::format("`piecewise` has {} arguments", n), s,
                     "conditions and values alternate, and a value for all other cases ends them",
                     "write piecewise(x > 0, a, b)");
    Expr value = argument(s, n - 1);
    for (std::size_t k = n - 1; k >= 2; k -= 2) {
      const Syntax& condition = s.children[k - 2];
      if (condition.kind != Syntax::Kind::call || (condition.text != "<" && condition.text != ">"))
        fail_at_syntax("wrong-arguments", "a condition of `piecewise` is no comparison", condition, "",
                       "write a < b or a > b");
      const Expr left = scalar(condition.children[0]), right = scalar(condition.children[1]);
      value = where_positive(condition.text == ">" ? left - right : right - left, argument(s, k - 1), value);
    }
    return value;
  }

  Value switching_call(const Syntax& s) {
    const std::size_t n = s.children.size();
    if (s.text == "piecewise") return piecewise(s);
    if (s.text == "sign") {
      require_arguments(s, 1, "sign(x)");
      return sign_of(argument(s, 0));
    }
    if (s.text == "smoothstep") {
      if (n != 1 && n != 3)
        fail_at_syntax("wrong-arguments", fmt::format("`smoothstep` has {} arguments", n), s, "",
                       "write smoothstep(x), from 0 at x = 0 to 1 at x = 1, or smoothstep(a, b, x)");
      if (n == 1) return smooth_step(argument(s, 0));
      const Expr a = argument(s, 0), b = argument(s, 1);
      if ((b - a).is_zero())
        fail_at_syntax("wrong-arguments", "`smoothstep` between equal ends", s, "",
                       "give two different ends");
      return smooth_step((argument(s, 2) - a) / (b - a));
    }
    if (n < 2)
      fail_at_syntax("wrong-arguments", fmt::format("`{}` has {} argument", s.text, n), s, "",
                     fmt::format("write {}(a, b)", s.text));
    Expr value = argument(s, 0);
    for (std::size_t k = 1; k < n; ++k)
      value = s.text == "max" ? larger(value, argument(s, k)) : -larger(-value, -argument(s, k));
    return value;
  }

  [[noreturn]] void unknown_function(const Syntax& s, const std::string& base) {
    std::vector<std::string> known;
    for (const std::string& n : scope_.names()) {
      if (scope_.find_function(n) != nullptr) known.push_back(n);
    }
    for (const VectorFunction& f : vector_functions()) known.emplace_back(f.name);
    for (int i = 0; i < static_cast<int>(Builtin::abstract); ++i)
      known.push_back(Function::builtin(static_cast<Builtin>(i)).name());
    const auto close = nearest(base, known);
    fail_at_syntax(
        "unknown-function", fmt::format("`{}` is not a known function", base), s, "",
        close.empty()
            ? fmt::format("declare it in [functions], e.g. {} = [\"x\"], or write a product with *", base)
            : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")));
  }

  void require_arguments(const Syntax& s, int count, const std::string& usage) {
    if (static_cast<int>(s.children.size()) == count) return;
    fail_at_syntax("wrong-arguments",
                   fmt::format("`{}` has {} argument{}, not {}", s.text, count, count == 1 ? "" : "s",
                               s.children.size()),
                   s, "", fmt::format("write {}", usage));
  }

  Value abstract_call(const Syntax& s, const std::string& base, int primes, int arity) {
    require_arguments(s, arity, fmt::format("{} with {} argument(s)", base, arity));
    if (arity == 0)
      fail_at_syntax("wrong-arguments", fmt::format("`{}` has no arguments", base), s, "",
                     "a function without arguments is a parameter");
    if (primes > 0 && arity != 1) {
      fail_at_syntax("wrong-arguments",
                     fmt::format("`{}'` is ambiguous: {} has {} arguments", base, base, arity), s,
                     "a prime differentiates a function of one argument",
                     fmt::format("write {}[1,0](…) for the derivative by the first argument", base));
    }
    if (!s.orders.empty() && static_cast<int>(s.orders.size()) != arity) {
      fail_at_syntax(
          "wrong-arguments",
          fmt::format("{} has {} arguments but {} orders of differentiation", base, arity, s.orders.size()),
          s, "", "give one order per argument");
    }
    Function f = Function::abstract(base, arity);
    for (int k = 0; k < primes; ++k) f = f.differentiated(0);
    for (std::size_t k = 0; k < s.orders.size(); ++k) {
      for (int times = s.orders[k]; times > 0; --times) f = f.differentiated(static_cast<int>(k));
    }
    std::vector<Expr> args;
    for (const Syntax& child : s.children) args.push_back(scalar(child, "as an argument"));
    return call(f, args);
  }

  Value vector_call(const Syntax& s, const VectorFunction& f) {
    if (f.arity >= 0) require_arguments(s, f.arity, std::string(f.usage));
    if (f.name == "dot" || f.name == "cross") {
      const Matrix u = column(s.children[0]), v = column(s.children[1]);
      if (u.rows() != v.rows() || (f.name == "cross" && u.rows() != 3)) {
        fail_at_syntax("shape-mismatch", fmt::format("{} of {} and {}", f.name, shape_text(u), shape_text(v)),
                       s, "",
                       f.name == "cross" ? "cross needs two 3-vectors" : "both vectors need the same length");
      }
      return f.name == "dot" ? Value(dot(u, v)) : Value(cross(u, v));
    }
    if (f.name == "norm2") {
      const Matrix u = column(s.children[0]);
      return dot(u, u);
    }
    if (f.name == "transpose") return scalar_if_single(transpose(matrix(s.children[0], "a matrix")));
    if (f.name == "Rx") return rotation_x(scalar(s.children[0]));
    if (f.name == "Ry") return rotation_y(scalar(s.children[0]));
    if (f.name == "Rz") return rotation_z(scalar(s.children[0]));
    if (f.name == "ddt") return time_derivative(value(s.children[0]), s);
    std::vector<Expr> entries;  // diag
    for (const Syntax& child : s.children) {
      const Value v = value(child);
      if (const Matrix* m = std::get_if<Matrix>(&v)) {
        entries.insert(entries.end(), m->entries().begin(), m->entries().end());
      } else {
        entries.push_back(std::get<Expr>(v));
      }
    }
    if (entries.empty() || entries.size() > 100)
      fail_at_syntax("wrong-arguments", "diag needs between 1 and 100 entries", s, "", "write diag(a, b, c)");
    return Matrix::diagonal(entries);
  }

  /// What fails without a place of its own (1/0, 2^(2^30), the rate of a velocity) is reported where it stands.
  template <class Make>
  Expr located(const Syntax& s, Make make) {
    try {
      return make();
    } catch (Error& error) {
      if (error.where.empty()) error.at(place_of(s));
      throw;
    }
  }

  Value raised(const Syntax& s) {
    const Expr base = scalar(s.children[0], "as the base of a power");
    const Expr exponent = scalar(s.children[1], "as an exponent");
    return located(s, [&] { return pow(base, exponent); });
  }

  Value inverted(const Syntax& s) {
    const Expr e = scalar(s.children[0], "as a denominator");
    return located(s, [&] { return pow(e, -1); });
  }

  const Scope& scope_;
};

}  // namespace

Value evaluate(const Syntax& syntax, const Scope& scope) { return Evaluator(scope).value(syntax); }
Expr evaluate_scalar(const Syntax& syntax, const Scope& scope) { return Evaluator(scope).scalar(syntax); }

}  // namespace rattleback

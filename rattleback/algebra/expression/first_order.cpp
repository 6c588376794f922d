#include <rattleback/algebra/expression/first_order.hpp>

#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

/// a + b_j ε_j with ε_i ε_j = 0, over expressions.
struct Jet {
  Expr value;
  std::vector<std::pair<int, Expr>> slopes;  ///< those that are not zero, by j
};

class Jets {
 public:
  using Value = Jet;
  Jets(std::span<const Symbol> xs, const SymbolMap& point) : point_(point) {
    for (std::size_t j = 0; j < xs.size(); ++j) place_.emplace(xs[j], static_cast<int>(j));
  }

  Jet constant(const Rational& c) const { return {Expr(c), {}}; }
  Jet symbol(Symbol s) const {
    Jet jet{Expr(s), {}};
    if (const auto found = point_.find(s); found != point_.end()) jet.value = found->second;
    if (const auto found = place_.find(s); found != place_.end())
      jet.slopes.emplace_back(found->second, Expr(1));
    return jet;
  }
  Jet sum(std::span<const Jet> xs) const {
    std::vector<Expr> terms;
    for (const Jet& x : xs) terms.push_back(x.value);
    const std::vector<Expr> weights(xs.size(), Expr(1));
    return {rattleback::sum(terms), combined(xs, weights)};
  }
  Jet product(std::span<const Jet> xs) const {
    std::vector<Expr> factors, weights;
    for (const Jet& x : xs) factors.push_back(x.value);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      std::vector<Expr> others = factors;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      weights.push_back(xs[i].slopes.empty() ? Expr(0) : rattleback::product(others));
    }
    return {rattleback::product(factors), combined(xs, weights)};
  }
  Jet power(const Jet& x, int n) const {
    const Expr weight = x.slopes.empty() ? Expr(0) : Expr(n) * pow(x.value, n - 1);
    return {pow(x.value, n), combined({&x, 1}, {&weight, 1})};
  }
  Jet call(Function f, std::span<const Jet> xs) const {
    std::vector<Expr> args, weights;
    for (const Jet& x : xs) args.push_back(x.value);
    for (std::size_t i = 0; i < xs.size(); ++i)
      weights.push_back(xs[i].slopes.empty() ? Expr(0) : slope(f, args, static_cast<int>(i)));
    return {rattleback::call(f, args), combined(xs, weights)};
  }

 private:
  /// ∂f/∂(argument i), taken at a symbol, since the call itself may fold to a number.
  static Expr slope(Function f, std::span<const Expr> args, int i) {
    if (f.is_abstract()) return rattleback::call(f.differentiated(i), args);
    const Symbol x = Symbol::make("argument of a function");
    return substitute(derivative(rattleback::call(f, {Expr(x)}), x), SymbolMap{{x, args[0]}});
  }

  /// Σ_i weight_i · slopes of x_i.
  std::vector<std::pair<int, Expr>> combined(std::span<const Jet> xs, std::span<const Expr> weights) const {
    std::vector<std::vector<Expr>> terms(place_.size());
    for (std::size_t i = 0; i < xs.size(); ++i) {
      if (weights[i].is_zero()) continue;
      for (const auto& [j, slope] : xs[i].slopes)
        terms[static_cast<std::size_t>(j)].push_back(weights[i] * slope);
    }
    std::vector<std::pair<int, Expr>> slopes;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (terms[j].empty()) continue;
      const Expr slope = rattleback::sum(terms[j]);
      if (!slope.is_zero()) slopes.emplace_back(static_cast<int>(j), slope);
    }
    return slopes;
  }

  const SymbolMap& point_;
  std::unordered_map<Symbol, int> place_;
};

}  // namespace

FirstOrder first_order(std::span<const Expr> fs, std::span<const Symbol> xs, const SymbolMap& point) {
  Jets jets(xs, point);
  const std::vector<Jet> found = interpret(fs, jets);
  FirstOrder result{{}, Matrix(static_cast<int>(fs.size()), static_cast<int>(xs.size()))};
  for (std::size_t i = 0; i < fs.size(); ++i) {
    result.values.push_back(found[i].value);
    for (const auto& [j, slope] : found[i].slopes) result.slopes(static_cast<int>(i), j) = slope;
  }
  return result;
}

}  // namespace rattleback

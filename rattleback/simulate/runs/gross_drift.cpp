#include <rattleback/simulate/runs/gross_drift.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/native/evaluator.hpp>

namespace rattleback {
namespace {

Expr absolute(Expr e) { return call(Function::builtin(Builtin::abs), {&e, 1}); }

/// An expression with the sum of the absolute values of its terms.
struct Sized {
  Expr value, size;
};

class Sizes {
 public:
  using Value = Sized;
  Sized constant(const Rational& c) const { return {Expr(c), absolute(Expr(c))}; }
  Sized symbol(Symbol s) const { return {Expr(s), absolute(Expr(s))}; }
  Sized sum(std::span<const Sized> xs) const {
    Sized total{Expr(0), Expr(0)};
    for (const Sized& x : xs) total = {total.value + x.value, total.size + x.size};
    return total;
  }
  Sized product(std::span<const Sized> xs) const {
    Sized total{Expr(1), Expr(1)};
    for (const Sized& x : xs) total = {total.value * x.value, total.size * x.size};
    return total;
  }
  Sized power(const Sized& x, int n) const {
    const Expr value = pow(x.value, n);
    return {value, n > 0 ? pow(x.size, n) : absolute(value)};
  }
  Sized call(Function f, std::span<const Sized> xs) const {
    std::vector<Expr> args;
    for (const Sized& x : xs) args.push_back(x.value);
    const Expr value = rattleback::call(f, args);
    const bool is_root = !f.is_abstract() && f.kind() == Builtin::sqrt;
    return {value, is_root ? rattleback::call(f, {&xs[0].size, 1}) : absolute(value)};
  }
};

}  // namespace

std::vector<double> sizes_of_terms(const Flow& flow, std::span<const Expr> functions,
                                   std::span<const double> y, double t) {
  Sizes sizes;
  std::vector<Expr> all;
  for (const Expr f : functions) all.push_back(interpret(flow.on_state(f), sizes).size);
  const Code code = flow.code_of(all);
  Evaluator<double> f(code, flow.parameter_values<double>());
  std::vector<double> x(y.begin(), y.end()), out(all.size());
  x.push_back(t);
  f(x.data(), out.data());
  return out;
}

std::vector<GrossDrift> gross_drifts(const Flow& flow, std::span<const Invariant> invariants,
                                     std::span<const Drift> drifts, std::span<const double> start,
                                     std::span<const double> end, double until) {
  const auto is_large = [](const Drift& d, double size) { return !(d.largest <= 1e-3 * size); };
  std::vector<GrossDrift> found;
  for (std::size_t k = 0; k < drifts.size(); ++k) {
    const Drift& d = drifts[k];
    double size = std::abs(d.initial);
    if (d.relative() <= 1e-6 || !is_large(d, size)) continue;
    if (k >= invariants.size()) {
      size = std::max(size, 1.0);
    } else {
      const Expr f = invariants[k].value;
      for (const auto& [y, t] : {std::pair{start, 0.0}, std::pair{end, until}})
        if (const double there = sizes_of_terms(flow, {&f, 1}, y, t).front(); std::isfinite(there))
          size = std::max(size, there);
    }
    if (is_large(d, size)) found.push_back({d, size});
  }
  return found;
}

}  // namespace rattleback

#include <rattleback/proof/evidence/triangular.hpp>

#include <algorithm>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/pseudo_division.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {
namespace {

/// The coefficient of x^n in p.
Polynomial coefficient_of(const Polynomial& p, int x, ulong n) {
  Polynomial c(p.ring());
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> e = p.exponents(i);
    if (e[static_cast<std::size_t>(x)] != n) continue;
    e[static_cast<std::size_t>(x)] = 0;
    c.add_term(p.coefficient(i), e);
  }
  c.collect();
  return c;
}

Polynomial leading_coefficient(const Polynomial& p, int x) {
  return coefficient_of(p, x, static_cast<ulong>(p.degree(x)));
}

/// p without its leading term in x.
Polynomial tail(const Polynomial& p, int x) {
  Polynomial t(p.ring());
  const auto n = static_cast<ulong>(p.degree(x));
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const std::vector<ulong> e = p.exponents(i);
    if (e[static_cast<std::size_t>(x)] != n) t.add_term(p.coefficient(i), e);
  }
  t.collect();
  return t;
}

/// The pseudo-remainder of p by f with respect to x, without its content.
Polynomial remainder(Polynomial p, const Polynomial& f, int x) {
  return without_content(pseudo_remainder(std::move(p), f, x).remainder);
}

Polynomial primitive_part(const Polynomial& p) {
  Polynomial out(p.ring(), 1);
  for (const auto& [base, exponent] : factored(p).factors) out = out * base;
  return out;
}

class Decomposition {
 public:
  Decomposition(const Field& field, bool& complete, std::vector<int> unknowns, LinearSteps linear)
      : field_(field), complete_(complete), unknowns_(std::move(unknowns)), linear_(linear) {}

  void solve(std::vector<Polynomial> equations, Chain chain, int depth) {
    Budget::check();
    constexpr int deepest = search_limits::triangular_splitting.count;
    if (depth > deepest) {
      complete_ = false;
      return;
    }
    for (Polynomial& p : equations) {
      for (std::size_t k = 0; k < chain.polynomials.size(); ++k)
        p = remainder(std::move(p), chain.polynomials[k], chain.variables[k]);
    }
    std::erase_if(equations, [](const Polynomial& p) { return p.is_zero(); });
    if (std::any_of(equations.begin(), equations.end(), [](const Polynomial& p) { return p.is_constant(); }))
      return;
    if (equations.empty()) {
      found_.push_back(std::move(chain));
      return;
    }
    const auto simplest =
        std::min_element(equations.begin(), equations.end(),
                         [](const Polynomial& a, const Polynomial& b) { return a.terms() < b.terms(); });
    const Polynomial p = std::move(*simplest);
    equations.erase(simplest);
    for (const auto& [f, exponent] : factored(p).factors) branch(f, equations, chain, depth);
  }

  std::vector<Chain> found() && { return std::move(found_); }

 private:
  bool never_zero(const Polynomial& p) const {
    const bool generic = !unknowns_.empty() && std::none_of(unknowns_.begin(), unknowns_.end(),
                                                            [&](int x) { return p.degree(x) > 0; });
    return generic || known_nonzero(field_.expression(p));
  }
  bool may_lead(int x) const {
    return unknowns_.empty() || std::find(unknowns_.begin(), unknowns_.end(), x) != unknowns_.end();
  }

  /// A sum of squares with positive coefficients vanishes only with each of them.
  std::vector<Polynomial> squares(const Polynomial& f) const {
    std::vector<Polynomial> parts;
    int sign = 0;
    for (std::size_t i = 0; i < f.terms(); ++i) {
      std::vector<ulong> e = f.exponents(i);
      const int s = f.coefficient(i).sign();
      if (sign != 0 && s != sign) return {};
      sign = s;
      for (std::size_t g = 0; g < e.size(); ++g) {
        const bool positive = known_sign(field_.generators()[g]) == KnownSign::positive;
        if (positive) e[g] = 0;
        if (e[g] % 2 != 0) return {};
        e[g] /= 2;
      }
      Polynomial part(f.ring());
      part.add_term(1, e);
      part.collect();
      parts.push_back(std::move(part));
    }
    return parts.size() > 1 ? parts : std::vector<Polynomial>();
  }

  /// Of a step with this leading coefficient; the lowest is taken first.
  int rank_of(bool linear, bool solvable) const {
    switch (linear_) {
      case LinearSteps::solvable: return solvable ? 0 : 1;
      case LinearSteps::all: return solvable || linear ? 0 : 1;
      case LinearSteps::solvable_first: break;
    }
    return solvable && linear ? 0 : solvable || linear ? 1 : 2;
  }

  /// Linear with a coefficient that never vanishes is best, then low degree, then what was named first.
  int leading_variable(const Polynomial& f, const Chain& chain) const {
    int best = -1;
    std::tuple<int, long, std::size_t, std::ptrdiff_t> best_cost;
    for (int x = 0; x < f.ring().size(); ++x) {
      const long n = f.degree(x);
      if (n < 1 || !may_lead(x) ||
          std::find(chain.variables.begin(), chain.variables.end(), x) != chain.variables.end())
        continue;
      const Polynomial lead = leading_coefficient(f, x);
      const auto place = std::find(unknowns_.begin(), unknowns_.end(), x) - unknowns_.begin();
      const std::tuple cost{rank_of(n == 1, never_zero(lead)), n, lead.terms(), place};
      if (best < 0 || cost < best_cost) {
        best = x;
        best_cost = cost;
      }
    }
    return best;
  }

  /// All variables of f lead members of the chain, in which they have higher degrees: f takes the place of one, which becomes an equation
  /// again. y = 0 beside x² + y² = l², solved for y.
  void instead_of_member(const Polynomial& f, std::vector<Polynomial> others, Chain chain, int depth) {
    std::ptrdiff_t lowest = -1;
    for (std::ptrdiff_t k = 0; k < std::ssize(chain.variables); ++k) {
      const long n = f.degree(chain.variables[at(k)]);
      if (n > 0 && (lowest < 0 || n < f.degree(chain.variables[at(lowest)]))) lowest = k;
    }
    if (lowest < 0 || !reorders()) {
      complete_ = false;
      return;
    }
    others.push_back(chain.polynomials[at(lowest)]);
    chain.polynomials.erase(chain.polynomials.begin() + lowest);
    chain.variables.erase(chain.variables.begin() + lowest);
    branch(f, others, chain, depth + 1);
  }
  /// Members of the chain become equations again where solutions are wanted. For conditions on parameters, which have many components, that takes
  /// too long.
  bool reorders() const { return linear_ != LinearSteps::solvable; }
  static std::size_t at(std::ptrdiff_t k) { return static_cast<std::size_t>(k); }

  void branch(const Polynomial& f, const std::vector<Polynomial>& others, const Chain& chain, int depth) {
    if (never_zero(f)) return;
    if (std::vector<Polynomial> parts = squares(f); !parts.empty()) {
      parts.insert(parts.end(), others.begin(), others.end());
      solve(std::move(parts), chain, depth + 1);
      return;
    }
    const int x = leading_variable(f, chain);
    if (x < 0) {
      instead_of_member(f, others, chain, depth);
      return;
    }
    const Polynomial lead = leading_coefficient(f, x);
    // Earlier members of the chain lose x, so that solutions do not refer to each other. One that loses its own variable, too, is an
    // equation again.
    Chain longer;
    std::vector<Polynomial> equations = others;
    for (std::size_t k = 0; k < chain.polynomials.size(); ++k) {
      Polynomial g = primitive_part(remainder(chain.polynomials[k], f, x));
      if (g.degree(chain.variables[k]) < 1) {
        // Where its leading coefficient vanishes is a case of its own, looked at elsewhere.
        const Polynomial divided_by = leading_coefficient(chain.polynomials[k], chain.variables[k]);
        if (remainder(divided_by, f, x).is_zero()) return;
        if (!reorders()) {
          complete_ = false;
          return;
        }
        equations.push_back(std::move(g));
        continue;
      }
      longer.polynomials.push_back(std::move(g));
      longer.variables.push_back(chain.variables[k]);
    }
    longer.polynomials.push_back(f);
    longer.variables.push_back(x);
    solve(std::move(equations), std::move(longer), depth + 1);
    if (never_zero(lead)) return;
    std::vector<Polynomial> degenerate = others;
    degenerate.push_back(lead);
    degenerate.push_back(tail(f, x));
    solve(std::move(degenerate), chain, depth + 1);
  }

  const Field& field_;
  bool& complete_;
  std::vector<int> unknowns_;
  LinearSteps linear_;
  std::vector<Chain> found_;
};

bool vanishes_on(Polynomial p, const Chain& chain) {
  for (std::size_t k = 0; k < chain.polynomials.size(); ++k)
    p = remainder(std::move(p), chain.polynomials[k], chain.variables[k]);
  return p.is_zero();
}

/// Does every polynomial of `large` vanish on `small`?
bool is_within(const Chain& small, const Chain& large) {
  return std::all_of(large.polynomials.begin(), large.polynomials.end(),
                     [&](const Polynomial& p) { return vanishes_on(p, small); });
}

/// Can `large` be solved on `small`: do its leading coefficients not vanish there?
bool is_solvable_on(const Chain& small, const Chain& large) {
  for (std::size_t k = 0; k < large.polynomials.size(); ++k) {
    if (vanishes_on(leading_coefficient(large.polynomials[k], large.variables[k]), small)) return false;
  }
  return true;
}

}  // namespace

SymbolMap Chain::solution(const Field& field) const {
  SymbolMap map;
  for (std::size_t k = 0; k < polynomials.size(); ++k) {
    const Expr x = field.generators()[static_cast<std::size_t>(variables[k])];
    if (polynomials[k].degree(variables[k]) != 1 || !x.is(Kind::symbol)) return {};
    const Polynomial lead = coefficient_of(polynomials[k], variables[k], 1);
    map.emplace(x.symbol(),
                canonical(-field.expression(tail(polynomials[k], variables[k])) / field.expression(lead)));
  }
  return map;
}

std::vector<Chain> components(const Field& field, std::vector<Polynomial> equations, bool& complete,
                              std::vector<int> unknowns, LinearSteps linear) {
  Decomposition decomposition(field, complete, std::move(unknowns), linear);
  decomposition.solve(std::move(equations), {}, 0);
  std::vector<Chain> all = std::move(decomposition).found(), kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool redundant = false;
    for (std::size_t j = 0; j < all.size() && !redundant; ++j) {
      if (i == j || !is_within(all[i], all[j]) ||
          (linear != LinearSteps::solvable && !is_solvable_on(all[i], all[j])))
        continue;
      redundant = j < i || !is_within(all[j], all[i]);  // of two equal ones the first stays
    }
    if (!redundant) kept.push_back(all[i]);
  }
  return kept;
}

std::vector<Expr> coefficients_in(const Field& field, const Polynomial& p, int g) {
  std::vector<Expr> out;
  for (const Polynomial& c : coefficients_in(p, g)) out.push_back(field.expression(c));
  return out;
}

}  // namespace rattleback

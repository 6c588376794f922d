#include <rattleback/proof/steady/spectral_stability.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/pseudo_division.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/triangular.hpp>
#include <rattleback/proof/steady/separated_roots.hpp>

namespace rattleback {
namespace {

/// M_k = A M_{k−1} + c_{n−k+1} 1, c_{n−k} = −tr(A M_k)/k: the coefficients of det(λ − A), lowest first, last 1.
std::vector<Element> faddeev_leverrier(const Ring& ring, const std::vector<Element>& A, int n) {
  const Element zero(ring, 0), one(ring, 1);
  const auto at = [n](int i, int j) {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
  };
  std::vector<Element> c(static_cast<std::size_t>(n) + 1, one), M(A.size(), zero);
  for (int k = 1; k <= n; ++k) {
    Budget::check();
    std::vector<Element> next(A.size(), zero);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int l = 0; l < n; ++l) {
          if (!A[at(i, l)].is_zero() && !M[at(l, j)].is_zero())
            next[at(i, j)] = next[at(i, j)] + A[at(i, l)] * M[at(l, j)];
        }
      }
      next[at(i, i)] = next[at(i, i)] + c[static_cast<std::size_t>(n - k) + 1];
    }
    M = std::move(next);
    Element trace = zero;
    for (int i = 0; i < n; ++i) {
      for (int l = 0; l < n; ++l) {
        if (!A[at(i, l)].is_zero() && !M[at(l, i)].is_zero()) trace = trace + A[at(i, l)] * M[at(l, i)];
      }
    }
    c[n - k] = trace * Element(ring, Rational(-1, k));
  }
  return c;
}

/// The determinant of a small matrix by expansion along its rows.
template <class Entry>
Element determinant_of(const Ring& ring, int size, const Entry& entry) {
  std::vector<int> columns;
  for (int k = 0; k < size; ++k) columns.push_back(k);
  const auto expand = [&](auto&& self, int row, const std::vector<int>& left) -> Element {
    if (left.empty()) return Element(ring, 1);
    Element d(ring, 0);
    for (std::size_t k = 0; k < left.size(); ++k) {
      const Element e = entry(row, left[k]);
      if (e.is_zero()) continue;
      std::vector<int> others = left;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const Element term = e * self(self, row + 1, others);
      d = k % 2 == 0 ? d + term : d - term;
    }
    return d;
  };
  return expand(expand, 0, columns);
}

/// Hurwitz's determinants Δ_1, …, Δ_n of a_0 + … + a_n λ^n: entries H_ij = a_{n−2j+i}, i, j = 1 … n.       (O.5)
std::vector<Element> hurwitz_determinants(const Ring& ring, const std::vector<Element>& a) {
  const int n = static_cast<int>(a.size()) - 1;
  const auto entry = [&](int i, int j) {  // counted from 0
    const int k = n - 2 * (j + 1) + (i + 1);
    return k < 0 || k > n ? Element(ring, 0) : a[static_cast<std::size_t>(k)];
  };
  std::vector<Element> all;
  for (int size = 1; size <= n; ++size) {
    Budget::check();
    all.push_back(determinant_of(ring, size, entry));
  }
  return all;
}

/// b_0 + b_1 μ + … + μ^d has real negative simple roots: signs of coefficients and of the discriminant.      (O.6)
std::vector<Element> conditions_for_squares(const Ring& ring, const std::vector<Element>& b) {
  std::vector<Element> all(b.begin(), b.end() - 1);
  const auto number = [&](long n) { return Element(ring, Rational(n)); };
  if (b.size() == 3) all.push_back(b[1] * b[1] - number(4) * b[0]);
  if (b.size() == 4) {
    const Element &p = b[2], &q = b[1], &r = b[0];
    all.push_back(number(18) * p * q * r - number(4) * p * p * p * r + p * p * q * q - number(4) * q * q * q -
                  number(27) * r * r);
  }
  return all;
}

/// s_k = Σ μ_i^k of the roots of b_0 + b_1 μ + … + μ^d, k < count, by Newton's identities.
std::vector<Element> power_sums(const Ring& ring, const std::vector<Element>& b, std::size_t count) {
  const std::size_t d = b.size() - 1;
  std::vector<Element> s{Element(ring, Rational(static_cast<long>(d)))};
  for (std::size_t k = 1; k < count; ++k) {
    Element sum_k(ring, 0);
    for (std::size_t i = 1; i <= std::min(k, d); ++i) {
      const Element weight = i == k ? Element(ring, Rational(static_cast<long>(k))) : s[k - i];
      sum_k = sum_k - b[d - i] * weight;
    }
    s.push_back(std::move(sum_k));
  }
  return s;
}

/// The same for any degree d: the coefficients, and the principal minors det(s_{i+j})_{i,j<k}, k = 2..d, of the matrix of power sums.
/// They are positive iff all roots are real and simple (Hermite).                                          (O.6)
std::vector<Element> conditions_of_hermite(const Ring& ring, const std::vector<Element>& b) {
  std::vector<Element> all(b.begin(), b.end() - 1);
  const std::size_t d = b.size() - 1;
  const std::vector<Element> s = power_sums(ring, b, 2 * d - 1);
  for (std::size_t k = 2; k <= d; ++k) {
    Budget::check();
    all.push_back(determinant_of(ring, static_cast<int>(k), [&](int i, int j) {
      return s[static_cast<std::size_t>(i) + static_cast<std::size_t>(j)];
    }));
  }
  return all;
}

bool is_even(const std::vector<Element>& a) {
  bool even = true;
  for (std::size_t k = 1; k < a.size(); k += 2) even = even && a[k].is_zero();
  return even;
}

/// A coefficient that is negative for all parameters: not all roots are real and negative, whatever the others are.
std::optional<Element> negative_coefficient(const Field& field, const std::vector<Element>& b) {
  const auto found = std::ranges::find_if(b, [&](const Element& x) {
    const Inequality i = is_positive(field, x);
    return i.kind == Inequality::Kind::never && !i.e.is_zero();
  });
  return found == b.end() ? std::nullopt : std::optional(*found);
}

/// Nothing when the minors are too long.
std::optional<std::vector<Element>> within_work(const Ring& ring, const std::vector<Element>& b) {
  try {
    const Budget budget(WorkLimits{.steps = 200'000, .work = 20'000'000, .terms = 5'000});
    return conditions_of_hermite(ring, b);
  } catch (const Exhausted&) {
    Budget::check();
    return std::nullopt;
  }
}

/// The conditions for one factor with these coefficients, lowest first.
void judge(const Field& field, std::vector<Element> a, int multiplicity, SpectralStability& of) {
  const Element last = a.back();
  std::vector<Expr> factor;
  for (Element& x : a) {
    x = x / last;
    factor.push_back(short_form(field.expression(x)));
  }
  of.factors.insert(of.factors.end(), static_cast<std::size_t>(multiplicity), factor);
  std::vector<Element> conditions;
  if (is_even(a)) {
    of.reversible = true;
    std::vector<Element> squares;
    for (std::size_t k = 0; k < a.size(); k += 2) squares.push_back(a[k]);
    constexpr std::size_t closed_form = search_limits::squares_in_closed_form.count,
                          largest = search_limits::squares_by_minors.count;
    if (squares.size() <= closed_form) {
      conditions = conditions_for_squares(field.ring(), squares);
    } else if (const auto negative = negative_coefficient(field, squares)) {
      conditions = {*negative};
    } else if (auto minors = squares.size() <= largest ? within_work(field.ring(), squares) : std::nullopt) {
      conditions = *std::move(minors);
    } else {
      of.decided = false;
      return;
    }
  } else {
    conditions = hurwitz_determinants(field.ring(), a);
  }
  for (const Element& x : conditions) {
    Inequality i = is_positive(field, x);
    const bool known = std::any_of(of.conditions.begin(), of.conditions.end(), [&](const Inequality& other) {
      return other.kind == i.kind && other.e == i.e;
    });
    if (i.kind != Inequality::Kind::always && !known) of.conditions.push_back(i);
  }
}

/// Without relations a factor is irreducible as it is.
std::vector<RootClass> root_classes(const Field& field, std::vector<Element> a) {
  if (field.ring().relations().empty()) return {{std::move(a), 1}};
  return separated_roots(field.ring(), a);
}

/// Factor by factor: imaginary pairs beside damped ones, and equal pairs, are distinguished by separate factors only.
void judge_factors(const Matrix& A, Expr p, Symbol lambda, SpectralStability& of) {
  const Generators generators(std::span(&p, 1), {});
  const Field field(generators.forms());
  const Polynomial numerator = field.element(generators.forms()[0]).numerator();
  int g = -1;
  for (int k = 0; k < field.ring().size(); ++k) {
    if (field.generators()[static_cast<std::size_t>(k)] == Expr(lambda)) g = k;
  }
  if (g < 0) return;  // every eigenvalue is 0
  for (const auto& [base, exponent] : factored(numerator).factors) {
    if (base.degree(g) < 1) continue;
    std::vector<Element> a;
    for (Polynomial& part : coefficients_in(base, g)) a.emplace_back(std::move(part));
    for (RootClass& c : root_classes(field, std::move(a))) {
      const int multiplicity = static_cast<int>(exponent) * c.multiplicity;
      of.simple = of.simple && multiplicity == 1;
      if (multiplicity > 1 && is_even(c.factor)) {
        std::vector<Expr> f;
        for (const Element& x : c.factor) f.push_back(field.expression(x));
        of.semisimple = of.semisimple && has_eigenvectors(A, f, multiplicity);
      }
      judge(field, std::move(c.factor), multiplicity, of);
    }
  }
}

}  // namespace

SpectralStability spectral_stability(const Matrix& A) {
  const int n = A.rows();
  const Generators generators(A.entries(), {});
  const Field field(generators.forms());
  const Ring& ring = field.ring();
  std::vector<Element> entries;
  for (const Expr form : generators.forms()) entries.push_back(field.element(form));
  std::vector<Element> c = faddeev_leverrier(ring, entries, n);

  SpectralStability of;
  while (of.zeros < n && c[static_cast<std::size_t>(of.zeros)].is_zero()) ++of.zeros;
  c.erase(c.begin(), c.begin() + of.zeros);
  for (const Element& a : c) of.coefficients.push_back(short_form(field.expression(a)));
  const Symbol lambda = Symbol::make("lambda");
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < c.size(); ++k)
    terms.push_back(field.expression(c[k]) * pow(Expr(lambda), static_cast<int>(k)));
  of.semisimple = of.zeros < 2 || has_eigenvectors(A, {Expr(0), Expr(1)}, of.zeros);
  judge_factors(A, sum(terms), lambda, of);
  return of;
}

bool has_eigenvectors(const Matrix& A, const std::vector<Expr>& f, int multiplicity) {
  const int n = A.rows(), degree = static_cast<int>(f.size()) - 1;
  Matrix value(n, n);
  for (auto c = f.rbegin(); c != f.rend(); ++c) {  // Horner
    value = value * A;
    for (int i = 0; i < n; ++i) value(i, i) = value(i, i) + *c;
  }
  return n - rank(value) == multiplicity * degree;
}

Expr characteristic_polynomial(const SpectralStability& of, Symbol lambda) {
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < of.coefficients.size(); ++k)
    terms.push_back(of.coefficients[k] * pow(Expr(lambda), static_cast<int>(k)));
  return short_form(pow(Expr(lambda), of.zeros) * sum(terms));
}

}  // namespace rattleback

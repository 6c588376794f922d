// Declared in algebra/arithmetic/exact_ring.hpp. Factorisation of polynomials: quick special cases first, FLINT for the rest.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/common_factor.hpp>
#include <rattleback/algebra/arithmetic/common_term.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/interruptible.hpp>
#include <rattleback/algebra/arithmetic/packed_terms.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>

namespace rattleback {
namespace {

/// Owns a FLINT factorisation.
class Factorisation {
 public:
  /// Interrupted, it leaves behind what FLINT had found.
  explicit Factorisation(const Polynomial& p) : ring_(&p.ring()) {
    fmpz_mpoly_factor_init(value_, ring_->context());
    if (!interruptible([&] { return fmpz_mpoly_factor(value_, p.raw(), ring_->context()); })) {
      fmpz_mpoly_factor_clear(value_, ring_->context());
      throw Exhausted("a polynomial could not be factored");
    }
    fmpz_mpoly_factor_sort(value_, ring_->context());
  }
  ~Factorisation() { fmpz_mpoly_factor_clear(value_, ring_->context()); }
  Factorisation(const Factorisation&) = delete;
  Factorisation& operator=(const Factorisation&) = delete;
  fmpz_mpoly_factor_struct* raw() { return value_; }

 private:
  const Ring* ring_;
  fmpz_mpoly_factor_t value_;
};

void factor_by_flint(const Polynomial& p, Factored& out) {
  const auto* context = p.ring().context();
  Factorisation f(p);
  Rational constant;
  fmpz_mpoly_factor_get_constant_fmpz(fmpq_numref(constant.raw()), f.raw(), context);
  out.constant = out.constant * constant;
  const slong count = fmpz_mpoly_factor_length(f.raw(), context);
  for (slong i = 0; i < count; ++i) {
    Factored::Factor factor{Polynomial(p.ring()), fmpz_mpoly_factor_get_exp_si(f.raw(), i, context)};
    fmpz_mpoly_factor_get_base(factor.base.raw(), f.raw(), i, context);
    out.factors.push_back(std::move(factor));
  }
}

Polynomial exact_quotient(const Polynomial& p, const Polynomial& q) {
  Polynomial r(p.ring());
  fmpz_mpoly_divides(r.raw(), p.raw(), q.raw(), p.ring().context());
  return r;
}

/// p = a·x + b: the coefficient of x and the rest.
std::pair<Polynomial, Polynomial> split_linearly(const Polynomial& p, int x) {
  const PackedTerms terms(p, 0);
  const PackedTerms::Place at = terms.place(x);
  const std::vector<ulong> without = terms.bits_of(std::span(&x, 1));
  std::pair<Polynomial, Polynomial> parts{terms.empty(terms.size()), terms.empty(terms.size())};
  for (std::size_t i = 0; i < terms.size(); ++i)
    terms.append(terms.exponent(i, at) == 1 ? parts.first : parts.second, i, without);
  return parts;
}

/// The generator in which p is linear and whose coefficient has fewest terms; −1 when there is none.
int linear_generator(const Polynomial& p) {
  const auto generators = static_cast<std::size_t>(p.ring().size());
  std::vector<std::size_t> occurrences(generators, 0);
  std::vector<ulong> highest(generators, 0), e(generators);
  for (std::size_t i = 0; i < p.terms(); ++i) {
    fmpz_mpoly_get_term_exp_ui(e.data(), p.raw(), static_cast<slong>(i), p.ring().context());
    for (std::size_t g = 0; g < generators; ++g) {
      occurrences[g] += e[g] != 0 ? 1 : 0;
      highest[g] = std::max(highest[g], e[g]);
    }
  }
  int best = -1;
  for (std::size_t g = 0; g < generators; ++g) {
    if (highest[g] != 1) continue;
    if (best < 0 || occurrences[g] < occurrences[static_cast<std::size_t>(best)]) best = static_cast<int>(g);
  }
  return best;
}

/// |n| is the square of an integer.
bool is_square_number(const Rational& n) {
  fmpz_t size;
  fmpz_init(size);
  fmpz_abs(size, fmpq_numref(n.raw()));
  const bool square = fmpz_is_square(size) != 0;
  fmpz_clear(size);
  return square;
}

/// α m + β n with coprime monomials is irreducible when the exponents have no common divisor, for then it is linear in a
/// monomial; when that divisor is 2 it is αt² + β, irreducible unless −αβ is a square.
bool is_irreducible_binomial(const Polynomial& p) {
  if (p.terms() != 2) return false;
  ulong divisor = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const ulong e : p.exponents(i)) divisor = std::gcd(divisor, e);
  }
  if (divisor != 2) return divisor == 1;
  const Rational a = p.coefficient(0), b = p.coefficient(1);
  return a.sign() == b.sign() || !is_square_number(a) || !is_square_number(b);
}

/// The generator in which p is quadratic and whose square has fewest terms beside it; −1 when there is none.
int quadratic_generator(const Polynomial& p) {
  int best = -1;
  std::size_t fewest = 0;
  for (int g = 0; g < p.ring().size(); ++g) {
    if (p.degree(g) != 2) continue;
    std::size_t terms = 0;
    for (std::size_t i = 0; i < p.terms(); ++i)
      terms +=
          fmpz_mpoly_get_term_var_exp_ui(p.raw(), static_cast<slong>(i), g, p.ring().context()) == 2 ? 1 : 0;
    if (best >= 0 && terms >= fewest) continue;
    best = g;
    fewest = terms;
  }
  return best;
}

/// p = a x² + b x + c with b² − 4ac = h² has the primitive part of 2a x + b + h as a factor.
std::optional<Polynomial> linear_factor(const Polynomial& p, int x) {
  const Ring& ring = p.ring();
  std::array<Polynomial, 3> part{Polynomial(ring), Polynomial(ring), Polynomial(ring)};
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> e = p.exponents(i);
    const ulong n = std::exchange(e[static_cast<std::size_t>(x)], 0);
    part[n].add_term(p.coefficient(i), e);
  }
  const auto& [c, b, a] = part;
  const Polynomial two(ring, 2);
  Polynomial h(ring);
  const Polynomial discriminant = b * b - two * two * a * c;
  if (fmpz_mpoly_sqrt(h.raw(), discriminant.raw(), ring.context()) == 0) return std::nullopt;
  const Polynomial above = two * a, rest = b + h;
  return exact_quotient(above * Polynomial::generator(ring, x) + rest, gcd(above, rest));
}

enum class Squares : std::uint8_t { may_occur, were_tried };
void factor_primitive(Polynomial p, Factored& out, Squares squares = Squares::may_occur);

/// Appends factors found in several steps: each base once, in the order of FLINT.
void append(Factored parts, Factored& out) {
  std::vector<Factored::Factor> distinct;
  for (Factored::Factor& f : parts.factors) {
    const auto same = std::ranges::find(distinct, f.base, &Factored::Factor::base);
    if (same == distinct.end())
      distinct.push_back(std::move(f));
    else
      same->exponent += f.exponent;
  }
  std::ranges::sort(distinct, [](const Factored::Factor& f, const Factored::Factor& g) {
    if (f.exponent != g.exponent) return f.exponent < g.exponent;
    return fmpz_mpoly_cmp(f.base.raw(), g.base.raw(), f.base.ring().context()) < 0;
  });
  out.constant = out.constant * parts.constant;
  for (Factored::Factor& f : distinct) out.factors.push_back(std::move(f));
}

/// In two factors, if there are any that are linear in a generator in which p is quadratic.
bool factor_quadratic(const Polynomial& p, Factored& out) {
  const int x = quadratic_generator(p);
  if (x < 0) return false;
  const auto first = linear_factor(p, x);
  if (!first) return false;
  Factored parts;
  parts.constant = 1;
  factor_primitive(*first, parts);
  factor_primitive(exact_quotient(p, *first), parts);
  append(std::move(parts), out);
  return true;
}

/// x² in place of x, or x in place of x², for some generators.
class Squaring {
 public:
  /// The generators of which p has even powers only.
  explicit Squaring(const Polynomial& p) : strides_(static_cast<std::size_t>(p.ring().size()), 1) {
    for (int g = 0; g < p.ring().size(); ++g) {
      if (p.degree(g) <= 0 || has_odd_power(p, g)) continue;
      generators_.push_back(g);
      strides_[static_cast<std::size_t>(g)] = 2;
    }
  }
  std::span<const int> generators() const { return generators_; }
  Polynomial undone(const Polynomial& p) const { return changed(p, strides_, fmpz_mpoly_deflate); }
  /// For one generator only.
  static Polynomial done(const Polynomial& p, int g) {
    std::vector<fmpz> strides(static_cast<std::size_t>(p.ring().size()), 1);
    strides[static_cast<std::size_t>(g)] = 2;
    return changed(p, strides, fmpz_mpoly_inflate);
  }

 private:
  template <class Change>
  static Polynomial changed(const Polynomial& p, const std::vector<fmpz>& strides, Change change) {
    const std::vector<fmpz> shifts(strides.size(), 0);
    Polynomial out(p.ring());
    change(out.raw(), p.raw(), shifts.data(), strides.data(), p.ring().context());
    return out;
  }
  static bool has_odd_power(const Polynomial& p, int g) {
    for (std::size_t i = 0; i < p.terms(); ++i) {
      if (fmpz_mpoly_get_term_var_exp_ui(p.raw(), static_cast<slong>(i), g, p.ring().context()) % 2 != 0)
        return true;
    }
    return false;
  }
  std::vector<int> generators_;
  std::vector<fmpz> strides_;
};

/// p(x², …) by the factors of p(x, …): these are smaller, and mostly stay irreducible.
bool factor_squares(const Polynomial& p, Factored& out) {
  const Squaring squaring(p);
  if (squaring.generators().empty()) return false;
  Factored roots, parts;
  roots.constant = parts.constant = 1;
  factor_primitive(squaring.undone(p), roots);
  parts.constant = roots.constant;
  for (const auto& [base, exponent] : roots.factors) {
    bool is_irreducible = true;
    Polynomial inflated = base;
    for (const int g : squaring.generators()) {
      if (base.degree(g) <= 0) continue;
      is_irreducible = is_irreducible && is_irreducible_in_squares(inflated, g);
      inflated = Squaring::done(inflated, g);
    }
    if (is_irreducible) {
      parts.factors.push_back({std::move(inflated), exponent});
      continue;
    }
    Factored further;
    further.constant = 1;
    factor_primitive(std::move(inflated), further, Squares::were_tried);
    parts.constant = parts.constant * power(further.constant, exponent);
    for (auto& [factor, times] : further.factors)
      parts.factors.push_back({std::move(factor), times * exponent});
  }
  append(std::move(parts), out);
  return true;
}

/// p without monomial and integer factors, not constant. A polynomial a·x + b is gcd(a, b) times an irreducible one, the only
/// factor that contains x.
void factor_primitive(Polynomial p, Factored& out, Squares squares) {
  allow_recursion();
  const int x = linear_generator(p);
  if (x < 0 && !is_irreducible_binomial(p) && !is_irreducible_quadratic(p)) {
    if (squares == Squares::may_occur && factor_squares(p, out)) return;
    if (!factor_quadratic(p, out)) factor_by_flint(p, out);
    return;
  }
  if (x >= 0) {
    const auto [a, b] = split_linearly(p, x);
    Polynomial common = a.terms() > 1 ? gcd(a, b) : Polynomial(p.ring(), 1);
    if (!common.is_constant()) {
      p = exact_quotient(p, common);
      allow_factoring(common.terms());
      factor_primitive(std::move(common), out);
    }
  }
  if (p.coefficient(0).sign() < 0) {
    p = -p;
    out.constant = -out.constant;
  }
  out.factors.push_back({std::move(p), 1});
}

}  // namespace

Factored factored(const Polynomial& p) {
  Factored out;
  if (p.is_zero()) return out;
  const Polynomial monomial = common_term(p);
  out.constant = monomial.coefficient(0);
  const std::vector<ulong> e = monomial.exponents(0);
  for (std::size_t g = 0; g < e.size(); ++g) {
    if (e[g] != 0)
      out.factors.push_back({Polynomial::generator(p.ring(), static_cast<int>(g)), static_cast<long>(e[g])});
  }
  Polynomial rest = divided_by_term(p, monomial);
  if (!rest.is_constant()) {
    allow_factoring(rest.terms());
    factor_primitive(std::move(rest), out);
  } else if (!rest.is_one()) {
    out.constant = -out.constant;
  }
  return out;
}

std::optional<Polynomial> square_root(const Polynomial& p) {
  allow_factoring(p.terms());
  Polynomial root(p.ring());
  if (fmpz_mpoly_sqrt(root.raw(), p.raw(), p.ring().context()) == 0) return std::nullopt;
  return root;
}

}  // namespace rattleback

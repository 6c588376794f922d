/// Factors of polynomials: at a glance where possible, by FLINT where not.
#include <algorithm>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/exact_ring.hpp>

namespace rattleback {
namespace {

/// Owns a FLINT factorisation.
class Factorisation {
 public:
  explicit Factorisation(const Polynomial& p) : ring_(&p.ring()) {
    fmpz_mpoly_factor_init(value_, ring_->context());
    if (fmpz_mpoly_factor(value_, p.raw(), ring_->context()) == 0) {
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
  std::pair<Polynomial, Polynomial> parts{Polynomial(p.ring()), Polynomial(p.ring())};
  for (std::size_t i = 0; i < p.terms(); ++i) {
    std::vector<ulong> e = p.exponents(i);
    ulong& n = e[static_cast<std::size_t>(x)];
    Polynomial& part = n == 1 ? parts.first : parts.second;
    n = 0;
    part.add_term(p.coefficient(i), e);
  }
  return parts;
}

/// The generator in which p is linear and whose coefficient has fewest terms; −1 when there is none.
int linear_generator(const Polynomial& p) {
  const auto generators = static_cast<std::size_t>(p.ring().size());
  std::vector<std::size_t> occurrences(generators, 0);
  std::vector<ulong> highest(generators, 0);
  for (std::size_t i = 0; i < p.terms(); ++i) {
    const std::vector<ulong> e = p.exponents(i);
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

/// p without monomial and integer factors, not constant. A polynomial a·x + b is gcd(a, b) times an irreducible one.
void factor_primitive(Polynomial p, Factored& out) {
  allow_factoring(p.terms());
  const int x = linear_generator(p);
  if (x < 0) {
    factor_by_flint(p, out);
    return;
  }
  const auto [a, b] = split_linearly(p, x);
  Polynomial common(p.ring(), 1);
  if (a.terms() > 1 && fmpz_mpoly_gcd(common.raw(), a.raw(), b.raw(), p.ring().context()) == 0) {
    throw Exhausted("a common factor could not be computed");
  }
  if (!common.is_constant()) {
    p = exact_quotient(p, common);
    factor_primitive(std::move(common), out);
  }
  if (p.coefficient(0).sign() < 0) {
    p = -p;
    out.constant = -out.constant;
  }
  out.factors.push_back({std::move(p), 1});  // the only factor that contains x
}

}  // namespace

Factored factored(const Polynomial& p) {
  Factored out;
  if (p.is_zero()) return out;
  Polynomial monomial(p.ring());
  fmpz_mpoly_term_content(monomial.raw(), p.raw(), p.ring().context());
  out.constant = monomial.coefficient(0);
  const std::vector<ulong> e = monomial.exponents(0);
  for (std::size_t g = 0; g < e.size(); ++g) {
    if (e[g] != 0)
      out.factors.push_back({Polynomial::generator(p.ring(), static_cast<int>(g)), static_cast<long>(e[g])});
  }
  Polynomial rest = exact_quotient(p, monomial);
  if (!rest.is_constant()) {
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

#pragma once
/// Polynomials and fractions in finitely many generators, modulo relations g² = polynomial in the others.
///
/// FLINT cannot be interrupted and aborts on a division by zero, so every operation here asks the Budget first
/// and refuses (throws Exhausted) what would grow beyond it.

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/algebra/arithmetic/flint.hpp>
#include <rattleback/algebra/arithmetic/rational.hpp>

namespace rattleback {

class Ring;

/// Why an expression has no exact form: a division by zero, or roots that depend on each other.
class NoExactForm : public std::exception {
 public:
  explicit NoExactForm(std::string obstacle) : obstacle_(std::move(obstacle)) {}
  const char* what() const noexcept override { return obstacle_.c_str(); }

 private:
  std::string obstacle_;
};

/// Refuses (throws Exhausted) a product of polynomials with a and b terms that would take too long or grow too
/// large.
void allow_product(std::size_t a, std::size_t b);
/// The same for a gcd or a factorisation, which cost more per term than a product.
void allow_factoring(std::size_t terms);

/// A polynomial with integer coefficients. The ring outlives it.
class Polynomial {
 public:
  explicit Polynomial(const Ring& ring, long constant = 0);
  static Polynomial generator(const Ring& ring, int g);
  Polynomial(const Polynomial& other);
  Polynomial(Polynomial&& other) noexcept;
  Polynomial& operator=(Polynomial other) noexcept;
  ~Polynomial();

  const Ring& ring() const { return *ring_; }
  std::size_t words() const;  ///< of its longest coefficient
  std::size_t terms() const { return static_cast<std::size_t>(raw()->length); }
  bool is_zero() const { return raw()->length == 0; }
  bool is_one() const;
  bool is_constant() const;
  long degree(int g) const;  ///< −1 for the zero polynomial
  Rational coefficient(std::size_t term) const;
  std::vector<ulong> exponents(std::size_t term) const;
  /// Terms may be added in any order; call collect() afterwards.
  void add_term(const Rational& integer, std::span<const ulong> exponents);
  void collect();

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  Polynomial operator-() const;
  friend bool operator==(const Polynomial& a, const Polynomial& b);

  const fmpz_mpoly_struct* raw() const { return value_; }
  fmpz_mpoly_struct* raw() { return value_; }

 private:
  const Ring* ring_;
  fmpz_mpoly_t value_;
};

Polynomial power(const Polynomial& base, unsigned exponent);
/// The polynomial whose square is p, if there is one (as polynomials; relations are not used).
std::optional<Polynomial> square_root(const Polynomial& p);

/// p = constant · Π base^exponent, bases irreducible over the integers as polynomials, in a fixed order.
struct Factored {
  struct Factor {
    Polynomial base;
    long exponent;
  };
  Rational constant;
  std::vector<Factor> factors;
};
Factored factored(const Polynomial& p);

/// g² = square. A pair (c, s) has s = generator, c = partner and s² = sigma·(1 − c²): sigma is 1 for cos, sin
/// and −1 for cosh, sinh.
struct Relation {
  int generator;
  Polynomial square;
  int partner = -1;
  int sigma = 1;
};

/// The generators with their relations; immutable once made, so elements may be made in any thread.
class Ring {
 public:
  /// `relate` adds the relations from the bottom of the tower to its top.
  static std::unique_ptr<const Ring> make(int generators, const std::function<void(Ring&)>& relate);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  int size() const { return size_; }
  std::span<const Relation> relations() const { return relations_; }  ///< top of the tower first
  void relate(Relation relation);
  const fmpz_mpoly_ctx_struct* context() const { return context_; }

 private:
  explicit Ring(int generators);
  int size_;
  fmpz_mpoly_ctx_t context_;
  std::vector<Relation> relations_;
};

/// g^(2k+e) → square^k g^e for one generator. False when there was nothing to do.
bool reduce(Polynomial& p, int g, const Polynomial& square);
/// By all relations of the ring: p becomes its normal form.
bool reduce(Polynomial& p);
/// g → −g.
Polynomial conjugate(const Polynomial& p, int g);
/// The product of p with its conjugates, free of every related generator; zero iff p is zero or divides zero.
Polynomial norm(Polynomial p);

}  // namespace rattleback

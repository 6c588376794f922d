#pragma once
/// Printing of polynomials and fractions of a field: factored, collected, in the usual order.

#include <map>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/exponents.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {

/// A product taken apart: number, powers of generators, powers of sums.
struct Pieces {
  Rational constant = 1;
  std::vector<long> exponents;  ///< of the generators
  std::vector<std::pair<Polynomial, long>> sums;
};

/// A polynomial without sin² of any angle: one for every way to write it. The polynomial itself, which outlives it, where it has none.
class NormalForm {
 public:
  NormalForm(const Polynomial& p, std::span<const Relation* const> pairs);
  NormalForm(const NormalForm&) = delete;
  NormalForm& operator=(const NormalForm&) = delete;
  const Polynomial& operator*() const { return *form_; }

 private:
  std::optional<Polynomial> changed_;
  const Polynomial* form_;
};

/// Writes every factor in the shortest of its shapes: written out, collected in velocities, in trigonometric
/// monomials or in one generator, with sin² or cos² eliminated or combined.
class PolynomialWriter {
 public:
  /// Nothing longer than `bound` is of interest.
  PolynomialWriter(const Field& field, int bound);

  Expr quotient(const Polynomial& n, const Polynomial& d);
  /// Too many terms, even factored, to become shorter than the bound?
  bool is_hopeless(const Polynomial& n, const Polynomial& d);
  Expr written(const Polynomial& p) { return written(p, 0); }
  int cost(Expr e) { return cost_(e); }
  const Factored& factors_of(const Polynomial& p);

 private:
  Expr written(const Polynomial& p, int depth);
  Expr written_sum(const Polynomial& p, int depth);
  using Memory = std::unordered_map<std::string, Expr>;  ///< by key
  using Search = Expr (PolynomialWriter::*)(const Polynomial& normal_form, const std::string& key, int depth);
  Expr remembered(Memory& known, const Polynomial& p, int depth, Search search);
  Expr shortest_product(const Polynomial& normal_form, const std::string& key, int depth);
  Expr shortest_shape_of_sum(const Polynomial& normal_form, const std::string& key, int depth);
  Expr shortest_sum(const Polynomial& p, int depth, int bound);
  Expr expanded(const Polynomial& p);
  std::optional<Expr> collected(const Polynomial& p, const Exponents& exponents, const std::vector<int>& in,
                                int depth, int bound);
  int least_width(const Exponents& exponents, std::span<const std::size_t> terms,
                  const std::vector<int>& in) const;
  const std::vector<Polynomial>& shapes(const Polynomial& normal_form, const std::string& key);
  std::vector<int> velocities(const Exponents& exponents) const;
  std::vector<int> circular(const Exponents& exponents) const;

  void take(Pieces& pieces, const Polynomial& p, int direction);
  std::size_t terms_of(const Pieces& pieces) const;
  Pieces best_pieces(const Polynomial& p, int direction);
  Expr assembled(Pieces pieces, int depth);
  void spend_circular(Pieces& pieces, std::vector<Expr>& factors) const;
  void spend_roots(Pieces& pieces, std::vector<Expr>& factors);
  void spend_exponentials(Pieces& pieces, std::vector<Expr>& factors) const;
  Expr generator_power(int g, long n);
  Expr searched_power(int g, long n);

  Expr shorter(Expr a, Expr b) { return cost_(b) < cost_(a) ? b : a; }

  /// Is a search for a shorter form of p worth its time? Counted in terms, so that the answer is the same on every
  /// machine.
  bool worth_a_search(const Polynomial& p);

  const Field& field_;
  std::vector<const Relation*> pairs_;  ///< cos, sin and cosh, sinh
  std::vector<int> widths_;             ///< of the generators
  std::vector<int> velocities_;         ///< those of the generators that are velocities
  std::size_t bound_;
  std::size_t effort_ = 0;  ///< terms looked at so far
  PrintedCost cost_;
  std::map<int, Memory> known_, known_sums_;  ///< by depth
  std::unordered_map<std::string, Factored> known_factors_;
  std::unordered_map<std::string, std::vector<Polynomial>> known_shapes_;
  std::map<int, Expr> known_radicands_;
  std::vector<std::optional<Expr>> known_powers_;  ///< the lowest ones, generator by generator
};

/// The terms as bytes: equal keys, equal polynomials of one ring.
std::string key_of(const Polynomial& p);

/// No term of a sum takes less.
inline constexpr std::size_t letters_per_term = 3;
/// Larger polynomials are factored and written out, nothing more.
inline constexpr std::size_t writer_limit = search_limits::searched_polynomial.count;

}  // namespace rattleback
